package draw

import (
	"iter"
	"strings"
	"unicode"

	"fstore/decode/svg"
	"fstore/index"
)

// sketch is a picture on a grid of cells: labels in rows, and lines between them.
type sketch struct {
	labels []label
	lines  []line
	edges  []edge // straight lines between labels, which SVG draws instead of lines
	rows   int
	cols   int
	rtl    bool // right to left: SVG counts columns from the right
}

// label is a text in a row. It starts in column col.
type label struct {
	row, col int
	name     name
	kind     kind
	middle   float64 // middle of the text in cells, for SVG, which has no grid
}

type kind uint8

const (
	inner kind = iota
	word
	faint // tags, relations, and the note that there is no tree
)

func kindOf(isWord bool) kind {
	if isWord {
		return word
	}
	return inner
}

// line is a horizontal or vertical line between the middles of two cells. A line with `under` set is hidden
// where a vertical line crosses it.
type line struct {
	row1, col1, row2, col2 int
	under                  bool
}

// edge joins two labels, given by their indexes in sketch.labels.
type edge struct{ from, to int }

// label adds a label and returns its index in sketch.labels.
func (k *sketch) label(row, col int, n name, kind kind) int {
	k.labels = append(k.labels, label{row, col, n, kind, float64(col) + float64(n.width)/2})
	k.rows = max(k.rows, row+1)
	k.cols = max(k.cols, col+n.width)
	return len(k.labels) - 1
}

func (k *sketch) horizontal(row, col1, col2 int, under bool) {
	if col1 < col2 {
		k.lines = append(k.lines, line{row, col1, row, col2, under})
	}
}

func (k *sketch) vertical(col, row1, row2 int) {
	if row1 < row2 {
		k.lines = append(k.lines, line{row1, col, row2, col, false})
	}
}

// name is a label or word as it is shown.
type name struct {
	text  string
	width int // width in cells, at least 1

	marked bool
}

// mark returns the name in square brackets, to highlight it.
func (n name) mark() name {
	if n.marked {
		return n
	}
	return name{"[" + n.text + "]", n.width + 2, true}
}

// nameOf returns a text as it is shown, see svg.Readable.
func nameOf(text []byte) name {
	readable, width := svg.Readable(text)
	return name{text: readable, width: width}
}

// isRightToLeft says whether s has a letter of a script that is written from right to left.
func isRightToLeft(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x590 && (r <= 0x8FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFF || r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF)
	})
}

// runsRightToLeft says whether most words with letters are in a script written from right to left.
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

func empty() *sketch {
	k := &sketch{}
	k.label(0, 0, name{text: "(no tree)", width: 9}, faint)
	return k
}
