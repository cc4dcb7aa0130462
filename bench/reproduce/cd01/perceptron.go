package main

import (
	"context"
	"slices"

	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/rerank"
	"fstore/mine/learn/svm"
)

// betas are the weights to choose from for a tree's log probability. The perceptron's score has weight 1.
var betas = []float64{0.03, 0.1, 0.3, 1, 3, 10, 30, 100}

// perceptron is a voted and averaged kernel perceptron (Collins & Duffy 2001, §4; Freund & Schapire 1999).
type perceptron struct{ *rerank.KernelWorker }

// learn trains a perceptron in one pass over the training lists. The gold tree is a candidate of its list.
func learn(ctx context.Context, k svm.Config, x *lists) (*perceptron, error) {
	l := &rerank.Lists{Kind: index.Constituency}
	var trees []*index.Tree // as many as in the longest list; Read reuses them for each list
	for i := range x.train {
		var y rerank.List
		for _, c := range x.train[i].candidates {
			y.Trees = append(y.Trees, rerank.Tree{Counts: c.counts})
		}
		y.Trees = append(y.Trees, rerank.Tree{Counts: x.train[i].gold.counts, Added: true})
		if err := l.Add(y, len(y.Trees)-1); err != nil {
			return nil, err
		}
		for len(trees) < len(y.Trees) {
			trees = append(trees, &index.Tree{})
		}
	}
	m, _, err := rerank.TrainKernel(ctx, l, rerank.KernelOptions{
		Options: rerank.Options{Epochs: 1, Workers: 1}, Config: k, Chunks: 1, Betas: []float64{0}, Symbols: x.Symbols,
		Read: func(i int) (all []*index.Tree, err error) {
			all = trees[:len(x.train[i].candidates)+1]
			for k, c := range x.train[i].candidates {
				indexedInto(all[k], x.Builder, c.Tree)
			}
			indexedInto(all[len(all)-1], x.Builder, x.train[i].gold.Tree)
			return all, nil
		},
	})
	if err != nil {
		return nil, err
	}
	s, err := rerank.NewKernelScorer(m, x.Symbols)
	if err != nil {
		return nil, err
	}
	return &perceptron{s.NewWorker()}, nil
}

// choose returns the counts of the trees chosen by votes. For each of the betas, it also returns the counts
// of the trees with the largest averaged score + beta · log probability.
func (p *perceptron) choose(ctx context.Context, b *index.Builder, lists []sentenceList) (voted treescore.Counts, averaged []treescore.Counts, err error) {
	averaged = make([]treescore.Counts, len(betas))
	var tree index.Tree
	for i := range lists {
		if err := ctx.Err(); err != nil {
			return voted, nil, err
		}
		x := &lists[i]
		for _, c := range x.candidates {
			if err := p.Add(indexedInto(&tree, b, c.Tree)); err != nil {
				return voted, nil, err
			}
		}
		d, err := p.Decide()
		if err != nil {
			return voted, nil, err
		}
		voted.Add(x.candidates[highest(d.Voted)].counts)
		sums := make([]float64, len(d.Averaged))
		for b, beta := range betas {
			for t := range sums {
				sums[t] = d.Averaged[t] + beta*x.candidates[t].Log
			}
			averaged[b].Add(x.candidates[highest(sums)].counts)
		}
	}
	return voted, averaged, nil
}

// highest returns the position of the largest number, the first if several are equal.
func highest(all []float64) int { return slices.Index(all, slices.Max(all)) }
