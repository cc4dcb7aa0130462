package decode

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"fstore/decode/format"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/expansion"
	"fstore/mine/query"
	"fstore/store"
)

// Weight says what a feature's value is.
type Weight string

const (
	Binary      Weight = "binary" // 1
	Count       Weight = "count"  // occurrences in the sample
	KernelValue Weight = "kernel" // the space's own value, see index.Space.Value
)

// Normalize says what a vector is divided by.
type Normalize string

const (
	NormalizeNone   Normalize = "none"
	NormalizeL2     Normalize = "l2"     // its own length
	NormalizeKernel Normalize = "kernel" // √K(t, t), the length over all fragments, stored or not
)

// LinearizerOptions are how trees become vectors.
type LinearizerOptions struct {
	Space index.Space // one that the store has
	// Selection names one whose fragments are the features, of Space; "" is all that the
	// store has of it.
	Selection string
	Weight    Weight    // "" is binary
	Normalize Normalize // "" is none
	Lambda    float64
	// Budget bounds the visited states of one tree; more is an index.BudgetError.
	// 0 is DefaultBudget, negative is no bound.
	Budget int64
	// UnknownLabel is what is written for a label that the store does not know;
	// "" makes it an error.
	UnknownLabel string
}

// DefaultBudget is the default of LinearizerOptions.Budget.
const DefaultBudget = index.DefaultBudget

// Linearizer turns trees into sparse vectors over the fragments that a store has
// of one space, or those of a selection. It is safe for concurrent use; each goroutine has a Worker.
type Linearizer struct {
	o      LinearizerOptions
	hash   uint64 // of the vocabulary
	x      *expansion.Index
	syms   *index.Symbols
	labels *LabelNumbers
}

