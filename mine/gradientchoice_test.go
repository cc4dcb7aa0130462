package mine

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/gradient"
	"fstore/store"
)

// alternating gives the trees of a source the labels x and y, and some none.
type alternating struct {
	index.Source
	n int
}

func (a *alternating) Next(t *index.Tree) error {
	err := a.Source.Next(t)
	t.Label = []string{"x", "y", "x", "", "y"}[a.n%5]
	a.n++
	return err
}

// alternatingStore holds random trees of two labels.
func alternatingStore(t *testing.T) *store.Store {
	o := options(t, vfs.NewMem(), 0, 0, "stk")
	o.Source = func(s *index.Symbols) (index.Source, error) { return &alternating{Source: newSource(s, 1, 0, 20)}, nil }
	return build(t, o.FS, o)
}

// A dry run has its scratch files in a directory of its own, and leaves none.
func TestGradientScratch(t *testing.T) {
	s := alternatingStore(t)
	const dir = "dry"
	files := 0
	o := SelectOptions{By: byGradient, Memory: 1, Scratch: dir, MaxOrder: at(2)}
	o.Gradient.MinCount = at(uint32(0))
	o.Gradient.Log = func(*gradient.Iteration) error {
		in, err := s.FS().List(dir)
		files += len(in)
		return err
	}
	if _, err := SelectNothing(context.Background(), s, o); err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Error("nothing was in the directory")
	}
	if _, err := s.FS().Stat(dir); err == nil {
		t.Error("the directory is left")
	}
}

// What gradient cannot mean is a ChoiceError.
func TestGradientOptions(t *testing.T) {
	s := alternatingStore(t)
	for name, change := range map[string]func(*SelectOptions){
		"model":        func(o *SelectOptions) { o.Model = "m" },
		"ratio":        func(o *SelectOptions) { o.ThresholdRatio = at(2.0) },
		"sigma":        func(o *SelectOptions) { o.Sigma = at(1.0) },
		"share":        func(o *SelectOptions) { o.NormShare = at(.5) },
		"greedy":       func(o *SelectOptions) { o.Greedy = true },
		"iterations":   func(o *SelectOptions) { o.Gradient.Iterations = -1 },
		"step":         func(o *SelectOptions) { o.Gradient.Step = math.Inf(1) },
		"no step":      func(o *SelectOptions) { o.Gradient.Step = math.NaN() },
		"base":         func(o *SelectOptions) { o.Gradient.Base = math.Inf(-1) },
		"no base":      func(o *SelectOptions) { o.Gradient.Base = math.NaN() },
		"counters":     func(o *SelectOptions) { o.Gradient.Route, o.Gradient.BloomCounters = gradient.Bloom, math.MaxUint64 },
		"counter bits": func(o *SelectOptions) { o.Gradient.Route, o.Gradient.BloomBits = gradient.Bloom, 33 },
	} {
		o := SelectOptions{By: byGradient}
		change(&o)
		var choice *ChoiceError
		if _, err := SelectNothing(context.Background(), s, o); !errors.As(err, &choice) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
