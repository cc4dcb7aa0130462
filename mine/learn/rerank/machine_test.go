package rerank

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fstore/index"
	"fstore/mine/learn/svm"
)

// mergingSpace is a vectorSpace whose kernel merges trees. Each tree is two components, each with half of the
// kernel.
type mergingSpace struct{ vectorSpace }

func (s mergingSpace) NewKernel(*index.Symbols, float64) index.Kernel {
	return mergingKernel{vectorKernel(s.vectorSpace)}
}

type mergingKernel struct{ vectorKernel }

type mergedVectors []any

func (mergingKernel) Merge(prepared []any) index.Merged { return mergedVectors(prepared) }

func (k mergingKernel) Sums(dst []float64, m index.Merged, x any) {
	for i, y := range m.(mergedVectors) {
		half := k.Eval(x, y).Float() / 2
		dst[2*i], dst[2*i+1] = half, half
	}
}

func (m mergedVectors) Components() int { return 2 * len(m) }

func (m mergedVectors) Of(i int) (components, counts []uint32) {
	return []uint32{uint32(2 * i), uint32(2*i + 1)}, []uint32{1, 1}
}

// rounded takes numbers as equal if they differ only by rounding.
var rounded = cmpopts.EquateApprox(1e-9, 1e-12)

// A kernel that merges trees makes the same model and the same decisions as a kernel that does not, also if
// the last corrections do not fill a block.
func TestMerged(t *testing.T) {
	ctx := context.Background()
	for _, normalize := range []bool{false, true} {
		_, _, space, o := kernelCase(5, 3*mergedSteps)
		o.Normalize = normalize
		l, _, _, _ := kernelCase(5, 3*mergedSteps)
		apart, r, err := TrainKernel(ctx, l, o)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(apart.Chunks[0]); n < mergedSteps || n%mergedSteps == 0 {
			t.Fatalf("%d corrections do not test what is merged and what is not", n)
		}
		o.Space = mergingSpace{space}
		merged, rMerged, err := TrainKernel(ctx, l, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, rMerged); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(apart.Chunks, merged.Chunks); diff != "" {
			t.Fatal(diff)
		}
		for i := range l.List {
			trees, err := o.Read(i)
			if err != nil {
				t.Fatal(err)
			}
			var decided [2]Decision
			for k, m := range []*KernelModel{apart, merged} {
				c, err := NewKernelScorer(m, nil)
				if err != nil {
					t.Fatal(err)
				}
				w := c.NewWorker()
				for _, x := range trees {
					if err := w.Add(x); err != nil {
						t.Fatal(err)
					}
				}
				if decided[k], err = w.Decide(); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(decided[0], decided[1], rounded); diff != "" {
				t.Fatalf("list %d: %s", i, diff)
			}
			if i == 50 {
				break
			}
		}
	}
}

// plain is a space whose kernel compares trees one by one.
type plain struct{ index.Space }

func (p plain) NewKernel(s *index.Symbols, lambda float64) index.Kernel {
	return struct{ index.Kernel }{p.Space.NewKernel(s, lambda)}
}

// A kernel that compares merged trees decides as a kernel that compares trees one by one, also if values do
// not fit a float64. If sums are exact, both kernels make the same model and the same votes.
func TestPaired(t *testing.T) {
	ctx := context.Background()
	for _, kernel := range []string{"tag", "dep:siblings=adjacent,template=rel+h.upos+m.upos", "poly:degree=2"} {
		for _, k := range []svm.Config{{Lambda: 0.5}, {Lambda: 0.4, Normalize: true}, {Lambda: 1e100, Normalize: true}} {
			l, o := dependencies(t, kernel)
			o.Epochs, o.Chunks, o.Betas = 3, 2, []float64{1}
			k.Space = o.Space
			o.Config = k
			m, _, err := TrainKernel(ctx, l, o)
			if err != nil {
				t.Fatal(err)
			}
			if n := m.Corrections(); n < 10 {
				t.Fatalf("%s: %d corrections", kernel, n)
			}
			got := decided(t, m, l, o)
			o.Space = plain{o.Space}
			apart, _, err := TrainKernel(ctx, l, o)
			if err != nil {
				t.Fatal(err)
			}
			m.Config = o.Config
			want := decided(t, m, l, o)
			options := cmp.Options{rounded}
			if k.Normalize {
				options = append(options, cmpopts.IgnoreFields(Decision{}, "Voted")) // there are ties in votes
			} else if diff := cmp.Diff(apart.Chunks, m.Chunks); diff != "" {
				t.Fatalf("%s: %s", kernel, diff)
			}
			if diff := cmp.Diff(want, got, options); diff != "" {
				t.Fatalf("%s, λ %g, normalize %v: %s", kernel, k.Lambda, k.Normalize, diff)
			}
		}
	}
}
