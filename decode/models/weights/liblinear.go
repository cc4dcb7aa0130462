package weights

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"fstore/decode/format"
	"fstore/index"
	"fstore/mine/learn/linear"
)

// liblinearStart is the start of a model file of LIBLINEAR.
var liblinearStart = []byte("solver_type ")

// IsLIBLINEAR says whether a file that starts with head is a model file of LIBLINEAR.
func IsLIBLINEAR(head []byte) bool { return bytes.HasPrefix(format.TrimBOM(head), liblinearStart) }

// crammerSinger is the only solver that has two columns of weights for two classes. The others have one.
const crammerSinger = "MCSVM_CS"

// classifiers are LIBLINEAR's solvers for classification. Its other solvers are for regression and outliers.
var classifiers = []string{
	"L2R_LR", "L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVC", "L2R_L1LOSS_SVC_DUAL",
	crammerSinger, "L1R_L2LOSS_SVC", "L1R_LR", "L2R_LR_DUAL",
}

type head struct {
	solver   string
	classes  int
	labels   []string
	features uint64
	bias     float64 // the bias; a number below 0 means that there is none
}

// ReadLIBLINEAR reads a model file of LIBLINEAR (its README, "Library Usage"). After the head comes a line
// for each feature and for the bias, with a weight for each class, or one weight for two classes. The labels
// are the numbers in the file. A wrong file is an *index.InputError.
func ReadLIBLINEAR(in io.Reader, file string) (*linear.Model, error) {
	r := newReader(in, file)
	h, err := r.head()
	if err != nil {
		return nil, err
	}
	columns, scores := h.classes, h.classes
	if h.classes == 2 {
		scores = 1 // of two columns, only the first is used
		if h.solver != crammerSinger {
			columns = 1
		}
	}
	rows := h.features
	if h.bias >= 0 {
		rows++
	}
	m := &linear.Model{Labels: h.labels, Features: uint32(h.features)}
	var bias, all []entry
	for n := uint64(1); n <= rows; n++ {
		line, err := r.next()
		if err == io.EOF {
			return nil, r.error(fmt.Sprintf("the file ends after %d lines of weights: expected %d, as its head says", n-1, rows))
		}
		if err != nil {
			return nil, err
		}
		fields := bytes.Fields(line)
		if len(fields) != columns {
			return nil, r.error(fmt.Sprintf("%s: expected %d, as the head says", index.Plural(len(fields), "weight"), columns))
		}
		for k, text := range fields {
			w, ok := format.Decimal(text)
			switch {
			case !ok:
				return nil, r.error(fmt.Sprintf("the weight %s is no number", format.Quote(text)))
			case k >= scores || w == 0:
			case n > h.features:
				bias = append(bias, entry{0, k, w * h.bias, r.lines.Number})
			default:
				all = append(all, entry{uint32(n), k, w, r.lines.Number})
			}
		}
	}
	if _, err := r.next(); err != io.EOF {
		if err == nil {
			err = r.error(fmt.Sprintf("a line after the weights: expected %d of them, as the head says", rows))
		}
		return nil, err
	}
	fill(m, append(bias, all...), scores)
	if err := m.Check(); err != nil {
		return nil, r.error(err.Error())
	}
	return m, nil
}

func (r *reader) head() (*head, error) {
	h := &head{bias: -1}
	seen := map[string]bool{}
	for {
		line, err := r.next()
		if err == io.EOF {
			return nil, r.error("the file ends in the head of the model: expected a line w, and the weights")
		}
		if err != nil {
			return nil, err
		}
		fields := bytes.Fields(line)
		key := string(fields[0])
		if seen[key] {
			return nil, r.error(fmt.Sprintf("a second line %s", key))
		}
		seen[key] = true
		if key == "w" {
			return h, r.check(h)
		}
		if msg := h.set(key, fields[1:]); msg != "" {
			return nil, r.error(msg)
		}
	}
}

// set sets the value of a line in the head. It returns a message if the line is wrong.
func (h *head) set(key string, values [][]byte) (msg string) {
	if key == "label" {
		for _, v := range values {
			if _, err := strconv.Atoi(string(v)); err != nil {
				return fmt.Sprintf("the label %s is no integer", format.Quote(v))
			}
			h.labels = append(h.labels, string(v))
		}
		return ""
	}
	if len(values) != 1 {
		return fmt.Sprintf("%s of %s: expected one", index.Plural(len(values), "value"), format.Quote([]byte(key)))
	}
	text := string(values[0])
	var err error
	switch key {
	case "solver_type":
		h.solver = text
	case "nr_class":
		h.classes, err = strconv.Atoi(text)
	case "nr_feature":
		h.features, err = strconv.ParseUint(text, 10, 32)
	case "bias":
		var ok bool
		if h.bias, ok = format.Decimal(values[0]); !ok {
			err = strconv.ErrSyntax
		}
	default:
		return fmt.Sprintf("%s: expected solver_type, nr_class, label, nr_feature, bias or w", format.Quote([]byte(key)))
	}
	if err != nil {
		return fmt.Sprintf("%s %s: expected a number", key, format.Quote(values[0]))
	}
	return ""
}

func (r *reader) check(h *head) error {
	switch {
	case !slices.Contains(classifiers, h.solver):
		return r.error(fmt.Sprintf("solver_type %s: expected a classifier", format.Quote([]byte(h.solver))))
	case h.classes < 2:
		return r.error("nr_class: expected two classes at least")
	case len(h.labels) != h.classes:
		return r.error(fmt.Sprintf("%s of %d classes", index.Plural(len(h.labels), "label"), h.classes))
	case h.features == 0 || h.features >= math.MaxUint32:
		return r.error("nr_feature: expected the number of features")
	}
	for i, l := range h.labels {
		if slices.Contains(h.labels[:i], l) {
			return r.error("two classes have the label " + l)
		}
	}
	return nil
}
