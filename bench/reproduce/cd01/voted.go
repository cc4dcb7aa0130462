package main

import (
	"context"
	"math"
	"math/rand/v2"

	"fstore/index"
	"fstore/index/treescore"
)

// betas are what the logarithm of a tree's probability may count beside the kernel.
var betas = []float64{0, 0.1, 0.3, 1, 3, 10}

// voted is a voted perceptron over a kernel (Collins & Duffy 2001, §4; Freund & Schapire 1999): that
// of package rerank in one chunk. That one takes a candidate at a time, this one a list.
type voted struct {
	kernel
	steps []step
}

// step is a correction: until the next, scores are those before and K(·, others), and the
// perceptron has put the gold trees of votes lists first, this one counted.
type step struct {
	others []counted // the gold tree less the one that was in front of it
	votes  float64
}

// train goes over lists once, in random order. A list has its gold tree last.
func train(ctx context.Context, k kernel, lists []list) (*voted, error) {
	v := &voted{kernel: k}
	for _, i := range rand.New(rand.NewPCG(0, 0)).Perm(len(lists)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x := &lists[i]
		scores := make([]float64, len(x.candidates)+1)
		v.open(x.packed)
		for _, s := range v.steps {
			v.add(scores, s.others)
		}
		gold, other := len(x.candidates), -1
		for t := range x.candidates {
			if x.candidates[t].counts.Cost(index.Constituency) > 0 && (other < 0 || scores[t] > scores[other]) {
				other = t
			}
		}
		switch {
		case other >= 0 && scores[other] >= scores[gold]:
			v.steps = append(v.steps, step{difference(x.gold.nodes, x.candidates[other].nodes), 1})
		case len(v.steps) > 0:
			v.steps[len(v.steps)-1].votes++
		}
	}
	return v, nil
}

// choose sums, by each of betas, the counts of the candidates with the most votes, of equals the
// most probable.
func (v *voted) choose(ctx context.Context, lists []list) ([]treescore.Counts, error) {
	sums := make([]treescore.Counts, len(betas))
	for i := range lists {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x := &lists[i]
		n := len(x.candidates)
		scores, front := make([]float64, n), make([]int, len(betas))
		votes := make([][]float64, len(betas))
		for b := range votes {
			votes[b] = make([]float64, n)
		}
		v.open(x.packed)
		for _, s := range v.steps {
			if v.add(scores, s.others) {
				x.front(front, scores)
			}
			for b, at := range front {
				votes[b][at] += s.votes
			}
		}
		for b := range betas {
			sums[b].Add(x.candidates[highest(votes[b])].counts)
		}
	}
	return sums, nil
}

// front sets dst, by each of betas, to the candidate with the highest score, of equals the most
// probable.
func (x *list) front(dst []int, scores []float64) {
	for b, beta := range betas {
		at, most := 0, math.Inf(-1)
		for t := range scores {
			if s := scores[t] + beta*x.candidates[t].Log; s > most {
				at, most = t, s
			}
		}
		dst[b] = at
	}
}

// highest is the place of the largest number, of equals the first.
func highest(all []float64) (at int) {
	for i, x := range all {
		if x > all[at] {
			at = i
		}
	}
	return at
}
