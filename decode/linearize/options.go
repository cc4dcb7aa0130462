package linearize

import (
	"errors"
	"fmt"
	"strconv"

	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
)

// Weight says what a feature's value is.
type Weight string

const (
	Binary      Weight = "binary" // 1
	Count       Weight = "count"  // occurrences in the sample
	KernelValue Weight = "kernel" // the space's own value, see index.Value
	TFIDF       Weight = "tfidf"  // occurrences times the inverse document frequency, see idf
)

// Normalize says what a vector is divided by.
type Normalize string

const (
	NormalizeNone Normalize = "none"
	NormalizeL2   Normalize = "l2" // its own length
	// NormalizeKernel divides each feature by √K(t, t) of its space: the length over all
	// fragments of the space, stored or not.
	NormalizeKernel Normalize = "kernel"
)

// Options are how trees become vectors.
type Options struct {
	// Features are sets side by side, at least one: the ids of each follow those of the
	// one before.
	Features  []FeatureSet
	Weight    Weight    // "" is binary
	Normalize Normalize // "" is none
	Lambda    float64
	// Budget bounds the states that one tree visits in each feature set, and the pairs of its nodes for
	// NormalizeKernel (index.Quadratic); more is an error of the tree. 0 is DefaultBudget, negative is no
	// bound. K-best lists that are matched together have a bound in words instead: see listPacks.
	Budget int64
	// UnknownLabel is what is written for a label that the store does not know;
	// "" makes it an error.
	UnknownLabel string
}

// DefaultBudget is the default of Options.Budget.
const DefaultBudget = index.DefaultBudget

// VectorOptions are what a vector format may want to know of a linearizer. Scratch and
// Text are left to the caller.
func (l *Linearizer) VectorOptions() vector.Options {
	o := vector.Options{Features: l.Features(), Vocabulary: fmt.Sprintf("%016x", l.VocabularyHash())}
	for _, name := range l.Numbering.Names {
		number, _ := l.Numbering.Number(name)
		o.Classes = append(o.Classes, vector.Class{Number: number, Name: name})
	}
	return o
}

// ErrDrifted says that the features are not those that were expected.
var ErrDrifted = errors.New("the vocabulary has changed")

// Expect wants the vocabulary to be that of a hash, 16 hexadecimal digits: else ErrDrifted,
// or an *OptionError where it is no hash.
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

// FragmentTexts returns vector.Options.Text, for one goroutine. It keeps what it was asked for: memory
// grows with the features seen.
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