// NewLinearizer opens the expansion index of a space. The store may be closed
// after Close only.
func NewLinearizer(s *store.Store, o LinearizerOptions) (*Linearizer, error) {
	if o.Weight == "" {
		o.Weight = Binary
	}
	if o.Normalize == "" {
		o.Normalize = NormalizeNone
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.UnknownLabel != "" {
		if _, ok := format.Decimal([]byte(o.UnknownLabel)); !ok {
			return nil, optionErrorf("unknown-label", "%q is no number", o.UnknownLabel)
		}
	}
	features, err := featuresOf(s, &o)
	if err != nil {
		return nil, err
	}
	syms, err := s.Symbols()
	if err != nil {
		return nil, err
	}
	names, err := s.Labels()
	if err != nil {
		return nil, err
	}
	x, err := query.OpenExpansion(s, features.expansion, features.n)
	if err != nil {
		return nil, err
	}
	return &Linearizer{o: o, hash: features.hash, x: x, syms: syms, labels: NumberLabels(names)}, nil
}

// features are what a vector is over.
type features struct {
	n         uint32
	hash      uint64
	expansion string // file
}

// featuresOf finds the fragments that the options mean; store.ErrNotFound where the store
// has them not.
func featuresOf(s *store.Store, o *LinearizerOptions) (f features, err error) {
	id, m := o.Space.ID(), s.Meta()
	space := m.Space(id)
	if space == nil {
		return f, fmt.Errorf("space %s: %w", id, store.ErrNotFound)
	}
	if o.Selection == "" {
		return features{space.Features, space.VocabularyHash, space.Expansion}, nil
	}
	sel := m.Selection(o.Selection)
	if sel == nil || sel.Space != space.Number {
		return f, fmt.Errorf("selection %s of space %s: %w", o.Selection, id, store.ErrNotFound)
	}
	return features{sel.Features, sel.VocabularyHash, sel.Expansion}, nil
}

// Close releases the expansion index: no worker may be in use.
func (l *Linearizer) Close() error { return l.x.Close() }

// Features is the width of the vectors: the largest feature id.
func (l *Linearizer) Features() uint32 { return l.x.Features() }

// Value is the value of a feature, of this code, that occurs once and without gaps,
// before any normalisation.
func (l *Linearizer) Value(c index.Code) float64 {
	if l.o.Weight != KernelValue {
		return 1
	}
	if s, ok := l.o.Space.(index.Decaying); ok {
		return s.Weight(c, l.syms, l.o.Lambda)
	}
	return l.o.Space.Value(l.o.Space.Order(c), index.Match{Count: 1}, l.o.Lambda)
}

// VocabularyHash names the vocabulary.
func (l *Linearizer) VocabularyHash() uint64 { return l.hash }

// Labels is the numbering of the store's labels.
func (l *Linearizer) Labels() *LabelNumbers { return l.labels }

// ReaderSymbols returns symbols for one reader of new trees: those of the store,
// and whatever is new in a tree until the next one is begun (index.Symbols.Freeze).
func (l *Linearizer) ReaderSymbols() *index.Symbols {
	s := l.syms.Clone()
	s.Freeze()
	return s
}

// Worker makes vectors, for one goroutine. It allocates nothing once warm, but for
// kernel normalisation.
type Worker struct {
	l       *Linearizer
	match   index.Matcher
	kernel  index.Kernel
	byOrder []float64 // value of one occurrence, by order
}

// NewWorker returns a worker.
func (l *Linearizer) NewWorker() *Worker {
	w := &Worker{l: l, match: l.o.Space.NewMatcher(l.x, l.syms, l.o.Lambda)}
	if l.o.Normalize == NormalizeKernel {
		w.kernel = l.o.Space.NewKernel(l.syms, l.o.Lambda)
	}
	return w
}

// Vector fills v with the features of t, whose symbols are those of the store's
// reader. The label is numbered as the store does.
func (w *Worker) Vector(t *index.Tree, v *vector.Vector) error {
	var err error
	if v.Label, err = w.l.label(t.Label); err == nil {
		err = w.features(t, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.Name, err)
	}
	return nil
}

// label numbers the labels of a sample.
func (l *Linearizer) label(joined string) (string, error) {
	return l.labels.Numbers(joined, l.o.UnknownLabel)
}

// treeError says that a tree has no vector, as it is too large. Other errors are the
// store's.
type treeError struct{ err error }

func (e *treeError) Error() string { return e.err.Error() }
func (e *treeError) Unwrap() error { return e.err }

// features is Vector but for the label. Where the error is a *treeError, other trees are
// no worse for it.
func (w *Worker) features(t *index.Tree, v *vector.Vector) error {
	v.Sample = t.Name
	hits, err := w.match.Match(t, max(w.l.o.Budget, 0))
	if err != nil {
		var over index.BudgetError
		var many *index.OccurrenceError
		if errors.As(err, &over) || errors.As(err, &many) {
			return &treeError{err}
		}
		return err
	}
	v.ID, v.Value = v.ID[:0], v.Value[:0]
	for i := range hits {
		v.ID = append(v.ID, hits[i].ID)
		v.Value = append(v.Value, w.value(&hits[i]))
	}
	return w.normalize(t, v)
}

func (w *Worker) value(h *index.Hit) float64 {
	switch w.l.o.Weight {
	case Binary:
		return 1
	case Count:
		return h.Match.Count
	}
	if h.Match.Count != 1 || h.Match.Weight != 0 {
		return w.l.o.Space.Value(int(h.Order), h.Match, w.l.o.Lambda)
	}
	for int(h.Order) >= len(w.byOrder) {
		w.byOrder = append(w.byOrder, w.l.o.Space.Value(len(w.byOrder), index.Match{Count: 1}, w.l.o.Lambda))
	}
	return w.byOrder[h.Order]
}

func (w *Worker) normalize(t *index.Tree, v *vector.Vector) error {
	switch w.l.o.Normalize {
	case NormalizeL2:
		sum := 0.0
		for _, x := range v.Value {
			sum += float64(x * x)
		}
		if n := math.Sqrt(sum); n > 0 {
			for i := range v.Value {
				v.Value[i] /= n
			}
		}
	case NormalizeKernel:
		p, err := w.kernel.Prepare(t)
		if err != nil {
			return &treeError{err}
		}
		k := w.kernel.Eval(p, p)
		for i, x := range v.Value {
			// K(t, t) may be beyond a float64, so the quotient is taken in one.
			v.Value[i] = index.Normalized(index.NumberOf(x), k, index.NumberOf(1))
		}
	}
	return nil
}

// LabelNumbers is the numbering of a store's labels: numbers stay, others are
// numbered from 1 in byte order (past what is taken), no label is 0.
type LabelNumbers struct {
	Names  []string // in byte order
	number map[string]string
}

// NumberLabels numbers labels.
func NumberLabels(names []string) *LabelNumbers {
	l := &LabelNumbers{Names: slices.Sorted(slices.Values(names)), number: map[string]string{}}
	taken := map[float64]bool{}
	for _, name := range l.Names {
		if x, ok := format.Decimal([]byte(name)); ok {
			l.number[name] = name
			taken[x] = true
		}
	}
	next := 1
	for _, name := range l.Names {
		if l.number[name] != "" {
			continue
		}
		for taken[float64(next)] {
			next++
		}
		l.number[name] = strconv.Itoa(next)
		next++
	}
	return l
}

// Number returns the number of one label; ok is false where the store has no such
// label.
func (l *LabelNumbers) Number(label string) (number string, ok bool) {
	if label == "" {
		return "0", true
	}
	number, ok = l.number[label]
	return number, ok
}

// NumberSamples numbers the labels of samples, which are joined by commas.
func NumberSamples(labels ...[]string) *LabelNumbers {
	names := labelNames{}
	for _, some := range labels {
		for _, joined := range some {
			names.add(joined)
		}
	}
	return names.number()
}

// labelNames are the labels of some samples.
type labelNames map[string]bool

// add adds the labels of a sample, which are joined by commas.
func (n labelNames) add(joined string) {
	store.SplitLabels(joined, func(name string) { n[name] = true })
}

func (n labelNames) number() *LabelNumbers { return NumberLabels(slices.Collect(maps.Keys(n))) }

// ErrUnknownLabel says that an input has a label that the store has not.
var ErrUnknownLabel = errors.New("the store has no such label")

// Numbers returns the numbers of a sample's labels, which are joined by commas, each
// once: "0" where it has none. A label that is not numbered is unknown, or
// ErrUnknownLabel where that is "".
func (l *LabelNumbers) Numbers(joined, unknown string) (string, error) {
	if n, ok := l.Number(joined); ok {
		return n, nil
	}
	var numbers []string
	var err error
	store.SplitLabels(joined, func(name string) {
		n, ok := l.Number(name)
		if !ok {
			if n = unknown; n == "" && err == nil {
				err = fmt.Errorf("label %q: %w", name, ErrUnknownLabel)
			}
		}
		if !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	})
	if err != nil {
		return "", err
	}
	if len(numbers) == 0 {
		return "0", nil
	}
	return strings.Join(numbers, ","), nil
}
