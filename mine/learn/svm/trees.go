package svm

import (
	"context"
	"errors"
	"math"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/index/restricted"
)

// Config is the kernel of a space, and its options.
type Config struct {
	Space     index.Space
	Lambda    float64
	Normalize bool // divide K(a, b) by √(K(a, a) K(b, b)); the result is 0 if K(a, a) or K(b, b) is 0
	// Fragments are the fragments that the kernel runs over (Suzuki & Isozaki 2005, eq. 2). nil stands for
	// all fragments of the space. The caller must close Fragments after the last evaluation.
	Fragments index.Automaton
}

// New returns an evaluator of the kernel for trees with symbols from s, for one goroutine.
func (k *Config) New(s *index.Symbols) index.Kernel {
	if k.Fragments != nil {
		return restricted.NewKernel(k.Space, k.Fragments, s, k.Lambda)
	}
	return k.Space.NewKernel(s, k.Lambda)
}

// ScaleOf returns the factor 1/√K(t, t) of a tree t in normalised kernels, or 1 without normalisation. `self`
// is K(t, t). If `normal` is false, a float64 cannot hold the factor without loss.
func (k *Config) ScaleOf(self index.Number) (scale float64, normal bool) {
	const least, most = 1e-300, 1e300
	if !k.Normalize {
		return 1, true
	}
	scale = index.Normalized(index.NumberOf(1), self, index.NumberOf(1))
	return scale, self.Mant == 0 || scale >= least && scale <= most
}

// ErrTooLarge says that a kernel value does not fit into a float64.
var ErrTooLarge = errors.New("a kernel value is too large for a float64: normalize the kernel, or lower lambda")

// trees are the prepared trees of a model or of the samples. They are read-only.
type trees struct {
	Config
	syms     *index.Symbols
	prepared []any
	self     []index.Number // K(i, i)
	scale    []float64      // 1/√K(i, i), or 0 if K(i, i) is 0; all 1 without normalisation
	merged   index.Merged   // nil if the kernel cannot merge trees
	extreme  bool           // a scale does not fit a float64, so kernels are evaluated one by one
}

// newTrees returns trees that a kernel from k.New has prepared.
func newTrees(ctx context.Context, k Config, syms *index.Symbols, prepared []any, workers int) (*trees, error) {
	t := &trees{
		Config: k, syms: syms, prepared: prepared,
		self: make([]index.Number, len(prepared)), scale: make([]float64, len(prepared)),
	}
	err := parallel(ctx, len(prepared), workers, func() func(i int) error {
		kernel := t.New(syms)
		return func(i int) error {
			t.self[i] = kernel.Eval(prepared[i], prepared[i])
			return nil
		}
	})
	if err != nil {
		return nil, err
	}
	for i, self := range t.self {
		var normal bool
		t.scale[i], normal = t.ScaleOf(self)
		t.extreme = t.extreme || !normal
	}
	if m, ok := t.New(syms).(index.Merging); ok {
		t.merged = m.Merge(prepared)
	}
	return t, nil
}

// diagonal returns the kernel of tree i with itself.
func (t *trees) diagonal(i int) float64 {
	switch {
	case !t.Normalize:
		return t.self[i].Float()
	case t.self[i].Mant == 0:
		return 0
	}
	return 1
}

// parallel calls f(i) for each i < n, in several goroutines. Each goroutine gets its own f from newWork.
func parallel(ctx context.Context, n, workers int, newWork func() func(i int) error) error {
	workers = min(index.Workers(workers), n)
	pool, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		pool.Go(func() error {
			f := newWork()
			for i := w; i < n; i += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := f(i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return pool.Wait()
}

// evaluator evaluates the kernel of one tree with all trees, for one goroutine.
type evaluator struct {
	t       *trees
	kernel  index.Kernel
	merging index.Merging // nil if nothing is merged
	sums    []float64
}

func (t *trees) newEvaluator() *evaluator {
	e := &evaluator{t: t, kernel: t.New(t.syms)}
	if t.merged != nil {
		e.merging = e.kernel.(index.Merging)
		e.sums = make([]float64, t.merged.Components())
	}
	return e
}

// against sets e.sums to the result of Merging.Sums for x. It returns false if the trees are not merged, or
// if a float64 cannot hold a result.
func (e *evaluator) against(x any, self index.Number) bool {
	if _, normal := e.t.ScaleOf(self); e.merging == nil || e.t.extreme || !normal {
		return false
	}
	e.merging.Sums(e.sums, e.t.merged, x)
	sum := 0.0
	for _, s := range e.sums {
		sum += s
	}
	return !math.IsInf(sum, 0) && !math.IsNaN(sum)
}

// value returns the kernel of x with tree i.
func (e *evaluator) value(i int, x any, self index.Number) float64 {
	k := e.kernel.Eval(x, e.t.prepared[i])
	if e.t.Normalize {
		return index.Normalized(k, self, e.t.self[i])
	}
	return k.Float()
}

// row sets dst[i] to the kernel of x with tree i, for all trees. The only possible error is ErrTooLarge.
func (e *evaluator) row(dst []float64, x any, self index.Number) error {
	if !e.against(x, self) {
		for i := range dst {
			if dst[i] = e.value(i, x, self); math.IsInf(dst[i], 0) {
				return ErrTooLarge
			}
		}
		return nil
	}
	scale, _ := e.t.ScaleOf(self)
	for i := range dst {
		if dst[i] = index.SumOf(e.t.merged, e.sums, i) * e.t.scale[i] * scale; math.IsInf(dst[i], 0) {
			return ErrTooLarge
		}
	}
	return nil
}
