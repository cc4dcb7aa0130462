package main

import (
	"context"
	"slices"

	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/rerank"
	"fstore/mine/learn/svm"
)

// betas are what the logarithm of a tree's probability may count beside the averaged perceptron.
var betas = []float64{0.03, 0.1, 0.3, 1, 3, 10, 30, 100}

// perceptron is a voted and averaged perceptron over a kernel (Collins & Duffy 2001, §4; Freund &
// Schapire 1999): that of package rerank in one chunk.
type perceptron struct{ *rerank.KernelWorker }

// train goes over lists once, in random order. A list's gold tree is learned from with its candidates.
func train(ctx context.Context, k svm.Kernel, x *lists) (*perceptron, error) {
	l := &rerank.Lists{Kind: index.Constituency}
	var trees []*index.Tree // as many as the longest list has; Read fills them again for each list
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
		Options: rerank.Options{Epochs: 1, Workers: 1}, Kernel: k, Chunks: 1, Betas: []float64{0}, Symbols: x.Symbols,
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

// choose sums the counts of what is chosen from lists: of the candidates with the most votes, and
// by each of betas, of those that the averaged perceptron and the logarithm of the probability put
// first. Of equals, the most probable is chosen.
func (p *perceptron) choose(ctx context.Context, b *index.Builder, lists []list) (voted treescore.Counts, averaged []treescore.Counts, err error) {
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
		scores := make([]float64, len(d.Averaged))
		for b, beta := range betas {
			for t := range scores {
				scores[t] = d.Averaged[t] + beta*x.candidates[t].Log
			}
			averaged[b].Add(x.candidates[highest(scores)].counts)
		}
	}
	return voted, averaged, nil
}

// highest is the place of the largest number, of equals the first.
func highest(all []float64) int { return slices.Index(all, slices.Max(all)) }
