package gradient

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fstore/index"
)

func (l *lists) options(maxOrder int) Options {
	return Options{
		Space: l.space, Symbols: l.syms,
		Tree: func(sample uint32, t *index.Tree) error {
			*t = *l.trees[sample].Clone()
			return nil
		},
		MaxOrder: maxOrder, Iterations: 4, Step: 1,
		FS: vfs.NewMem(), Memory: 1 << 20, Workers: 2, Progress: index.NoProgress{},
	}
}

// Each iteration keeps the fragments that the definition says, for any budget, workers and space. The
// objective falls.
func TestDefinition(t *testing.T) {
	for _, space := range []string{
		"dep", "dep:siblings=adjacent,template=rel+h.upos+m.upos", "dep:siblings=side,template=rel,template=h.upos+m.upos", "dep:siblings=any,template=rel,template=m.form",
		"dep:siblings=any,ordered=false,root-arcs", "dep:siblings=adjacent,root-arcs,template=rel,template=h.form,template=m.upos",
		"poly:degree=3", "poly:root-arcs,template=rel,template=h.form+m.upos", "seq:unit=upos,max-length=3",
	} {
		for seed := range uint64(4) {
			for c := range uint32(5) {
				l := newLists(t, space, seed, 24, 5, 3)
				if seed == 1 {
					for n := range l.trees {
						l.Base = append(l.Base, float64(n*7%4)/4)
					}
				}
				o := l.options(3)
				o.C = c
				for _, update := range []Update{Proximal, Literal} {
					o.Update = update
					if seed%2 == 0 {
						o.Memory, o.Workers = 0, 1
					}
					o.unpacked = seed == 2
					o.Keep = Keep(c % 2)
					o.Route = Route(seed+uint64(c)) % 3
					o.BloomCounters = 50
					t.Run(fmt.Sprint(space, seed, c, update), func(t *testing.T) { compare(t, l, o) })
				}
			}
		}
	}
}

// In classification the candidates are labels, and a feature is a fragment together with a label.
func TestClassification(t *testing.T) {
	for seed := range uint64(4) {
		for c := range uint32(4) {
			l := newLists(t, "dep:siblings=adjacent,template=rel,template=h.upos", seed, 8, 3, 2).labelled(3)
			o := l.options(2)
			o.C = c
			o.Route = Route(seed) % 3
			o.Keep = Keep(c % 2)
			o.BloomCounters = 100
			t.Run(fmt.Sprint(seed, c), func(t *testing.T) { compare(t, l, o) })
		}
	}
}

// compare compares a run with brute force.
func compare(t *testing.T, l *lists, o Options) {
	r, err := Mine(context.Background(), &l.Problem, o)
	if err != nil {
		t.Fatal(err)
	}
	want := l.brute(o)
	measured := cmpopts.IgnoreFields(Iteration{}, "Orders", "MineSeconds", "MergeSeconds", "ScoreSeconds", "SpilledBytes", "MemoryBytes")
	if d := cmp.Diff(want.iterations, r.Iterations, measured); d != "" {
		t.Fatalf("-want +got:\n%s", d)
	}
	for t1, i := range r.Iterations {
		var features []uint64
		for _, x := range i.Orders {
			if x.Candidates != x.Pruned+x.Kept {
				t.Errorf("iteration %d, %+v: %d candidates", t1+1, x, x.Candidates)
			}
			if x.Features > 0 {
				features = append(features, x.Features)
			}
		}
		if d := cmp.Diff(want.orders(want.s[t1]), features); d != "" {
			t.Errorf("iteration %d: -want +got:\n%s", t1+1, d)
		}
		if i.Step > 0 && o.Update == Proximal && i.Objective >= i.Before {
			t.Errorf("iteration %d: %+v", t1+1, i)
		}
	}
	for class := range int(l.Classes) {
		var got []Fragment
		err = r.Each(class, func(f *Fragment) error {
			x := *f
			x.Code = bytes.Clone(f.Code)
			if x.ID == 0 && x.Weight == 0 && o.Keep == KeepFeatures {
				got = append(got, x)
				return nil
			}
			if rec, ok := find(r.Index(class), f.Code); !ok || rec.Out != f.ID {
				t.Fatalf("fragment %d has the id %d", rec.Out, f.ID)
			}
			x.ID = 0
			got = append(got, x)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want.kept(class), got); d != "" {
			t.Errorf("class %d: -want +got:\n%s", class, d)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := o.FS.List(""); err != nil || len(left) > 0 {
		t.Fatal(left, err)
	}
}

// A field of Options that is 0 has the same effect as its default.
func TestDefaults(t *testing.T) {
	l := newLists(t, "dep:siblings=adjacent,template=rel+h.upos+m.upos", 1, 6, 3, 3)
	o := l.options(2)
	o.C, o.Iterations, o.unpacked = 1, DefaultIterations, true
	compare(t, l, o)
	r, err := Mine(context.Background(), &l.Problem, Options{Space: o.Space, Symbols: o.Symbols, Tree: o.Tree, C: 1, MaxOrder: 2, FS: vfs.NewMem(), unpacked: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, want := len(r.Iterations), len(l.brute(o).iterations); got != want {
		t.Errorf("%d iterations, want %d", got, want)
	}
}
