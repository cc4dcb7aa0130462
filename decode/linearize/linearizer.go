// Package linearize makes vectors of trees. The features are fragments of spaces and selections. A [Stream]
// uses several workers and writes the vectors in input order. Start at linearizer.go.
package linearize

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

	"fstore/decode/format"
	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/mine/query"
	"fstore/store"
)

// Linearizer turns trees into sparse vectors over fragments of a store. Each goroutine needs its own Worker.
type Linearizer struct {
	O         Options
	S         *store.Store
	Columns   []*columns
	features  uint32
	Syms      *index.Symbols
	Numbering *read.LabelNumbers // the numbers of the store's labels
}

// New opens the expansion indexes of feature sets. A space or selection that the store does not have is
// store.ErrNotFound. The store must stay open until Close.
func New(s *store.Store, o Options) (*Linearizer, error) {
	o.Weight, o.Normalize = cmp.Or(o.Weight, Binary), cmp.Or(o.Normalize, NormalizeNone)
	o.Budget = cmp.Or(o.Budget, DefaultBudget)
	if o.UnknownLabel != "" {
		if _, ok := format.Decimal([]byte(o.UnknownLabel)); !ok {
			return nil, read.OptionErrorf("unknown-label", "%q is no number", o.UnknownLabel)
		}
	}
	l := &Linearizer{O: o, S: s}
	if err := l.open(); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func (l *Linearizer) open() (err error) {
	names, err := l.S.Labels()
	if err != nil {
		return err
	}
	l.Numbering = read.NumberLabels(names...)
	for _, set := range l.O.Features {
		c, err := openColumns(l.S, set, l.features, l.O.Weight)
		if err != nil {
			return err
		}
		l.Columns = append(l.Columns, c)
		if c.n > math.MaxUint32-1-l.features {
			return errors.New("too many features side by side")
		}
		l.features += c.n
	}
	l.Syms, err = l.symbols()
	return err
}

// symbols returns the symbols of the store that are needed to match the features.
func (l *Linearizer) symbols() (*index.Symbols, error) {
	var live []uint64
	for _, c := range l.Columns {
		if _, ok := c.Space.(index.OfProductions); !ok {
			return l.S.Symbols()
		}
		live = c.X.AddLive(live)
	}
	return l.S.MatchingSymbols(live)
}

// Verify waits until the checksums of the expansion indexes are checked. It returns store.ErrDamaged if
// vectors can be wrong.
func (l *Linearizer) Verify() error {
	for _, c := range l.Columns {
		if err := c.X.Verify(); err != nil {
			return query.DamagedExpansion(l.S, err)
		}
	}
	return nil
}

// Close releases the expansion indexes. No worker may be in use.
func (l *Linearizer) Close() (err error) {
	for _, c := range l.Columns {
		err = errors.Join(err, c.X.Close())
	}
	return err
}

// Features returns the width of the vectors: the largest feature id.
func (l *Linearizer) Features() uint32 { return l.features }

// VocabularyHash returns the hash of the vocabulary. For several feature sets, it is a hash of their hashes.
func (l *Linearizer) VocabularyHash() uint64 {
	if len(l.Columns) == 1 {
		return l.Columns[0].hash
	}
	var all []byte
	for _, c := range l.Columns {
		all = binary.LittleEndian.AppendUint64(all, c.hash)
	}
	return xxh3.Hash(all)
}

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

// Expect returns ErrDrifted if the vocabulary has another hash. A text that is not 16 hexadecimal digits is
// an *OptionError.
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

// Check returns an error if the tree is not of the store's kind.
func (l *Linearizer) Check(t *index.Tree) error {
	m := l.S.Meta()
	return index.CheckSame(m.Kind, m.OneAlphabet, t)
}

// ReaderSymbols returns symbols for one reader of new trees. Symbols that the store does not have are
// forgotten when the next tree starts (index.Symbols.Overlay).
func (l *Linearizer) ReaderSymbols() *index.Symbols { return l.Syms.Overlay() }

func (l *Linearizer) label(joined string) (string, error) {
	number, err := l.Numbering.Numbers(joined, l.O.UnknownLabel)
	if err != nil {
		return "", fmt.Errorf("%w (--unknown-label N writes a number instead)", err)
	}
	return number, nil
}

// EachFeature calls f for each feature, in order of ids. The feature is valid during the call.
func (l *Linearizer) EachFeature(ctx context.Context, f func(*Feature) error) error {
	for _, c := range l.Columns {
		err := c.eachFeature(ctx, l.S, true, func(x *Feature) error {
			x.Value = l.onceValue(c, x)
			return f(x)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// onceValue returns Feature.Value for a feature of c.
func (l *Linearizer) onceValue(c *columns, x *Feature) float64 {
	switch l.O.Weight {
	case TFIDF:
		return c.idf.weightOf(x.ID - c.Base)
	case KernelValue:
		if s, ok := c.Space.(index.Decaying); ok {
			return s.Weight(x.Code, l.Syms, l.O.Lambda)
		}
		return index.Value(c.Space, x.Order, index.Match{Count: 1}, l.O.Lambda)
	}
	return 1
}

// AppendText appends the text of a feature's fragment.
func (l *Linearizer) AppendText(dst []byte, x *Feature) []byte {
	return x.Space.AppendText(dst, x.Code, l.Syms)
}

// AppendFragment appends the text of a feature's fragment, or returns store.ErrNotFound if no feature has the
// id.
func (l *Linearizer) AppendFragment(dst []byte, id uint32) ([]byte, error) {
	i := slices.IndexFunc(l.Columns, func(c *columns) bool { return id > c.Base && id-c.Base <= c.n })
	if i < 0 {
		return dst, fmt.Errorf("feature %d: %w", id, store.ErrNotFound)
	}
	c := l.Columns[i]
	code, err := c.appendCode(nil, l.S, id-c.Base)
	if err != nil {
		return dst, err
	}
	return c.Space.AppendText(dst, code, l.Syms), nil
}

// FragmentTexts returns a function for vector.Options.Text, for one goroutine. The function keeps every text,
// so its memory grows with the number of different features.
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

// Spaces returns the spaces of the feature sets, in order.
func (l *Linearizer) Spaces() (all []index.Space) {
	for i := range l.O.Features {
		all = append(all, l.O.Features[i].Space)
	}
	return all
}

// SupportSetting is the name of the setting in which a model keeps the SupportHash of its training vectors.
const SupportSetting = "support"

// SupportHash returns a hash of the supports by which TFIDF weighs features, or "" without TFIDF. The hash
// changes if a store with the same fragments gets more samples.
func (l *Linearizer) SupportHash() string {
	if l.O.Weight != TFIDF {
		return ""
	}
	h := xxh3.New()
	for _, c := range l.Columns {
		buf := binary.LittleEndian.AppendUint64(nil, math.Float64bits(c.idf.samples))
		for _, df := range c.idf.support {
			buf = binary.LittleEndian.AppendUint32(buf, df)
		}
		h.Write(buf)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
