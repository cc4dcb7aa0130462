package rerank

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
)

// mergingSpace is vectorSpace with a kernel that merges trees: each is a component, which it
// has as two halves.
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

// A kernel that merges trees makes the same model, which decides the same, as one that does
// not, whether what is left over is merged or not.
func TestMerged(t *testing.T) {
	ctx := context.Background()
	for _, normalize := range []bool{false, true} {
		_, _, space, o := kernelCase(5, 5*mergedSteps)
		o.Normalize = normalize
		l, _, _, _ := kernelCase(5, 5*mergedSteps)
		apart, r, err := TrainKernel(ctx, l, o)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(apart.Chunks[0]); n < 2*mergedSteps || n%mergedSteps == 0 {
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
			if diff := cmp.Diff(decided[0], decided[1]); diff != "" {
				t.Fatalf("list %d: %s", i, diff)
			}
			if i == 50 {
				break
			}
		}
	}
}
