package vector

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// mtx writes a MatrixMarket file for scipy.io.mmread, Matrix::readMM of R and Julia's MatrixMarket. It has a
// row for each vector and a column for each feature, numbered from 1. Comments before the numbers name the
// rows and the columns:
//
//	%%MatrixMarket matrix coordinate real general
//	%row 1	2	a.mrg#1                    the numbers of the sample's labels, and its name
//	%column 1	(DT the)                   the fragment
//	1 36369 17                           rows, columns, entries
//	1 3 0.4                              row, column, value
//
// The numbers of rows and entries come first in the file, so nothing can be written before Close.
type mtx struct {
	w io.Writer
	o Options
	decimals
	columns
	names, entries *column
	rows, count    uint64
}

// mtxLine is the maximum length of a name in a comment, in bytes, because R reads 1,024 bytes at a time.
const mtxLine = 1000

func newMTX(w io.Writer, o Options) Writer {
	m := &mtx{w: w, o: o, decimals: newDecimals(), columns: columns{scratch: &o.Scratch}}
	m.names, m.entries = m.column("names"), m.column("entries")
	return m
}

func (m *mtx) Write(v *Vector) error {
	if _, err := appendLabels(nil, v.Label); err != nil {
		return err
	}
	m.rows++
	m.count += uint64(len(v.ID))
	m.names.end = appendMTXName(m.names.end, "row", m.rows, v.Label+"\t"+v.Sample)
	for i, id := range v.ID {
		m.entries.end = fmt.Appendf(m.entries.end, "%d %d ", m.rows, id)
		m.entries.end = append(m.append(m.entries.end, v.Value[i]), '\n')
	}
	return m.spill()
}

// appendMTXName appends a comment line with a name. A long name is cut.
func appendMTXName(dst []byte, what string, n uint64, name string) []byte {
	return fmt.Appendf(dst, "%%%s %d\t%s\n", what, n, mtxText(name))
}

// mtxText returns a text in a form for a comment: on one line, and not too long.
func mtxText(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return ' '
		}
		return r
	}, text)
	if len(text) > mtxLine {
		text = strings.ToValidUTF8(text[:mtxLine], "")
	}
	return text
}

func (m *mtx) Close() error { return errors.Join(m.write(), m.remove()) }

func (m *mtx) write() error {
	w := bufio.NewWriterSize(m.w, columnBuffer)
	_, err := fmt.Fprintln(w, "%%MatrixMarket matrix coordinate real general")
	if err == nil {
		err = m.names.copyTo(w, m.scratch)
	}
	var line []byte
	for id := uint32(1); err == nil && m.o.Text != nil && id <= m.o.Features; id++ {
		var text []byte
		if text, err = m.o.Text(id); err == nil {
			line = appendMTXName(line[:0], "column", uint64(id), string(text))
			_, err = w.Write(line)
		}
	}
	if err == nil {
		_, err = fmt.Fprintln(w, m.rows, m.o.Features, m.count)
	}
	if err == nil {
		err = m.entries.copyTo(w, m.scratch)
	}
	return errors.Join(err, w.Flush())
}
