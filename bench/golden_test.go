package bench

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"fstore/decode/read"
	"fstore/index"
	"fstore/index/spaces"
)

// The kernels are the same as in SVM-Light-TK 1.5. The relative tolerance is 1e-5, because it computes with
// about the precision of a float.
func TestKernelsAreSVMLightTKs(t *testing.T) {
	for _, c := range []struct{ trees, values string }{
		{"golden/small.mrg", "golden/small.kernels.tsv"},
		{"golden/grct25.svmtk", "golden/grct25.kernels.tsv.gz"},
		{"golden/loct40.svmtk", "golden/loct40.kernels.tsv.gz"},
	} {
		t.Run(c.trees, func(t *testing.T) {
			trees, s := readAll(t, c.trees)
			kernels := map[string]index.Kernel{}
			prepared := map[string][]any{}
			checked := 0
			for line := range bytes.Lines(text(t, c.values)) {
				var space string
				var lambda, want, wantNorm float64
				var i, j int
				fields := strings.ReplaceAll(string(line), "\t", " ")
				if n, _ := fmt.Sscan(fields, &space, &lambda, &i, &j, &want, &wantNorm); n < 6 {
					continue // this line is the header
				}
				req, err := spaces.Parse(space)
				if err != nil {
					t.Fatal(err)
				}
				id := fmt.Sprint(space, lambda)
				if kernels[id] == nil {
					kernels[id] = req.Space.NewKernel(s, lambda)
					for _, tree := range trees {
						p, err := kernels[id].Prepare(tree)
						if err != nil {
							t.Fatal(err)
						}
						prepared[id] = append(prepared[id], p)
					}
				}
				k, p := kernels[id], prepared[id]
				got := k.Eval(p[i], p[j])
				norm := index.Normalized(got, k.Eval(p[i], p[i]), k.Eval(p[j], p[j]))
				if far(got.Float(), want) || far(norm, wantNorm) {
					t.Errorf("%s λ=%v K(%d,%d) = %v (%v), want %v (%v)", space, lambda, i, j, got.Float(), norm, want, wantNorm)
				}
				checked++
			}
			if t.Logf("%d values", checked); checked == 0 {
				t.Error("no value was checked")
			}
		})
	}
}

// The normalised kernels of consecutive questions are the same as in KeLP. The kernel called sstk in KeLP is
// sstbow here.
func TestKernelsAreKeLPs(t *testing.T) {
	trees, s := readWith(t, "qc/TREC_10.coarse.klp.gz", read.InputOptions{Representation: "grct"})
	req, err := spaces.Parse("sstbow")
	if err != nil {
		t.Fatal(err)
	}
	k := req.Space.NewKernel(s, 0.4)
	prepared := make([]any, len(trees))
	self := make([]index.Number, len(trees))
	for i, tree := range trees {
		if prepared[i], err = k.Prepare(tree); err != nil {
			t.Fatal(err)
		}
		self[i] = k.Eval(prepared[i], prepared[i])
	}
	values := bytes.Fields(text(t, "qc/sstk_scores.txt"))
	if len(values) != len(trees)-1 {
		t.Fatalf("%d values, %d questions", len(values), len(trees))
	}
	for i, value := range values {
		want, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := index.Normalized(k.Eval(prepared[i], prepared[i+1]), self[i], self[i+1]); math.Abs(got-want) > 1e-6 {
			t.Errorf("K(%d,%d) = %v, want %v", i, i+1, got, want)
		}
	}
}

func far(got, want float64) bool { return math.Abs(got-want) > 1e-5*math.Max(math.Abs(want), 1e-12) }
