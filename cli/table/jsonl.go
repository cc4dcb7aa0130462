package table

import (
	"io"
	"math"
	"unicode/utf8"
)

// jsonl writes one object a row, its keys in column order: numbers as numbers,
// an unset cell and what JSON has no number for (NaN, infinities) as null.
type jsonl struct {
	w    io.Writer
	keys [][]byte // `{"a":`, `,"b":`, …
	buf  []byte
}

func newJSONL(w io.Writer, columns []Column, _ Options) Writer {
	j := &jsonl{w: w, keys: make([][]byte, len(columns))}
	for i, c := range columns {
		k := []byte{','}
		if i == 0 {
			k[0] = '{'
		}
		j.keys[i] = append(appendJSONString(k, []byte(c.Name)), ':')
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
			b = appendJSONString(b, r.Text(i))
		default:
			b = r.appendValue(b, i)
		}
	}
	j.buf = append(b, "}\n"...)
	if len(j.buf) < flushAt {
		return nil
	}
	return j.Flush()
}

func (j *jsonl) Close() error { return j.Flush() }

// Flush is Flusher's.
func (j *jsonl) Flush() error {
	_, err := j.w.Write(j.buf)
	j.buf = j.buf[:0]
	return err
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// appendJSONString appends text as a JSON string; bytes that are no UTF-8 become
// U+FFFD, as JSON has no way to say them.
func appendJSONString(dst, text []byte) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(text); {
		b := text[i]
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(dst, text[from:i]...)
				dst = append(dst, "\uFFFD"...)
				from = i + 1
			}
			i += n
			continue
		}
		if b >= ' ' && b != '"' && b != '\\' {
			i++
			continue
		}
		dst = append(dst, text[from:i]...)
		switch b {
		case '"', '\\':
			dst = append(dst, '\\', b)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, hex[b>>4], hex[b&15])
		}
		i++
		from = i
	}
	return append(append(dst, text[from:]...), '"')
}
