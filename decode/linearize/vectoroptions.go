package linearize

import (
	"errors"
	"fmt"
	"strconv"

	"fstore/decode/read"
	"fstore/decode/vector"
)

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

// FragmentTexts gives the text of features, and keeps what it was asked for: memory grows
// with the features seen. It is for one goroutine.
type FragmentTexts struct {
	l     *Linearizer
	known map[uint32][]byte
}

// FragmentTexts returns one that knows nothing yet.
func (l *Linearizer) FragmentTexts() *FragmentTexts {
	return &FragmentTexts{l: l, known: map[uint32][]byte{}}
}

// Text is Linearizer.AppendFragment, for vector.Options.
func (f *FragmentTexts) Text(id uint32) ([]byte, error) {
	text, ok := f.known[id]
	if !ok {
		var err error
		if text, err = f.l.AppendFragment(nil, id); err != nil {
			return nil, err
		}
		f.known[id] = text
	}
	return text, nil
}
