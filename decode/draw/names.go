package draw

import (
	"iter"
	"strings"
	"unicode"

	"fstore/decode/svg"
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

// nameOf makes text fit to be shown, see svg.Readable.
func nameOf(text []byte) name {
	readable, width := svg.Readable(text)
	return name{text: readable, width: width}
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
