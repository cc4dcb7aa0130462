// Package vector writes sparse vectors in the formats that trainers read. A format is one file and one line
// of the registry; text.go has svmlight and vw.
//
// Every format has the numbers of a sample's labels, the ids of its features and their values, and the
// sample's name if it has a place for it. Values are float 64 or their shortest decimals: the matrix is the
// same to the last bit in each format. Feature ids are those of the vocabulary, from 1; only npz, which is a
// matrix, counts its columns from 0.
package vector

import (
	"fmt"
	"io"
	"strings"

	"fstore/decode/format"
	"fstore/decode/jsontext"
	"fstore/store/runfile"
)

// Vector is one sample's features.
type Vector struct {
	Sample string    // the sample's name
	Label  string    // as svmlight writes it: a number, or several joined by ','
	Line   int       // where the sample starts in its file, from 1; 0 where nobody knows. No format writes it
	ID     []uint32  // 1-based, strictly ascending
	Value  []float64 // of each ID
}

// Writer writes vectors in order. After an error it is good for Discard only.
type Writer interface {
	Write(*Vector) error
	// Flush hands what is complete to the underlying writer. That is nothing before
	// Close in formats whose parts have to be known whole.
	Flush() error
	// Close writes what ends the format. It does not close the underlying writer.
	Close() error
}

// Discarder is implemented by writers that hold more than memory.
type Discarder interface {
	// Discard gives up what Close has not written; after Close it does nothing.
	Discard()
}

// Discard gives up a writer, or does nothing where it holds nothing or is closed.
func Discard(w Writer) {
	if d, ok := w.(Discarder); ok {
		d.Discard()
	}
}

// Format is one line of the registry.
type Format struct {
	Name       string
	Extensions []string // of files, without the dot, beside the name
	Binary     bool     // not fit for a terminal
	Texts      bool     // writes Options.Text
	Named      bool     // writes it whether or not it was asked for
	Stream     string   // the format to write in its place where a reader takes it as it comes: a pipe; "" is this one
	Open       func(w io.Writer, o Options) Writer
}

// Options are what formats may want to know beforehand. Each uses what it has a place
// for.
type Options struct {
	Features   uint32  // the width
	Classes    []Class // the labels there are
	Vocabulary string  // names the set of features, see linearize.Linearizer
	// Text is the text of a feature. Formats that can name features do so where it is
	// given.
	Text func(id uint32) ([]byte, error)
	// Scratch is where npz and mtx, which need it, put what it cannot write yet and memory does not hold.
	Scratch runfile.Dir
}

// Class is a label of the store.
type Class struct {
	Number string // as in Vector.Label
	Name   string
}

// formats are all of them. The first is what is written where nobody says another.
var formats = []Format{
	{Name: "svmlight", Extensions: []string{"svm", "libsvm", "txt", "dat"}, Open: newSVMLight},
	{Name: "vw", Open: newVW},
	{Name: "jsonl", Extensions: []string{"ndjson", "json"}, Texts: true, Open: newJSONL},
	{Name: "msgpack", Binary: true, Open: newMsgpack},
	{Name: "npz", Binary: true, Open: newNPZ},
	{Name: "mtx", Texts: true, Named: true, Open: newMTX},
	{Name: "arrow", Extensions: []string{"feather"}, Binary: true, Stream: "arrows", Open: newArrowFile},
	{Name: "arrows", Binary: true, Open: newArrowStream},
	{Name: "parquet", Binary: true, Open: newParquet},
}

// Formats returns the registry.
func Formats() []Format { return formats }

// Lookup returns the format of a name.
func Lookup(name string) (Format, error) {
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("no vector format %q: there are %s", name, strings.Join(Names(), ", "))
}

// Names returns the registered names.
func Names() (names []string) {
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// appendLabels appends the numbers that a Vector.Label joins by ','.
func appendLabels(dst []float64, joined string) ([]float64, error) {
	for one := range strings.SplitSeq(joined, ",") {
		x, ok := format.Decimal([]byte(one))
		if !ok {
			return dst, fmt.Errorf("label %q is no number", one)
		}
		dst = append(dst, x)
	}
	return dst, nil
}

// attributes are what arrow and parquet say of the whole table, as keys and values.
func (o *Options) attributes() (keys, values []string) {
	classes := []byte{'{'}
	for i, c := range o.Classes {
		if i > 0 {
			classes = append(classes, ',')
		}
		classes = jsontext.Append(classes, []byte(c.Number))
		classes = append(classes, ':')
		classes = jsontext.Append(classes, []byte(c.Name))
	}
	return []string{"n_features", "vocabulary", "classes"},
		[]string{fmt.Sprint(o.Features), o.Vocabulary, string(append(classes, '}'))}
}

// flushAt is how many bytes a format gathers before it writes them.
const flushAt = 64 << 10

// buffered gathers whole records for a writer.
type buffered struct {
	w   io.Writer
	buf []byte
}

// done ends a record, which has been appended to buf.
func (b *buffered) done() error {
	if len(b.buf) >= flushAt {
		return b.Flush()
	}
	return nil
}

func (b *buffered) Flush() error {
	if len(b.buf) == 0 {
		return nil
	}
	_, err := b.w.Write(b.buf)
	b.buf = b.buf[:0]
	return err
}

// Close is Writer's: these formats end where their last record does.
func (b *buffered) Close() error { return b.Flush() }
