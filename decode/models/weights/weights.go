// Package weights reads and writes linear models of other programs: model files of LIBLINEAR, and tables of
// weights. Labels stay as they are in the file.
package weights

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"

	"fstore/decode/format"
	"fstore/index"
	"fstore/mine/learn/linear"
)

// lineLimit is the maximum length of a line, in bytes. Each class takes about twenty bytes of a line.
const lineLimit = 16 << 20

// reader reads lines. Its errors are *index.InputError with file and line.
type reader struct {
	file  string
	lines *format.Lines
}

func newReader(r io.Reader, file string) *reader {
	return &reader{file: file, lines: format.NewLines(r, lineLimit)}
}

// next returns the next line that is not blank, or io.EOF after the last.
func (r *reader) next() ([]byte, error) {
	for {
		line, err := r.lines.Next()
		switch err.(type) {
		case nil:
			if len(bytes.TrimSpace(line)) > 0 {
				return line, nil
			}
		case *format.LineError:
			return nil, r.error(err.Error())
		default:
			return nil, err
		}
	}
}

func (r *reader) error(msg string) error {
	return &index.InputError{File: r.file, Line: r.lines.Number, Msg: msg, Fatal: true}
}

func feature(text []byte) (uint32, bool) {
	id, err := strconv.ParseUint(string(text), 10, 32)
	return uint32(id), err == nil && id < math.MaxUint32
}

type entry struct {
	id     uint32
	class  int
	weight float64
	line   int
}

// fill sets the weights of m. It returns an entry that repeats an id and class, if there is one.
func fill(m *linear.Model, entries []entry, scores int) (twice *entry) {
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.class, b.class))
	})
	for i := range entries {
		e := &entries[i]
		if i > 0 && entries[i-1].id == e.id && entries[i-1].class == e.class {
			return e
		}
		if n := len(m.ID); n == 0 || m.ID[n-1] != e.id {
			m.ID = append(m.ID, e.id)
			m.Weight = append(m.Weight, make([]float64, scores)...)
		}
		m.Weight[len(m.Weight)-scores+e.class] = e.weight
	}
	return nil
}
