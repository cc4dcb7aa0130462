package svmtk

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"fstore/decode/format"
	"fstore/index"
)

// modelStart begins the first line of a model file. Its head ends with the line of
// the threshold; then each line is a support vector, whose label is its weight α·y.
const modelStart = "SVM-light Version"

// model is what the head of a model file says.
type model struct {
	is        bool
	vectors   int // support vectors, those that were refused included; -1 where it does not say
	threshold string
	kernel    string
	parameter map[byte]string // by the letter of the option
}

// modelHead reads the head of a model file, of which the first line has been read.
func (r *Reader) modelHead() error {
	r.model = model{is: true, vectors: -1, parameter: map[byte]string{}}
	for {
		line, err := r.lines.Next()
		switch err.(type) {
		case nil:
		case *format.LineError:
			continue // a comment, or a file name
		default:
			if err != io.EOF {
				return err
			}
			r.model.is = false
			return r.modelError("a model file without a threshold: expected a line that ends with # threshold b before the support vectors")
		}
		text, what, _ := bytes.Cut(line, []byte("#"))
		value := string(bytes.TrimSpace(text))
		switch {
		case bytes.HasPrefix(what, []byte(" number of support vectors plus 1")):
			if n, err := strconv.Atoi(value); err == nil {
				r.model.vectors = n - 1
			}
		case bytes.HasPrefix(what, []byte(" kernel type")):
			r.model.kernel = value
		case bytes.HasPrefix(what, []byte(" kernel parameter -")):
			if what = what[len(" kernel parameter -"):]; len(what) > 0 {
				r.model.parameter[what[0]] = value
			}
		case bytes.HasPrefix(what, []byte(" threshold b")):
			r.model.threshold = value
			return nil
		}
	}
}

// modelEnd returns io.EOF, or first an error where support vectors are missing.
func (r *Reader) modelEnd() error {
	m := r.model
	r.model.is = false
	if !m.is || m.vectors < 0 || m.vectors == r.lines.Sentence {
		return io.EOF
	}
	return r.modelError(fmt.Sprintf("the model file ends after %s: expected %d, as its head says",
		index.Plural(r.lines.Sentence, "support vector"), m.vectors))
}

func (r *Reader) modelError(msg string) error {
	return &index.InputError{File: r.o.File, Line: r.lines.Number, Msg: msg}
}
