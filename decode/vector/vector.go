// Package vector writes sparse vectors in the formats that trainers read. Each format has a file here, and a
// line in the variable `formats`. text.go has both svmlight and vw.
//
// Every format has the numbers of a sample's labels, the ids of its features and their values. A format that
// has a place for the name of the sample has the name too. Values are float 64 or their shortest decimals, so
// the matrix is exactly the same in each format. Feature ids count from 1, as in the vocabulary. Only npz,
// which is a matrix, counts its columns from 0.
package vector

import (
	"fmt"
	"io"
	"strings"

	"fstore/decode/format"
	"fstore/decode/jsontext"
	"fstore/store/runfile"
)

// Vector is the features of one sample.
type Vector struct {
	Sample string    // name of the sample
	Label  string    // labels as in svmlight: a number, or several numbers joined by ','
	Line   int       // line of the file on which the sample starts, from 1; 0 if not known; no format writes it
	ID     []uint32  // feature ids from 1, strictly ascending
	Value  []float64 // the value of each feature in ID
}

// Writer writes vectors in order. After an error, only Discard is allowed to be called.
type Writer interface {
	Write(*Vector) error
	// Flush passes complete vectors to the underlying writer. In a format that needs all vectors first, it
	// does nothing, and Close passes the vectors on.
	Flush() error
	// Close writes the rest of the output. It does not close the underlying writer.
	Close() error
}

// Discarder is implemented by writers that keep data in files.
type Discarder interface {
	// Discard deletes the files of a writer that was not closed. After Close it does nothing.
	Discard()
}

// Discard deletes the files of a writer that was not closed, if it has any.
func Discard(w Writer) {
	if d, ok := w.(Discarder); ok {
		d.Discard()
	}
}

// Options are facts that a format needs before the first vector. Each format uses the facts for which it has
// a place.
type Options struct {
	Features   uint32  // the width of the vectors
	Classes    []Class // all labels
	Vocabulary string  // hash of the features, see linearize.Linearizer
	// Text, if not nil, returns the text of a feature, for formats that can name features.
	Text func(id uint32) ([]byte, error)
	// Scratch is a directory for npz and mtx, which write nothing before Close.
	Scratch runfile.Dir
}

// Class is a label of the store, with its number.
type Class struct {
	Number string // in the same form as Vector.Label
	Name   string
}

// appendLabels appends the numbers in a Vector.Label.
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

// attributes returns the facts about the whole table that arrow and parquet write, as keys and values.
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

// flushAt is the number of bytes that a format collects before it writes them.
const flushAt = 64 << 10

// buffered collects whole records for a writer.
type buffered struct {
	w   io.Writer
	buf []byte
}

// done is called after each record. It writes buf to w if buf is large.
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

// Close implements Writer. Nothing follows the last record in these formats.
func (b *buffered) Close() error { return b.Flush() }
