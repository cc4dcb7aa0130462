package svmtk

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"fstore/decode/format"
	"fstore/decode/format/internal/brackets"
	"fstore/index"
	"fstore/index/ptk"
)

// Model is the head of a model file of SVM-Light-TK 1.5 for samples with one tree. The decision value of a
// tree x is Σ α·y · K(vector, x) − Threshold, summed over the support vectors.
type Model struct {
	Space     string // the space that option -F names: st, stk, sstbow, or ptk with its μ
	Lambda    float64
	Normalize bool // options -N 1 and 3: the kernel is K(a, b) / √(K(a, a) K(b, b))
	Threshold float64
}

// IsModel says whether a file that starts with head is a model file.
func IsModel(head []byte) bool { return bytes.HasPrefix(format.TrimBOM(head), []byte(modelStart)) }

// ModelReader reads the support vectors of a model file.
type ModelReader struct {
	Model // the kernel, as the head of the file describes it
	r     *Reader
}

// OpenModel reads the head of a model file. The kernel must be a tree kernel without vectors. Any other file
// is an *index.InputError.
func OpenModel(r io.Reader, o format.Options) (*ModelReader, error) {
	m := &ModelReader{r: Open(r, o)}
	line, err := m.r.Lines.Next()
	for err == nil && len(brackets.TrimBlanks(line)) == 0 {
		line, err = m.r.Lines.Next()
	}
	if bad, ok := err.(*format.LineError); ok {
		return nil, m.r.modelError(bad.Msg)
	}
	switch {
	case err == io.EOF:
		return nil, m.r.modelError("no model: the file is empty")
	case err != nil:
		return nil, err
	case !bytes.HasPrefix(line, []byte(modelStart)):
		return nil, m.r.modelError(fmt.Sprintf("%s: expected a model file, which begins with %s", format.Quote(line), modelStart))
	}
	if err := m.r.modelHead(); err != nil {
		return nil, err
	}
	if msg := m.read(); msg != "" {
		return nil, m.r.modelError("the head of the model file: " + msg)
	}
	return m, nil
}

// treeKernels maps the value of option -F to a space.
var treeKernels = map[string]string{"0": "st", "1": "stk", "2": "sstbow", "3": "ptk"}

// read sets the field Model from the head of the file. It returns a message if the head is wrong.
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
		m.Normalize = true
	default:
		return fmt.Sprintf("-N %q: expected 0, 1, 2 or 3", n)
	}
	decay := func(letter byte) (x float64, msg string) {
		x, ok := format.Decimal([]byte(in.parameter[letter]))
		if !ok || !(x > 0 && x <= 1) {
			return 0, fmt.Sprintf("-%c %q: expected a decay above 0, up to 1", letter, in.parameter[letter])
		}
		return x, ""
	}
	var msg string
	if m.Lambda, msg = decay('L'); msg != "" {
		return msg
	}
	m.Space = treeKernels[in.parameter['F']]
	if m.Space == "ptk" {
		mu, msg := decay('M')
		if msg != "" {
			return msg
		}
		m.Space = fmt.Sprintf("ptk:mu=%v", mu)
	}
	var ok bool
	if m.Threshold, ok = format.Decimal([]byte(in.threshold)); !ok {
		return fmt.Sprintf("the threshold %q is no number", in.threshold)
	}
	return ""
}

// Next reads the next support vector into t and returns its weight α·y, or io.EOF after the last. After any
// other error, the file cannot be read further.
//
// A line with several trees is refused if the kernel does not treat them as one forest (options -N and -W).
func (m *ModelReader) Next(t *index.Tree) (weight float64, err error) {
	if err := m.r.Next(t); err != nil {
		return 0, err
	}
	weight, ok := format.Decimal([]byte(t.Label))
	if !ok {
		return 0, m.r.Refuse(fmt.Sprintf("the weight %s is no number: expected one number, α·y", format.Quote([]byte(t.Label))))
	}
	if m.r.trees > 1 && m.r.O.Tree == 0 && (m.Normalize || m.r.model.parameter['W'] != "A") {
		return 0, m.r.Refuse(fmt.Sprintf("%s: expected one, as the kernels of several are not those of a forest under -N %s and -W %s",
			index.Plural(m.r.trees, "tree"), m.r.model.parameter['N'], m.r.model.parameter['W']))
	}
	return weight, nil
}

// AppendHead appends the head of a model file with this number of support vectors. If the kernel is
// normalised, each support vector must be one tree. A space without a kernel in SVM-Light-TK is an error.
func AppendHead(dst []byte, m Model, vectors int) ([]byte, error) {
	name, mu, _ := strings.Cut(m.Space, ":mu=")
	mu = cmp.Or(mu, ptk.Options[0].Default)
	letter := ""
	for f, space := range treeKernels {
		if space == name {
			letter = f
		}
	}
	if letter == "" {
		return dst, fmt.Errorf("SVM-Light-TK has no kernel of space %s", m.Space)
	}
	normalize := "0"
	if m.Normalize {
		normalize = "3"
	}
	return fmt.Appendf(dst, modelHead, modelStart, format.Shortest(m.Lambda), letter, mu, normalize, vectors, vectors+1, format.Shortest(m.Threshold)), nil
}

// modelHead is the head of a model file. SVM-Light-TK expects its lines in this order.
const modelHead = `%s V5.01-TK-1.5
5 # kernel type
3 # kernel parameter -d 
1 # kernel parameter -g 
1 # kernel parameter -s 
1 # kernel parameter -r 
empty# kernel parameter -u 
%s # kernel parameter -L 
1 # kernel parameter -T 
T # kernel parameter -C 
%s # kernel parameter -F 
1 # kernel parameter -S 
%s # kernel parameter -M 
%s # kernel parameter -N 
S # kernel parameter -V 
A # kernel parameter -W 
0 # kernel parameter -U 
0 # highest feature index 
%d # number of training documents 
%d # number of support vectors plus 1 
%s # threshold b, each following line is a SV (starting with alpha*y)
`

// AppendVector appends a support vector with the weight α·y. A tree that the format cannot hold unchanged is
// an error.
func AppendVector(dst []byte, m Model, weight float64, t *index.Tree, s *index.Symbols) ([]byte, error) {
	several := len(t.Nodes) > 0 && int(t.Nodes[0].Size) < len(t.Nodes)
	switch {
	case t.Kind != index.Constituency || !t.OneAlphabet:
		return dst, errors.New("the words and labels of SVM-Light-TK are one alphabet, and the trees of the model are others: a store of svmtk or klp input has such trees")
	case several && m.Normalize:
		return dst, errors.New("a sample of several trees, whose kernel SVM-Light-TK normalises tree by tree")
	case losses(t, s).Names > 0:
		return dst, errors.New("a label or word with a bracket, white space or a mark, which the format has no way to write")
	}
	line := *t
	line.Label, line.Document, line.Comments, line.Vectors = format.Shortest(weight), "", nil, nil
	return Append(dst, &line, s)
}
