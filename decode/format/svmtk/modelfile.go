package svmtk

import (
	"bytes"
	"fmt"
	"io"

	"fstore/decode/format"
	"fstore/decode/format/internal/brackets"
	"fstore/index"
)

// Model is the head of a model file of SVM-Light-TK 1.5, for one tree a line. The
// decision value of a tree x is Σ α·y · K(vector, x) − Threshold.
type Model struct {
	Space     string // of -F: st, stk, sstbow, or ptk with its μ
	Lambda    float64
	Normalize bool // K(a, b) / √(K(a, a) K(b, b)): -N 1 or 3
	Threshold float64
}

// IsModel says whether the first bytes of a file are those of a model file.
func IsModel(head []byte) bool { return bytes.HasPrefix(format.TrimBOM(head), []byte(modelStart)) }

// ModelReader reads a model file.
type ModelReader struct {
	r    *Reader
	head Model
}

// OpenModel reads the head of a model file. A file that is none, or has a kernel that is
// no tree kernel alone, is an *index.InputError.
func OpenModel(r io.Reader, o format.Options) (*ModelReader, error) {
	m := &ModelReader{r: Open(r, o)}
	for {
		line, err := m.r.lines.Next()
		if err == nil && len(brackets.TrimBlanks(line)) == 0 {
			continue
		}
		switch {
		case err == io.EOF:
			return nil, m.r.modelError("no model: the file is empty")
		case err != nil:
			return nil, m.bad(err)
		case !bytes.HasPrefix(line, []byte(modelStart)):
			return nil, m.r.modelError(fmt.Sprintf("%s: expected a model file, which begins with %s", format.Quote(line), modelStart))
		}
		break
	}
	if err := m.r.modelHead(); err != nil {
		return nil, m.bad(err)
	}
	if msg := m.read(); msg != "" {
		return nil, m.r.modelError("the head of the model file: " + msg)
	}
	return m, nil
}

// bad makes an input error of what is wrong with a line.
func (m *ModelReader) bad(err error) error {
	if line, ok := err.(*format.LineError); ok {
		return m.r.modelError(line.Msg)
	}
	return err
}

// treeKernels are the spaces of -F.
var treeKernels = map[string]string{"0": "st", "1": "stk", "2": "sstbow", "3": "ptk"}

// read fills the head, and says what is wrong with it.
func (m *ModelReader) read() string {
	in := &m.r.model
	switch {
	case in.kernel != "5" || in.parameter['C'] != "T":
		return fmt.Sprintf("kernel type %q, combination %q: expected 5 and T, a tree kernel without vectors", in.kernel, in.parameter['C'])
	case treeKernels[in.parameter['F']] == "":
		return fmt.Sprintf("-F %q: expected 0, 1, 2 or 3", in.parameter['F'])
	}
	switch n := in.parameter['N']; n {
	case "0", "2":
	case "1", "3":
		m.head.Normalize = true
	default:
		return fmt.Sprintf("-N %q: expected 0, 1, 2 or 3", n)
	}
	var ok bool
	if m.head.Lambda, ok = format.Decimal([]byte(in.parameter['L'])); !ok || !(m.head.Lambda > 0 && m.head.Lambda <= 1) {
		return fmt.Sprintf("-L %q: expected a decay above 0, up to 1", in.parameter['L'])
	}
	m.head.Space = treeKernels[in.parameter['F']]
	if m.head.Space == "ptk" {
		mu, ok := format.Decimal([]byte(in.parameter['M']))
		if !ok || !(mu > 0 && mu <= 1) {
			return fmt.Sprintf("-M %q: expected a decay above 0, up to 1", in.parameter['M'])
		}
		m.head.Space = fmt.Sprintf("ptk:mu=%v", mu)
	}
	if m.head.Threshold, ok = format.Decimal([]byte(in.threshold)); !ok {
		return fmt.Sprintf("the threshold %q is no number", in.threshold)
	}
	return ""
}

// Head is what the file says of its kernel.
func (m *ModelReader) Head() Model { return m.head }

// Next reads the next support vector into t, and returns its weight α·y; io.EOF after the
// last. Any other error ends the file.
//
// A line with several trees is refused where its kernel is no kernel of the forest: -N
// divides the kernel of each two trees, and -W S adds up those in the same place only.
func (m *ModelReader) Next(t *index.Tree) (weight float64, err error) {
	if err := m.r.Next(t); err != nil {
		return 0, err
	}
	weight, ok := format.Decimal([]byte(t.Label))
	if !ok {
		return 0, m.r.lines.Refuse(fmt.Sprintf("the weight %s is no number: expected one number, α·y", format.Quote([]byte(t.Label))))
	}
	if m.r.trees > 1 && m.r.o.Tree == 0 && (m.head.Normalize || m.r.model.parameter['W'] != "A") {
		return 0, m.r.lines.Refuse(fmt.Sprintf("%s: expected one, as the kernels of several are not those of a forest under -N %s and -W %s",
			index.Plural(m.r.trees, "tree"), m.r.model.parameter['N'], m.r.model.parameter['W']))
	}
	return weight, nil
}
