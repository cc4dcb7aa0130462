package draw

// sketch is a picture on a grid of cells: labels in rows, and lines between them.
type sketch struct {
	labels []label
	lines  []line
	edges  []edge // from label to label, where the picture may draw them so, instead of lines
	rows   int
	cols   int
	rtl    bool // SVG: columns count from the right
}

// label is a text in a row, starting in a column.
type label struct {
	row, col int
	name     name
	kind     kind
	middle   float64 // in cells, where a picture is not bound to the grid
}

// kind is what a label is.
type kind uint8

const (
	inner kind = iota
	word
	faint // tags, relations, what is left out
)

// kindOf is the kind of a node's name.
func kindOf(isWord bool) kind {
	if isWord {
		return word
	}
	return inner
}

// line is a horizontal or vertical line from the middle of a cell to that of another.
// One that is under others gives way where they cross.
type line struct {
	row1, col1, row2, col2 int
	under                  bool
}

// edge joins two labels, by their numbers.
type edge struct{ from, to int }

// label adds a label and returns its number.
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
