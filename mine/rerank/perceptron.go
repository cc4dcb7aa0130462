package rerank

import (
	"context"
	"math/rand/v2"

	"fstore/index"
)

// Target is the tree of a list that a learner is to put first.
type Target string

const (
	// TargetGold is the gold tree, whether or not the parser has offered it (Qian & Liu 2015).
	TargetGold Target = "gold"
	// TargetOracle is the candidate that agrees most with it: a gold tree that was not offered
	// is not looked at.
	TargetOracle Target = "oracle"
)

// Options are how a reranker is trained. The zero value of a field is its default.
type Options struct {
	Target Target // "" is TargetGold
	// Augment is what a unit of cost, a wrong arc or bracket, adds to the score of a tree
	// while it is learned from: 0 is a plain perceptron.
	Augment float64
	Epochs  int    // how often all lists are seen, at most; 0 is DefaultEpochs
	Seed    uint64 // of the order of lists, another for each epoch

	Workers  int // 0 is one a processor
	Progress index.Progress
}

// DefaultEpochs is the default of Options.Epochs.
const DefaultEpochs = 10

func (o *Options) setDefaults() {
	if o.Target == "" {
		o.Target = TargetGold
	}
	if o.Epochs == 0 {
		o.Epochs = DefaultEpochs
	}
	if o.Progress == nil {
		o.Progress = index.NoProgress{}
	}
	o.Progress = index.OneAtATime(o.Progress)
}

// violator returns the tree of list i that is first by score and cost, of equals the first in
// place, among those that cost more than the target; wrong says that it is before the
// target. Without cost, it is where both are equal, as at the beginning; with cost, the
// target wins ties.
func (o *Options) violator(l *Lists, i int, score func(t int) float64) (tree, target int, wrong bool) {
	x := &l.List[i]
	target, n := x.gold, len(x.Trees)
	if o.Target == TargetOracle {
		target, n = x.oracle, x.candidates()
	}
	least := l.cost(i, target)
	tree = -1
	var most float64
	for t := range n {
		cost := l.cost(i, t)
		if cost <= least {
			continue
		}
		if s := score(t) + float64(o.Augment*cost); tree < 0 || s > most {
			tree, most = t, s
		}
	}
	if tree < 0 {
		return tree, target, false
	}
	wanted := score(target) + float64(o.Augment*least)
	return tree, target, most > wanted || most == wanted && o.Augment == 0
}

// shuffled returns lists in the order of an epoch.
func shuffled(lists []int, seed uint64, epoch int) []int {
	order := append([]int(nil), lists...)
	r := rand.New(rand.NewPCG(seed, uint64(epoch)))
	r.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	return order
}

// perceptron trains a structured averaged perceptron (Collins 2002, §2.5; Collins & Duffy
// 2002) on some lists: where a tree that costs more is before the target, the target's
// vector is added to the weights, and that of the first such tree subtracted. After each epoch it
// calls f with the mean of the weights over all steps so far, by feature id, and with the
// mistakes of the epoch; an epoch without mistakes is the last.
//
// As in package linear, the mean is w − late/steps, where late has each correction as often
// as it was not there.
func perceptron(ctx context.Context, l *Lists, v *Vectors, lists []int, o Options, f func(epoch int, mean []float64, mistakes int)) error {
	w, late, mean := make([]float64, v.Features+1), make([]float64, v.Features+1), make([]float64, v.Features+1)
	steps := 0.0
	for epoch := range o.Epochs {
		mistakes := 0
		for _, i := range shuffled(lists, o.Seed, epoch) {
			if err := ctx.Err(); err != nil {
				return err
			}
			p := &v.of[i]
			tree, target, wrong := o.violator(l, i, func(t int) float64 { return p.dot(t, w) })
			if wrong {
				mistakes++
				p.add(target, 1, w)
				p.add(tree, -1, w)
				p.add(target, steps, late)
				p.add(tree, -steps, late)
			}
			steps++
		}
		for j := range mean {
			mean[j] = w[j] - late[j]/max(steps, 1)
		}
		f(epoch, mean, mistakes)
		if mistakes == 0 {
			break
		}
	}
	return nil
}
