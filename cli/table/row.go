package table

import (
	"math"
	"slices"
	"strconv"

	"fstore/cli/number"
	"fstore/cli/visible"
)

// Kind is the type of the cells of a column.
type Kind uint8

const (
	// Text cells are bytes, normally UTF-8.
	Text Kind = iota
	// Uint cells are counts.
	Uint
	// Int cells are signed numbers.
	Int
	// Float cells are float64 numbers.
	Float
)

// Column describes a column. The fields after Kind matter in aligned tables only.
type Column struct {
	Name     string
	Kind     Kind
	Right    bool // the text is aligned right and shortened at its start: left context
	Emphasis bool // the text is highlighted on a terminal: a match between its contexts
	Hidden   bool // the column is left out, since other columns show the same
	Whole    bool // never shortened: the text that the rows are about; if no column is Whole, the first text is this one
	Spare    int  // left out if a line is too wide; the highest Spare goes first, see leaveOut
}

// Index returns the position of the column with this name, or -1 if there is none.
func Index(columns []Column, name string) int {
	return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
}

// Row is a row of typed cells. A caller fills the same Row again for each row of the table. The Row copies
// texts into its own memory.
type Row struct {
	cells []cell
	text  []byte
}

// cell holds the bits of a number. For a text it holds from<<32|to, the text's range in Row.text.
type cell struct {
	bits uint64
	kind Kind
	set  bool
}

// NewRow returns an empty row with n columns. An unset cell is printed as an empty field, in jsonl as null.
func NewRow(n int) *Row { return &Row{cells: make([]cell, n)} }

// Clear makes all cells empty.
func (r *Row) Clear() {
	clear(r.cells)
	r.text = r.text[:0]
}

// Reuse empties all texts but keeps the numbers, which saves time in rows of thousands of columns. A cell
// must be set before it is read.
func (r *Row) Reuse() { r.text = r.text[:0] }

// SetText sets cell i to a copy of b.
func (r *Row) SetText(i int, b []byte) {
	from := len(r.text)
	r.text = append(r.text, b...)
	r.setSpan(i, from)
}

// SetString is SetText for a string.
func (r *Row) SetString(i int, s string) {
	from := len(r.text)
	r.text = append(r.text, s...)
	r.setSpan(i, from)
}

func (r *Row) setSpan(i, from int) {
	r.cells[i] = cell{uint64(from)<<32 | uint64(len(r.text)), Text, true}
}

// SetUint sets cell i to a count.
func (r *Row) SetUint(i int, n uint64) { r.cells[i] = cell{n, Uint, true} }

// SetInt sets cell i to a signed number.
func (r *Row) SetInt(i int, n int64) { r.cells[i] = cell{uint64(n), Int, true} }

// SetFloat sets cell i to a float.
func (r *Row) SetFloat(i int, x float64) { r.cells[i] = cell{math.Float64bits(x), Float, true} }

// SetInfinite sets cell i to an infinite number x. The cell is printed as an empty field, but Float returns
// x, so that --where can compare it.
func (r *Row) SetInfinite(i int, x float64) { r.cells[i] = cell{math.Float64bits(x), Float, false} }

// SetEmpty makes cell i empty.
func (r *Row) SetEmpty(i int) { r.cells[i] = cell{} }

// Pick sets dst to the cells of r at the positions in columns, in that order.
func (r *Row) Pick(dst *Row, columns []int) {
	dst.Clear()
	for i, k := range columns {
		if text := r.Text(k); text != nil {
			dst.SetText(i, text)
		} else {
			dst.cells[i] = r.cells[k]
		}
	}
}

// CopyTo makes dst a copy of r.
func (r *Row) CopyTo(dst *Row) {
	dst.cells, dst.text = append(dst.cells[:0], r.cells...), append(dst.text[:0], r.text...)
}

// Text returns the text of cell i, or nil if the cell has no text. The result is valid until the row changes.
func (r *Row) Text(i int) []byte {
	c := r.cells[i]
	if !c.set || c.kind != Text {
		return nil
	}
	return r.text[c.bits>>32 : c.bits&math.MaxUint32]
}

// Uint returns the count in cell i, or 0.
func (r *Row) Uint(i int) uint64 { return r.cells[i].bits }

// Int returns the number in cell i, or 0.
func (r *Row) Int(i int) int64 { return int64(r.cells[i].bits) }

// Float returns the number in cell i as a float, or NaN if the cell is unset or a text. For an exception see
// SetInfinite.
func (r *Row) Float(i int) float64 {
	c := r.cells[i]
	switch {
	case c.kind == Float && math.IsInf(math.Float64frombits(c.bits), 0):
	case !c.set || c.kind == Text:
		return math.NaN()
	case c.kind == Uint:
		return float64(c.bits)
	case c.kind == Int:
		return float64(int64(c.bits))
	}
	return math.Float64frombits(c.bits)
}

// appendValue appends a cell as programs read it, for TSV, CSV and JSON. An unset cell adds nothing.
func (r *Row) appendValue(dst []byte, i int) []byte {
	c := r.cells[i]
	if !c.set {
		return dst
	}
	switch c.kind {
	case Uint:
		return strconv.AppendUint(dst, c.bits, 10)
	case Int:
		return strconv.AppendInt(dst, int64(c.bits), 10)
	case Float:
		return number.AppendFloat(dst, math.Float64frombits(c.bits))
	}
	return append(dst, r.text[c.bits>>32:c.bits&math.MaxUint32]...)
}

// appendPretty appends a cell for people: with separators between thousands, rounded floats, and visible
// control characters.
func (r *Row) appendPretty(dst []byte, i int) []byte {
	c := r.cells[i]
	if !c.set {
		return dst
	}
	switch c.kind {
	case Uint, Int:
		return number.Group(r.appendValue(dst, i), len(dst))
	case Float:
		return appendRounded(dst, math.Float64frombits(c.bits))
	}
	return appendVisible(dst, r.Text(i))
}

func appendRounded(dst []byte, x float64) []byte {
	from := len(dst)
	switch a := math.Abs(x); {
	case a >= 1e15 || a < 1e-4 && a > 0:
		return strconv.AppendFloat(dst, x, 'g', 3, 64)
	case a >= 1000:
		return number.Group(strconv.AppendFloat(dst, x, 'f', 0, 64), from)
	}
	return strconv.AppendFloat(dst, x, 'g', 4, 64)
}

func appendVisible(dst, text []byte) []byte { return visible.Append(dst, text, "") }
