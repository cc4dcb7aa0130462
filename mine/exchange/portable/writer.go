package portable

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
)

// Writer writes the file of a selection.
type Writer struct {
	w    *bufio.Writer
	line []byte
}

// NewWriter writes the header and returns a writer of the rows.
func NewWriter(w io.Writer, h *Header) (*Writer, error) {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s%s\nspace\t%s\nby\t%s\n", magic, version, h.Space, h.By)
	for _, name := range slices.Sorted(maps.Keys(h.Settings)) {
		value, err := json.Marshal(h.Settings[name])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(b, "setting\t%s\t%s\n", name, value)
	}
	fmt.Fprintf(b, "vocabulary\t%016x\nfragments\t%d\nfragment\tscore\tweight", h.Vocabulary, h.Fragments)
	for _, c := range h.Columns {
		fmt.Fprintf(b, "\t%s", c)
	}
	return &Writer{w: b}, b.WriteByte('\n')
}

// Write writes a fragment. It ignores r.Line.
func (w *Writer) Write(r *Row) error {
	b := append(w.line[:0], r.Fragment...)
	number := func(x float64) { b = strconv.AppendFloat(append(b, '\t'), x, 'g', -1, 64) }
	number(r.Score)
	number(r.Weight)
	for _, x := range r.Stats {
		number(x)
	}
	w.line = append(b, '\n')
	_, err := w.w.Write(w.line)
	return err
}

// Flush writes the rows that are still buffered.
func (w *Writer) Flush() error { return w.w.Flush() }
