// Package style is the only package that chooses colours. A [Style] is for one writer. On a terminal it
// highlights text with lipgloss. If the writer is no terminal, or NO_COLOR is set, the Style leaves text as
// it is.
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

// Style says how a writer highlights kinds of text. The zero value highlights nothing.
type Style struct {
	Header Look // header of a table
	Match  Look // match of a fragment between its contexts
	Error  Look // the program's name before an error
}

// Look holds the escape sequences before and after a highlighted text.
type Look struct{ open, close string }

// Append appends text between the escape sequences of the look.
func (l Look) Append(dst []byte, text string) []byte {
	dst = append(dst, l.open...)
	dst = append(dst, text...)
	return append(dst, l.close...)
}

// Text returns text between the escape sequences of the look.
func (l Look) Text(text string) string { return l.open + text + l.close }

// For returns the style for the writer w in a process with these environment variables.
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

// looks returns the style for terminals. It uses only the sixteen standard colours, which follow the
// terminal's theme.
func looks() Style {
	return Style{
		Header: look(lipgloss.NewStyle().Bold(true)),
		Match:  look(lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Green)),
		Error:  look(lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Red)),
	}
}

// look returns the escape sequences of a lipgloss style, so that highlighting a cell only copies bytes.
func look(s lipgloss.Style) Look {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return Look{before, after}
}

// noColor reports whether NO_COLOR is set to a non-empty value, as no-color.org asks.
func noColor(environ []string) bool {
	return slices.ContainsFunc(environ, func(v string) bool {
		return strings.HasPrefix(v, "NO_COLOR=") && v != "NO_COLOR="
	})
}
