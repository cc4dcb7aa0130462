package draw

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"fstore/index"
)

// name is a label or word as it is shown.
type name struct {
	text  string
	width int // in cells, at least 1

	marked bool
}

// mark returns the name set off.
func (n name) mark() name {
	if n.marked {
		return n
	}
	return name{"[" + n.text + "]", n.width + 2, true}
}

// cells measures as terminals draw, whatever the locale.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// nameOf makes text fit to be shown: the empty string is \e, control characters are
// \xHH, and a combining mark at the start stands on a dotted circle.
func nameOf(text []byte) name {
	if len(text) == 0 {
		return name{text: `\e`, width: 2}
	}
	s := strings.ToValidUTF8(string(text), "\uFFFD")
	if strings.ContainsFunc(s, isHidden) {
		s = visible(s)
	}
	if r, _ := utf8.DecodeRuneInString(s); cells.RuneWidth(r) == 0 {
		s = "\u25CC" + s
	}
	return name{text: s, width: max(1, cells.StringWidth(s))}
}

// isHidden says whether r would not be seen, or move what follows.
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

// isRightToLeft says whether s has letters that a terminal writes from right to left.
func isRightToLeft(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x590 && (r <= 0x8FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFF || r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF)
	})
}

// runsRightToLeft says whether most of the words that are written in letters are of a script
// that runs from right to left.
func runsRightToLeft(words iter.Seq[name]) bool {
	left, right := 0, 0
	for w := range words {
		switch {
		case isRightToLeft(w.text):
			right++
		case strings.ContainsFunc(w.text, unicode.IsLetter):
			left++
		}
	}
	return right > left
}

// namesOf returns the names of all nodes.
func namesOf(t *index.Tree, s *index.Symbols) []name {
	names := make([]name, len(t.Nodes))
	for i := range t.Nodes {
		class := index.Labels
		if t.Nodes[i].Word {
			class = index.Words
		}
		names[i] = nameOf(s.Bytes(class, t.Nodes[i].Sym))
	}
	return names
}
