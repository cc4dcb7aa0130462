package svmtk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"fstore/decode/format"
	"fstore/decode/format/internal/brackets"
	"fstore/index"
)

// Reader reads one sample from each line.
type Reader struct {
	brackets.Lines
	trees int // number of trees on this line so far
	model model
}

// Open returns a reader of the lines of r.
func Open(r io.Reader, o format.Options) *Reader { return &Reader{Lines: brackets.OpenLines(r, o)} }

// Next reads the next line into t, see index.Source.
func (r *Reader) Next(t *index.Tree) error {
	line, err := r.NextSample()
	for err == nil && r.Sentence == 1 && bytes.HasPrefix(line, []byte(modelStart)) {
		r.Sentence = 0
		if err := r.modelHead(); err != nil {
			return err
		}
		line, err = r.NextSample()
	}
	switch {
	case err == io.EOF:
		return r.modelEnd()
	case err != nil:
		return err
	}
	return r.Read(t, line, r.line)
}

// line reads a line: a label, then trees, then vectors.
func (r *Reader) line() error {
	if brackets.IsBlank(r.Rest[0]) {
		return errors.New("a space at the start of the line: expected a label")
	}
	label, rest := cutLabel(r.Rest)
	switch {
	case len(label) == 0:
		return errors.New(`the line starts with "|": expected a label`)
	case !isLabel(label):
		return fmt.Errorf("the label %s is no number: expected one such as 1 or -1", format.Quote(label))
	}
	r.T.Label = string(label)
	r.Rest = rest
	r.trees = 0
	if err := r.query(); err != nil {
		return err
	}
	if r.Skip("|BT|") {
		if err := r.forest(); err != nil {
			return err
		}
	}
	if n := r.O.Tree; n > r.trees {
		return fmt.Errorf("%s on the line: expected a tree number %d", index.Plural(r.trees, "tree"), n)
	}
	if err := r.query(); err != nil {
		return err
	}
	return r.vectors()
}

// cutLabel splits off the label of a line, which must not start with white space.
func cutLabel(line []byte) (label, rest []byte) {
	i := bytes.IndexAny(line, brackets.Blanks+"|")
	if i < 0 {
		return line, nil
	}
	return line[:i], line[i:]
}

// isLabel says whether label is one number, or several joined by commas.
func isLabel(label []byte) bool {
	for part := range bytes.SplitSeq(label, []byte(",")) {
		if _, ok := format.Decimal(part); !ok {
			return false
		}
	}
	return true
}

// query reads qid:N if it comes next. N is the number of a ranking, and becomes the document of the sample.
func (r *Reader) query() error {
	if r.T.Document != "" || !r.Skip("qid:") {
		return nil
	}
	id := brackets.Field(r.Rest)
	if !IsQuery(id) {
		return fmt.Errorf("the query %s after qid: is no number: expected a whole one", format.Quote(id))
	}
	r.T.Document = string(id)
	r.Rest = r.Rest[len(id):]
	return nil
}

// IsQuery says whether id is allowed after qid:.
func IsQuery(id []byte) bool { return len(id) > 0 && len(bytes.Trim(id, "0123456789")) == 0 }

// forest reads the trees after the first |BT|, up to |ET|.
func (r *Reader) forest() error {
	for {
		r.trees++
		if err := r.Tree(r.O.Tree == 0 || r.O.Tree == r.trees, isMark); err != nil {
			return fmt.Errorf("tree %d: %w", r.trees, err)
		}
		switch {
		case r.Skip("|BT|"):
		case r.Skip("|ET|"):
			return nil
		case len(r.Rest) == 0:
			return errors.New("no |ET| after the trees: expected |BT| or |ET|")
		default:
			return fmt.Errorf("%s between trees: expected |BT| or |ET|", r.Field())
		}
	}
}

func isMark(b []byte) bool {
	switch string(b) {
	case "|BT|", "|ET|", "|BV|", "|EV|":
		return true
	}
	return false
}

// vectors reads the rest of the line. The |BV| before the first vector can be missing.
func (r *Reader) vectors() error {
	var v *[]index.Feature
	for r.More() {
		switch {
		case r.Rest[0] == '#':
			r.T.Comments = append(r.T.Comments, string(r.Rest))
			r.Rest = nil
		case r.Skip("|EV|"):
			if r.More() && r.Rest[0] != '#' {
				return fmt.Errorf("%s after |EV|: expected the end of the line", r.Field())
			}
		case r.Skip("|BV|"):
			v = r.nextVector()
		default:
			if v == nil {
				v = r.nextVector()
			}
			if err := r.entry(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextVector appends an empty vector to the sample. The pointer is valid until the next call.
func (r *Reader) nextVector() *[]index.Feature {
	n := len(r.T.Vectors)
	if n < cap(r.T.Vectors) {
		r.T.Vectors = r.T.Vectors[:n+1]
		r.T.Vectors[n] = r.T.Vectors[n][:0]
	} else {
		r.T.Vectors = append(r.T.Vectors, nil)
	}
	return &r.T.Vectors[n]
}

// entry reads one feature of the form index:value.
func (r *Reader) entry(v *[]index.Feature) error {
	e := brackets.Field(r.Rest)
	if i := bytes.IndexByte(e, '|'); i > 0 {
		e = e[:i]
	}
	r.Rest = r.Rest[len(e):]
	i, x, found := bytes.Cut(e, []byte{':'})
	id, err := strconv.ParseUint(string(i), 10, 32)
	if !found || err != nil || id == 0 {
		return fmt.Errorf("%s is no feature: expected index:value, with an index from 1", format.Quote(e))
	}
	value, ok := format.Decimal(x)
	if !ok {
		return fmt.Errorf("the value of %s is no number: expected a finite decimal", format.Quote(e))
	}
	if n := len(*v); n > 0 && uint64((*v)[n-1].ID) >= id {
		return fmt.Errorf("index %d follows %d: expected ascending indices", id, (*v)[n-1].ID)
	}
	*v = append(*v, index.Feature{ID: uint32(id), Value: value})
	return nil
}

// modelStart is the start of a model file. The head ends with the line of the threshold. Each line after it
// is a support vector, labelled with its weight α·y.
const modelStart = "SVM-light Version"

// model has the values in the head of a model file.
type model struct {
	is        bool
	vectors   int // number of support vectors, including refused ones; -1 if the file does not say it
	threshold string
	kernel    string
	parameter map[byte]string // option letter → value
}

// modelHead reads the head of a model file from its second line on.
func (r *Reader) modelHead() error {
	r.model = model{is: true, vectors: -1, parameter: map[byte]string{}}
	for {
		line, err := r.Lines.Next()
		switch err.(type) {
		case nil:
		case *format.LineError:
			continue // such a line can only be a comment or a file name
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

// modelEnd returns io.EOF, or another error if support vectors are missing.
func (r *Reader) modelEnd() error {
	m := r.model
	r.model.is = false
	if !m.is || m.vectors < 0 || m.vectors == r.Sentence {
		return io.EOF
	}
	return r.modelError(fmt.Sprintf("the model file ends after %s: expected %d, as its head says",
		index.Plural(r.Sentence, "support vector"), m.vectors))
}

func (r *Reader) modelError(msg string) error {
	return &index.InputError{File: r.O.File, Line: r.Number, Msg: msg}
}
