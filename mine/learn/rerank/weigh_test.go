package rerank

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/crossval"
)

// columnLists returns lists whose candidates have three columns. The second column marks a candidate: the
// right one, or in a third of the lists a random one. The first and the third column are noise.
func columnLists(n int) *Lists {
	r := rand.New(rand.NewPCG(3, 4))
	l := &Lists{Kind: index.Dependency, Columns: []Column{{"score", "score", 0}, {"good", "good", 0}, {"noise", "noise", 0}}}
	for range n {
		var x List
		right := r.IntN(3)
		says := right
		if r.IntN(3) == 0 {
			says = r.IntN(3)
		}
		for t := range 3 {
			c := treescore.Counts{Gold: 4, Predicted: 4, Unlabelled: 2, Labelled: 1}
			if t == right {
				c.Unlabelled, c.Labelled = 4, 4
			}
			good := 0.0
			if t == says {
				good = 7
			}
			base := r.Float64()
			x.Trees = append(x.Trees, Tree{Base: base, Counts: c, Beside: []float64{base, good, r.NormFloat64()}})
		}
		if err := l.Add(x, right); err != nil {
			panic(err)
		}
	}
	return l
}

// TestGradient compares the gradient with difference quotients of the expected errors.
func TestGradient(t *testing.T) {
	l := columnLists(20)
	d := newCandidateRows(l, crossval.UpTo(20), columns{0, 1, 2}, nil)
	loss := func(w []float64) float64 {
		sum, from := 0.0, 0
		for _, end := range d.end {
			all, expected := 0.0, 0.0
			for k := from; k < end; k++ {
				p := math.Exp(inner(w, d.rows[k*d.width:]))
				all += p
				expected += p * d.costs[k]
			}
			sum += expected / all / float64(len(d.end))
			from = end
		}
		for _, x := range w {
			sum += ridge / 2 * x * x
		}
		return sum
	}
	w := []float64{0.3, -0.5, 0.2, 0}
	g := make([]float64, 4)
	d.gradient(g, w)
	for c := range 3 {
		const h = 1e-6
		w[c] += h
		up := loss(w)
		w[c] -= 2 * h
		down := loss(w)
		w[c] += h
		if want := (up - down) / (2 * h); math.Abs(g[c]-want) > 1e-6 {
			t.Errorf("column %d: %g, want %g", c, g[c], want)
		}
	}
}

// TestColumnsAreChosen: the informative column is chosen, and the noise is not.
func TestColumnsAreChosen(t *testing.T) {
	l := columnLists(300)
	folds, err := crossval.Random(300, 5, 0)
	if err != nil {
		t.Fatal(err)
	}
	var terms [][]Term
	for _, workers := range []int{1, 4} {
		w := Weighing{Lists: l, Folds: folds, Workers: workers}
		trials, epochs, err := w.ByEpoch(context.Background(), []Scores{newScores(l)})
		if err != nil || epochs != 1 || trials[0].Counts.UF1() < 0.8 {
			t.Fatal(trials, epochs, err)
		}
		found, vectors := w.Learn(newScores(l))
		if vectors || len(found) != 2 || found[1].Name != "good" || !(found[1].Weight > 0) {
			t.Errorf("%v, %v", found, vectors)
		}
		terms = append(terms, found)
	}
	for i, x := range terms[0] {
		if x != terms[1][i] {
			t.Errorf("%v with one worker, and %v with four", x, terms[1][i])
		}
	}
}
