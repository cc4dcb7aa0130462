package linearize

import (
	"errors"
	"fmt"
	"strconv"

	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
)

// Weight says how the value of a feature is computed.
type Weight string

const (
	Binary      Weight = "binary" // the value is always 1
	Count       Weight = "count"  // number of occurrences in the sample
	KernelValue Weight = "kernel" // the space's own value, see index.Value
	TFIDF       Weight = "tfidf"  // number of occurrences times the inverse document frequency, see idf
)

// Normalize names the number by which a vector is divided.
type Normalize string

const (
	NormalizeNone Normalize = "none"
	NormalizeL2   Normalize = "l2" // the length of the vector itself
	// NormalizeKernel divides the features of each space by √K(t, t) of that space. This is the length of the
	// vector over all fragments of the space, including those that are not stored.
	NormalizeKernel Normalize = "kernel"
)

// Options say how vectors are made of trees.
type Options struct {
	// Features are the feature sets, at least one. The ids of each set follow those of the set before it.
	Features  []FeatureSet
	Weight    Weight    // "" means Binary
	Normalize Normalize // "" means no normalisation
	Lambda    float64
	// Budget limits the work for one tree in each feature set: the number of states visited and, for
	// NormalizeKernel, the number of pairs of its nodes (index.Quadratic). A tree above the limit is an
	// error. 0 means DefaultBudget, and a negative number means no limit. K-best lists that are matched
	// together have a limit in words instead: see package lists.
	Budget int64
	// UnknownLabel is written for a label that the store does not have. If it is "", such a label is an
	// error.
	UnknownLabel string
}

// DefaultBudget is the default of Options.Budget.
const DefaultBudget = index.DefaultBudget

// VectorOptions returns the options for a vector format. The caller sets Scratch and Text.
func (l *Linearizer) VectorOptions() vector.Options {
	o := vector.Options{Features: l.Features(), Vocabulary: fmt.Sprintf("%016x", l.VocabularyHash())}
	for _, name := range l.Numbering.Names {
		number, _ := l.Numbering.Number(name)
		o.Classes = append(o.Classes, vector.Class{Number: number, Name: name})
	}
	return o
}

// ErrDrifted says that the vocabulary is not the one whose hash was given to Expect.
var ErrDrifted = errors.New("the vocabulary has changed")

// Expect returns ErrDrifted if the hash of the vocabulary is not hash, or an *OptionError if hash is not 16
// hexadecimal digits.
func (l *Linearizer) Expect(hash string) error {
	want, err := strconv.ParseUint(hash, 16, 64)
	if err != nil || len(hash) != 16 {
		return read.OptionErrorf("expect", "%q is no vocabulary hash: 16 hexadecimal digits, as info prints them", hash)
	}
	if got := l.VocabularyHash(); got != want {
		return fmt.Errorf("%w: it is %016x, and %016x was expected", ErrDrifted, got, want)
	}
	return nil
}

// FragmentTexts returns a function for vector.Options.Text, for one goroutine. The function keeps all texts
// that it has returned, so its memory grows with the number of different features.
func (l *Linearizer) FragmentTexts() func(id uint32) ([]byte, error) {
	known := map[uint32][]byte{}
	return func(id uint32) (text []byte, err error) {
		text, ok := known[id]
		if !ok {
			if text, err = l.AppendFragment(nil, id); err == nil {
				known[id] = text
			}
		}
		return text, err
	}
}
