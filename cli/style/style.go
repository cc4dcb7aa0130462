// Package style is the one place that knows about colours. A [Style] is for one
// writer: on a terminal it sets text off with lipgloss, elsewhere, and wherever
// NO_COLOR is set, it leaves text alone.
package style

import (
	"io"
	"os"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"
)

// Style holds the looks there are. The zero value is plain.
type Style struct {
	Header Look // of a table
	Match  Look // a fragment's match among its context
	Error  Look // the program's name before an error
}

// Look sets text off.
type Look struct{ open, close string }

// Append appends text in this look.
func (l Look) Append(dst []byte, text string) []byte {
	dst = append(dst, l.open...)
	dst = append(dst, text...)
	return append(dst, l.close...)
}

// Text returns text in this look.
func (l Look) Text(text string) string { return l.open + text + l.close }

// For returns the style for w, given the environment.
func For(w io.Writer, environ []string) Style {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || noColor(environ) {
		return Style{}
	}
	profile := colorprofile.Detect(w, environ)
	if profile <= colorprofile.ASCII {
		return Style{}
	}
	lipgloss.EnableLegacyWindowsANSI(f)
	return looks()
}

// looks are made of the sixteen colours that every terminal has, so that they
// follow its theme and need no translation.
func looks() Style {
	return Style{
		Header: look(lipgloss.NewStyle().Bold(true)),
		Match:  look(lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Green)),
		Error:  look(lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Red)),
	}
}

// look takes a style apart into what comes before and after a text, so that
// setting a cell off costs two copies.
func look(s lipgloss.Style) Look {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return Look{before, after}
}

// noColor says whether NO_COLOR is set to anything, as no-color.org asks.
func noColor(environ []string) bool {
	return slices.ContainsFunc(environ, func(v string) bool {
		return strings.HasPrefix(v, "NO_COLOR=") && v != "NO_COLOR="
	})
}
