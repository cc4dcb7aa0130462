package main

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/bench/pcfg"
	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/svm"
)

// random returns a random tree over words.
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

// randomSplit returns a split of random lists.
func randomSplit(r *rand.Rand) *split {
	b := &index.Builder{Symbols: index.NewSymbols()}
	s := &split{trees: lists{Builder: b}, tags: lists{Builder: b}}
	for i := range 60 {
		words := []string{"a", "b", "a", "c", "b"}[:2+r.IntN(4)]
		var parses []pcfg.Parse
		for range 6 {
			parses = append(parses, pcfg.Parse{Tree: random(r, words), Log: -8 * r.Float64()})
		}
		gold := random(r, words)
		s.trees.add(ofTrees(b, gold, parses), i < 40, true)
		s.tags.add(ofTags(gold, parses), i < 40, true)
	}
	return s
}

// correction is a gold tree, the tree that had a higher score, and the number of votes before the next
// correction.
type correction struct {
	gold, other *pcfg.Tree
	votes       float64
}

// sumOf returns what the corrections add to the score of a tree.
func sumOf(k func(a, b *pcfg.Tree) float64, all []correction, t *pcfg.Tree) (sum float64) {
	for _, c := range all {
		sum += k(t, c.gold) - k(t, c.other)
	}
	return sum
}

// The perceptrons of each system of the tables choose as the definitions say. The value of λ makes all sums
// exact.
func TestPerceptron(t *testing.T) {
	ctx := context.Background()
	s := randomSplit(rand.New(rand.NewPCG(3, 4)))
	for _, table := range tables(1) {
		for _, y := range table.systems {
			x := table.of(s)
			y.Lambda = 0.5
			p, err := learn(ctx, y.Config, x)
			if err != nil {
				t.Fatal(err)
			}
			voted, averaged, err := p.choose(ctx, x.Builder, x.dev)
			if err != nil {
				t.Fatal(err)
			}
			k := kernelOf(t, &y.Config, x.Builder)
			all := correct(k, x.train)
			if len(all) < 10 {
				t.Fatalf("%s: %d corrections", table.head, len(all))
			}
			wantVoted, wantAveraged := chosen(k, all, x.dev)
			if d := cmp.Diff([]any{wantVoted, wantAveraged}, []any{voted, averaged}); d != "" {
				t.Errorf("%s %s: %s", table.head, y.name, d)
			}
		}
	}
}

// kernelOf returns a function that evaluates a kernel. It prepares each tree only once.
func kernelOf(t *testing.T, k *svm.Config, b *index.Builder) func(x, y *pcfg.Tree) float64 {
	kernel, known := k.New(b.Symbols), map[*pcfg.Tree]any{}
	prepare := func(x *pcfg.Tree) any {
		if known[x] == nil {
			p, err := kernel.Prepare(indexed(b, x))
			if err != nil {
				t.Fatal(err)
			}
			known[x] = p
		}
		return known[x]
	}
	return func(x, y *pcfg.Tree) float64 { return kernel.Eval(prepare(x), prepare(y)).Float() }
}

// correct trains on the lists once, in random order, and returns the corrections.
func correct(k func(a, b *pcfg.Tree) float64, lists []sentenceList) (all []correction) {
	for _, i := range rand.New(rand.NewPCG(0, 0)).Perm(len(lists)) {
		x := &lists[i]
		var other *pcfg.Tree
		most := sumOf(k, all, x.gold.Tree)
		for _, c := range x.candidates {
			if at := sumOf(k, all, c.Tree); c.counts.Cost(index.Constituency) > 0 && (at > most || at == most && other == nil) {
				other, most = c.Tree, at
			}
		}
		switch {
		case other != nil:
			all = append(all, correction{x.gold.Tree, other, 1})
		case len(all) > 0:
			all[len(all)-1].votes++
		}
	}
	return all
}

// chosen returns the expected result of the method choose. It computes each score as a sum over all
// corrections.
func chosen(k func(a, b *pcfg.Tree) float64, all []correction, lists []sentenceList) (voted treescore.Counts, averaged []treescore.Counts) {
	averaged = make([]treescore.Counts, len(betas))
	for _, x := range lists {
		votes, mean, total := make([]float64, len(x.candidates)), make([]float64, len(x.candidates)), 0.0
		for i, c := range all {
			var scores []float64
			for t := range x.candidates {
				scores = append(scores, sumOf(k, all[:i+1], x.candidates[t].Tree))
				mean[t] += c.votes * scores[t]
			}
			votes[highest(scores)] += c.votes
			total += c.votes
		}
		voted.Add(x.candidates[highest(votes)].counts)
		for b, beta := range betas {
			scores := make([]float64, len(mean))
			for t := range scores {
				scores[t] = mean[t]/total + beta*x.candidates[t].Log
			}
			averaged[b].Add(x.candidates[highest(scores)].counts)
		}
	}
	return voted, averaged
}
