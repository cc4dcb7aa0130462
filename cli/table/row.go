package table

import (
	"math"
	"slices"
	"strconv"

	"fstore/cli/number"
	"fstore/cli/visible"
)

// Kind is what the cells of a column hold.
type Kind uint8

const (
	// Text is bytes, UTF-8 as a rule.
	Text Kind = iota
	// Uint is a count.
	Uint
	// Int is a signed number.
	Int
	// Float is a float64.
	Float
)

// Column describes a column. Those behind Kind matter in aligned tables only.
type Column struct {
	Name     string
	Kind     Kind
	Right    bool // text that leans to the right and is shortened at its start: left context
	Emphasis bool // set off on a terminal: the match among its context
	Hidden   bool // left out: what other columns show the eye already
	Whole    bool // never shortened: what the row is about; without any it is the first text
	Spare    int  // left out where the line has no room: the highest first, equal ones above 0 together, others the last
}

// Index returns the position of the column of this name, -1 where there is none.
func Index(columns []Column, name string) int {
	return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
}

// Row is one row of typed cells, made once and filled again for each row. Text
// is copied into the row's own memory, so callers may reuse theirs.
type Row struct {
	cells []cell
	text  []byte
}

// cell is a number's bits, or from<<32|to in Row.text.
type cell struct {
	bits uint64
	kind Kind
	set  bool
}

// NewRow returns an empty row for n columns. A cell that is not set prints empty, in
// jsonl as null.
func NewRow(n int) *Row { return &Row{cells: make([]cell, n)} }

// Clear empties every cell.
func (r *Row) Clear() {
	clear(r.cells)
	r.text = r.text[:0]
}

// Reuse forgets the text; numbers stay until they are set again. It is for rows of
// thousands of columns, all of which are set again or not looked at.
func (r *Row) Reuse() { r.text = r.text[:0] }

// SetText sets cell i to text.
func (r *Row) SetText(i int, b []byte) {
	from := len(r.text)
	r.text = append(r.text, b...)
	r.setSpan(i, from)
}

// SetString sets cell i to text.
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

// SetInfinite sets cell i, which prints empty, to an infinite float: Float returns it, so that
// conditions see a bound that is none as it is.
func (r *Row) SetInfinite(i int, x float64) { r.cells[i] = cell{math.Float64bits(x), Float, false} }

// SetEmpty takes back what cell i was set to.
func (r *Row) SetEmpty(i int) { r.cells[i] = cell{} }

// Pick fills dst with the cells of r that columns names, in that order.
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

// Text returns the text of cell i, valid until the row changes; nil where it
// holds none.
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

// Float returns the number in cell i as a float, of whatever kind it is; NaN
// where the cell is unset, or text. See SetInfinite.
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

// appendValue appends a cell as data: nothing where it is unset.
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

// appendPretty appends a cell for the eye: thousands apart, floats to four significant digits, or
// three where they have an exponent, control characters spelled out.
func (r *Row) appendPretty(dst []byte, i int) []byte {
	c := r.cells[i]
	if !c.set {
		return dst
	}
	from := len(dst)
	switch c.kind {
	case Uint:
		return number.Group(strconv.AppendUint(dst, c.bits, 10), from)
	case Int:
		return number.Group(strconv.AppendInt(dst, int64(c.bits), 10), from)
	case Float:
		return appendRounded(dst, math.Float64frombits(c.bits))
	}
	return appendVisible(dst, r.Text(i))
}

// appendRounded appends a number as people read it.
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
