package main

import (
	"context"
	"math/rand/v2"

	"fstore/bench/pcfg"
	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/rerank"
	"fstore/mine/learn/svm"
)

// The proportions of the paper (§4): sentences, candidates of a list, and of them those that are
// learned from.
const (
	trainSentences = 800
	devSentences   = 200
	testSentences  = 336
	bestTrees      = 100
	learnedTrees   = 20
)

// list is the candidates of a sentence, the most probable first.
type list struct {
	gold    *pcfg.Tree
	parses  []pcfg.Parse
	trees   []*index.Tree
	counts  []treescore.Counts
	own     *index.Tree // the gold tree
	counted treescore.Counts
	found   bool // the grammar has a tree of it
}

// split is a division of the treebank, parsed by the grammar of some of it.
type split struct {
	syms   *index.Symbols
	train  []list // that the grammar is of
	tests  []list
	sample [][]int // of train: the candidates that are learned from
}

// newSplit parses sentences by the grammar of the first ones.
func newSplit(ctx context.Context, train, tests []*pcfg.Tree, seed uint64) (*split, error) {
	s := &split{syms: index.NewSymbols()}
	b := &index.Builder{Symbols: s.syms}
	g := pcfg.New(train)
	score := treescore.New(treescore.Options{})
	r := rand.New(rand.NewPCG(seed, 1))
	for i, t := range append(append([]*pcfg.Tree(nil), train...), tests...) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x := list{gold: t, own: indexed(b, t)}
		x.parses, x.found = g.Parse(words(t), bestTrees)
		score.SetGold(x.own, s.syms)
		x.counted = score.Count(x.own, s.syms)
		for _, p := range x.parses {
			x.trees = append(x.trees, indexed(b, p.Tree))
			x.counts = append(x.counts, score.Count(x.trees[len(x.trees)-1], s.syms))
		}
		if i >= len(train) {
			s.tests = append(s.tests, x)
			continue
		}
		s.train = append(s.train, x)
		some := r.Perm(len(x.trees))
		s.sample = append(s.sample, some[:min(learnedTrees, len(some))])
	}
	return s, nil
}

// lists are what is learned from: of each sentence some candidates, and the gold tree.
func (s *split) lists() (*rerank.Lists, func(i int) ([]*index.Tree, error), error) {
	l := &rerank.Lists{Kind: index.Constituency}
	trees := make([][]*index.Tree, len(s.train))
	for i := range s.train {
		x := &s.train[i]
		var y rerank.List
		for _, c := range s.sample[i] {
			y.Trees = append(y.Trees, rerank.Tree{Base: x.parses[c].Log, Counts: x.counts[c]})
			trees[i] = append(trees[i], x.trees[c])
		}
		y.Trees = append(y.Trees, rerank.Tree{Counts: x.counted, Added: true})
		trees[i] = append(trees[i], x.own)
		if err := l.Add(y, len(y.Trees)-1); err != nil {
			return nil, nil, err
		}
	}
	return l, func(i int) ([]*index.Tree, error) { return trees[i], nil }, nil
}

// voted trains a voted perceptron of so many passes, and sums what it chooses from the lists of
// tests.
func (s *split) voted(ctx context.Context, k svm.Kernel, passes int) (sum treescore.Counts, err error) {
	l, read, err := s.lists()
	if err != nil {
		return sum, err
	}
	m, _, err := rerank.TrainKernel(ctx, l, rerank.KernelOptions{
		Options: rerank.Options{Epochs: passes, Workers: 1}, Kernel: k, Chunks: 1, Betas: []float64{0}, Read: read, Symbols: s.syms,
	})
	if err != nil {
		return sum, err
	}
	scorer, err := rerank.NewKernelScorer(m, s.syms)
	if err != nil {
		return sum, err
	}
	w := scorer.NewWorker()
	for i := range s.tests {
		for _, t := range s.tests[i].trees {
			if err := w.Add(t); err != nil {
				return sum, err
			}
		}
		d, err := w.Decide()
		if err != nil {
			return sum, err
		}
		sum.Add(s.tests[i].counts[first(d.Voted)])
	}
	return sum, ctx.Err()
}

// first is the place of the largest number, of equals the first.
func first(all []float64) (at int) {
	for i, x := range all {
		if x > all[at] {
			at = i
		}
	}
	return at
}

// base sums the first candidates of tests, and the best of each.
func (s *split) base() (base, oracle treescore.Counts, failed int) {
	for i := range s.tests {
		x := &s.tests[i]
		base.Add(x.counts[0])
		oracle.Add(x.counts[treescore.Oracle(index.Constituency, x.counts)])
		if !x.found {
			failed++
		}
	}
	return base, oracle, failed
}
