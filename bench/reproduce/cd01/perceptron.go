package main

import (
	"context"
	"math/rand/v2"

	"fstore/index"
	"fstore/index/treescore"
)

// betas are what the logarithm of a tree's probability may count beside the averaged perceptron.
var betas = []float64{0.03, 0.1, 0.3, 1, 3, 10, 30, 100}

// perceptron is a voted and averaged perceptron over a kernel (Collins & Duffy 2001, §4; Freund &
// Schapire 1999): that of package rerank in one chunk. A correction adds K(·, gold tree) - K(·, tree
// in front of it) to all scores, of which only the nodes are left that one of the trees has alone;
// and what a node adds is looked at once, however many corrections have it. So a pass takes seconds.
type perceptron struct {
	kernel
	votes   []float64         // of a correction: of how many lists it put the gold tree first, until the next
	entries map[int32][]entry // by label
	number  map[int32]int     // by node: its place in entries
	parts   []part            // scratch of decide
}

// entry is a node of corrections.
type entry struct {
	node   int32
	weight float64 // of the last machine
	mean   float64 // of the averaged one, when training is over
	at     []change
}

// change is how often a correction adds a node.
type change struct {
	step int
	n    float64
}

// train goes over lists once, in random order. Lists are packed with their gold trees, these last.
func train(ctx context.Context, k kernel, lists []list) (*perceptron, error) {
	v := &perceptron{kernel: k, entries: map[int32][]entry{}, number: map[int32]int{}}
	for _, i := range rand.New(rand.NewPCG(0, 0)).Perm(len(lists)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x := &lists[i]
		scores := make([]float64, len(x.candidates)+1)
		v.each(x.groups, func(d *packedNode, e *entry, c float64) {
			d.add(scores, e.weight*c)
		})
		gold, other := len(x.candidates), -1
		for t := range x.candidates {
			if x.candidates[t].counts.Cost(index.Constituency) > 0 && (other < 0 || scores[t] > scores[other]) {
				other = t
			}
		}
		switch {
		case other >= 0 && scores[other] >= scores[gold]:
			v.correct(x.gold.nodes, x.candidates[other].nodes)
		case len(v.votes) > 0:
			v.votes[len(v.votes)-1]++
		}
	}
	v.average()
	return v, nil
}

// correct adds a correction by two trees' nodes.
func (v *perceptron) correct(gold, other []int32) {
	step := len(v.votes)
	v.votes = append(v.votes, 1)
	for _, x := range difference(gold, other) {
		label := v.label[x.node]
		at, ok := v.number[x.node]
		if !ok {
			at = len(v.entries[label])
			v.number[x.node] = at
			v.entries[label] = append(v.entries[label], entry{node: x.node})
		}
		e := &v.entries[label][at]
		e.weight += x.n
		e.at = append(e.at, change{step, x.n})
	}
}

// average sets the weights of the averaged perceptron: each correction by the share of the votes
// from it on.
func (v *perceptron) average() {
	share := make([]float64, len(v.votes)+1)
	for i := len(v.votes) - 1; i >= 0; i-- {
		share[i] = share[i+1] + v.votes[i]
	}
	for _, all := range v.entries {
		for i := range all {
			for _, c := range all[i].at {
				all[i].mean += c.n * share[c.step] / share[0]
			}
		}
	}
}

// each calls f for the pairs of a list's node and an entry that share a fragment, with C of them.
func (v *perceptron) each(groups []group, f func(d *packedNode, e *entry, c float64)) {
	for _, g := range groups {
		all := v.entries[g.label]
		for i := range all {
			for k := range g.nodes {
				f(&g.nodes[k], &all[i], v.pair(g.nodes[k].node, all[i].node, v.depth))
			}
		}
	}
}

// add adds a number to the scores of the trees that have a node, as often as they have it.
func (d *packedNode) add(scores []float64, x float64) {
	for _, t := range d.trees {
		scores[t.tree] += x * t.n
	}
}

// choose sums the counts of what is chosen from lists: of the candidates with the most votes, and
// by each of betas, of those that the averaged perceptron and the logarithm of the probability put
// first. Of equals, the most probable is chosen.
func (v *perceptron) choose(ctx context.Context, lists []list) (voted treescore.Counts, averaged []treescore.Counts, err error) {
	averaged = make([]treescore.Counts, len(betas))
	for i := range lists {
		if err := ctx.Err(); err != nil {
			return voted, nil, err
		}
		x := &lists[i]
		votes, mean := v.decide(x)
		voted.Add(x.candidates[highest(votes)].counts)
		scores := make([]float64, len(mean))
		for b, beta := range betas {
			for t := range scores {
				scores[t] = mean[t] + beta*x.candidates[t].Log
			}
			averaged[b].Add(x.candidates[highest(scores)].counts)
		}
	}
	return voted, averaged, nil
}

// part is what a correction adds to the scores of the trees that have a node.
type part struct {
	node *packedNode
	x    float64
	next int // part of the same correction: its place; -1: none
}

// decide returns the votes for the candidates of a list, and their scores by the averaged
// perceptron.
func (v *perceptron) decide(x *list) (votes, mean []float64) {
	n := len(x.candidates)
	votes, mean = make([]float64, n), make([]float64, n)
	v.parts = v.parts[:0]
	first := make([]int, len(v.votes)) // part of each correction
	for i := range first {
		first[i] = -1
	}
	v.each(x.groups, func(d *packedNode, e *entry, c float64) {
		d.add(mean, e.mean*c)
		for _, at := range e.at {
			v.parts = append(v.parts, part{d, at.n * c, first[at.step]})
			first[at.step] = len(v.parts) - 1
		}
	})
	scores, front := make([]float64, n), 0
	for i, all := range v.votes {
		for k := first[i]; k >= 0; k = v.parts[k].next {
			v.parts[k].node.add(scores, v.parts[k].x)
		}
		if first[i] >= 0 {
			front = highest(scores)
		}
		votes[front] += all
	}
	return votes, mean
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
