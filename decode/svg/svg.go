// Package svg has functions for the pictures of decode/draw and decode/plot: readable names, text that is
// safe in an SVG document, lengths.
package svg

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// Length returns a length as text, rounded to a tenth.
func Length(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
}

// Escape returns text in a form that is allowed between tags, and in attributes with double quotes.
func Escape(text string) string { return escapes.Replace(text) }

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\uFFFE", "\uFFFD", "\uFFFF", "\uFFFD")

// cells measures the width of text as terminals draw it. It does not depend on the locale.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// Readable returns a label or word in a form that can be shown, and its width in cells of a terminal, at
// least 1. The empty string becomes \e. Control characters become \xHH. A combining mark at the start gets a
// dotted circle.
func Readable(text []byte) (string, int) {
	if len(text) == 0 {
		return `\e`, 2
	}
	s := strings.ToValidUTF8(string(text), "\uFFFD")
	if strings.ContainsFunc(s, isHidden) {
		s = visible(s)
	}
	if r, _ := utf8.DecodeRuneInString(s); cells.RuneWidth(r) == 0 {
		s = "\u25CC" + s
	}
	return s, max(1, cells.StringWidth(s))
}

// isHidden says whether r is invisible, or would move the text after it.
func isHidden(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case !isHidden(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	return b.String()
}
