package svmtk

import (
	"errors"
	"fmt"
	"strings"

	"fstore/decode/format"
	"fstore/index"
	"fstore/index/ptk"
)

// AppendHead appends the head of a model file of so many support vectors, each of one tree
// where the kernel is normalised. Spaces without a letter of -F are an error.
func AppendHead(dst []byte, m Model, vectors int) ([]byte, error) {
	name, mu, _ := strings.Cut(m.Space, ":mu=")
	if mu == "" {
		mu = ptk.Options[0].Default
	}
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

// modelHead is the head of a model file: SVM-Light-TK reads its lines in this order.
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

// AppendVector appends a support vector, whose weight is α·y. A tree that the format cannot
// hold as it is, is an error.
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
