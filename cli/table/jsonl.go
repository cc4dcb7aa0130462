package table

import (
	"io"
	"math"

	"fstore/decode/jsontext"
)

// jsonl writes one JSON object for each row, with the keys in column order. An unset cell, NaN and the
// infinities are null.
type jsonl struct {
	lines
	keys [][]byte // `{"a":`, `,"b":`, …
}

func newJSONL(w io.Writer, columns []Column, _ Options) Writer {
	j := &jsonl{lines: lines{w: w}, keys: make([][]byte, len(columns))}
	for i, c := range columns {
		k := []byte{','}
		if i == 0 {
			k[0] = '{'
		}
		j.keys[i] = append(jsontext.Append(k, []byte(c.Name)), ':')
	}
	return j
}

func (j *jsonl) Write(r *Row) error {
	b := j.buf
	for i := range r.cells {
		b = append(b, j.keys[i]...)
		c := r.cells[i]
		switch {
		case !c.set, c.kind == Float && !finite(math.Float64frombits(c.bits)):
			b = append(b, "null"...)
		case c.kind == Text:
			b = jsontext.Append(b, r.Text(i))
		default:
			b = r.appendValue(b, i)
		}
	}
	j.buf = append(b, "}\n"...)
	return j.flushFull()
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
