package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fstore/bench/pcfg"
	"fstore/index"
	"fstore/index/stk"
	"fstore/index/tag"
	"fstore/mine/learn/rerank"
	"fstore/mine/learn/svm"
)

// random is a random tree over words.
func random(r *rand.Rand, words []string) *pcfg.Tree {
	label := string(rune('A' + r.IntN(3)))
	if len(words) == 1 && r.IntN(4) > 0 {
		return &pcfg.Tree{Label: "t" + label, Word: words[0]}
	}
	t := &pcfg.Tree{Label: label}
	for len(words) > 0 {
		n := 1 + r.IntN(len(words))
		t.Kids = append(t.Kids, random(r, words[:n]))
		words = words[n:]
	}
	return t
}

// randomSplit is a split of random lists.
func randomSplit(r *rand.Rand) *split {
	s := &split{trees: lists{forest: &forest{}}, tags: lists{forest: &forest{}}}
	b := &index.Builder{Symbols: index.NewSymbols()}
	for i := range 60 {
		words := []string{"a", "b", "a", "c", "b"}[:2+r.IntN(4)]
		var parses []pcfg.Parse
		for range 6 {
			parses = append(parses, pcfg.Parse{Tree: random(r, words)})
		}
		gold := random(r, words)
		s.trees.add(ofTrees(b, gold, parses), i < 40, true, s.trees.forest.productions)
		s.tags.add(ofTags(gold, parses), i < 40, true, s.tags.forest.suffixes)
	}
	return s
}

// kernelPair is a kernel as it is here, and as fstore has it.
type kernelPair struct {
	*lists
	here  kernel
	there svm.Kernel
}

// kernels are those of the tables. With their λ sums are exact, so that what is equal is equal in
// both.
func kernels(s *split) map[string]kernelPair {
	const lambda = 0.5
	all := map[string]kernelPair{
		"tags": {&s.tags, kernel{forest: s.tags.forest, lambda: lambda}, svm.Kernel{Space: tag.Space{}, Lambda: lambda}},
	}
	for depth := range 4 {
		all[fmt.Sprintf("depth %d", depth)] = kernelPair{&s.trees, kernel{forest: s.trees.forest, lambda: lambda, depth: depth}, svm.Kernel{Space: stk.Space{MaxDepth: depth}, Lambda: lambda}}
	}
	return all
}

// The differences of kernels are those of fstore's kernels, list by list.
func TestKernels(t *testing.T) {
	s := randomSplit(rand.New(rand.NewPCG(1, 2)))
	b := &index.Builder{Symbols: index.NewSymbols()}
	for name, k := range kernels(s) {
		there := k.there.New(b.Symbols)
		prepare := func(t *pcfg.Tree) any {
			p, err := there.Prepare(indexed(b, t))
			if err != nil {
				panic(err)
			}
			return p
		}
		for i := range k.dev {
			x, y := &k.dev[i], &k.train[i]
			got := make([]float64, len(x.candidates))
			v := &perceptron{kernel: k.here, entries: map[int32][]entry{}, number: map[int32]int{}}
			v.correct(y.gold.nodes, y.candidates[0].nodes)
			v.each(x.groups, func(d *packedNode, e *entry, c float64) { d.add(got, e.weight*c) })
			score := func(c int) float64 {
				z := prepare(x.candidates[c].Tree)
				return there.Eval(z, prepare(y.gold.Tree)).Float() - there.Eval(z, prepare(y.candidates[0].Tree)).Float()
			}
			for c := range x.candidates {
				if want := score(c) - score(0); math.Abs(got[c]-got[0]-want) > 1e-9 {
					t.Fatalf("%s, list %d: %g, want %g", name, i, got[c]-got[0], want)
				}
			}
		}
	}
}

// Votes and scores are those of package rerank.
func TestPerceptronIsRerank(t *testing.T) {
	ctx := context.Background()
	s := randomSplit(rand.New(rand.NewPCG(3, 4)))
	b := &index.Builder{Symbols: index.NewSymbols()}
	for name, k := range kernels(s) {
		v, err := train(ctx, k.here, k.train)
		if err != nil {
			t.Fatal(err)
		}
		l := &rerank.Lists{Kind: index.Constituency}
		var trees [][]*index.Tree
		for i := range k.train {
			var x rerank.List
			var own []*index.Tree
			for _, c := range append(slices.Clip(k.train[i].candidates), k.train[i].gold) {
				x.Trees = append(x.Trees, rerank.Tree{Counts: c.counts})
				own = append(own, indexed(b, c.Tree))
			}
			x.Trees[len(own)-1].Added = true
			trees = append(trees, own)
			if err := l.Add(x, len(own)-1); err != nil {
				t.Fatal(err)
			}
		}
		m, _, err := rerank.TrainKernel(ctx, l, rerank.KernelOptions{
			Options: rerank.Options{Epochs: 1, Workers: 1}, Kernel: k.there, Chunks: 1, Betas: []float64{0}, Symbols: b.Symbols,
			Read: func(i int) ([]*index.Tree, error) { return trees[i], nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(v.votes) != len(m.Chunks[0]) || len(v.votes) < 10 {
			t.Fatalf("%s: %d corrections, want %d", name, len(v.votes), len(m.Chunks[0]))
		}
		scorer, err := rerank.NewKernelScorer(m, b.Symbols)
		if err != nil {
			t.Fatal(err)
		}
		w := scorer.NewWorker()
		for i := range k.dev {
			votes, mean := v.decide(&k.dev[i])
			for _, c := range k.dev[i].candidates {
				if err := w.Add(indexed(b, c.Tree)); err != nil {
					t.Fatal(err)
				}
			}
			want, err := w.Decide()
			if err != nil {
				t.Fatal(err)
			}
			all := 0.0
			for _, n := range v.votes {
				all += n
			}
			for c := range votes {
				if math.Abs(votes[c]/all-want.Voted[c]) > 1e-9 {
					t.Errorf("%s, list %d: %g of the votes for %d, want %g", name, i, votes[c]/all, c, want.Voted[c])
				}
				if got, want := mean[c]-mean[0], want.Averaged[c]-want.Averaged[0]; math.Abs(got-want) > 1e-9 {
					t.Errorf("%s, list %d: %g more for %d than for the first, want %g", name, i, got, c, want)
				}
			}
		}
	}
}
