package rerank

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"

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
	o.Target = cmp.Or(o.Target, TargetGold)
	o.Epochs = cmp.Or(o.Epochs, DefaultEpochs)
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
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
	order := slices.Clone(lists)

	r := rand.New(rand.NewPCG(seed, uint64(epoch)))
	r.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	return order
}

// average is the weights of a perceptron by feature id, and their mean over all steps so far,
// which is w − late/steps: late has each correction as often as it was not there (as in package
// linear).
type average struct {
	w, late []float64
	steps   float64
}

// averageBytes is what an average takes for each feature.
const averageBytes = 16

// scores sets dst to what the mean scores the trees of list i.
func (a *average) scores(dst []float64, r *vectorReader, i int) error {
	late := make([]float64, len(dst))
	if err := errors.Join(r.scores(dst, i, a.w), r.scores(late, i, a.late)); err != nil {
		return err
	}
	for t, x := range late {
		dst[t] -= x / max(a.steps, 1)
	}
	return nil
}

// mean returns the mean, in place of w.
func (a *average) mean() []float64 {
	for j, x := range a.late {
		a.w[j] -= x / max(a.steps, 1)
	}
	return a.w
}

// perceptron trains a structured averaged perceptron (Collins 2002, §2.5; Collins & Duffy
// 2002) on some lists: where a tree that costs more is before the target, the target's
// vector is added to the weights, and that of the first such tree subtracted. After each epoch it
// calls f with what was learned so far, and with the mistakes of the epoch; an epoch without
// mistakes is the last.
func perceptron(ctx context.Context, l *Lists, v *Vectors, lists []int, o Options, f func(epoch int, a *average, mistakes int) error) error {
	a := &average{w: make([]float64, v.Features+1), late: make([]float64, v.Features+1)}
	r := v.reader()
	var scores []float64
	for epoch := range o.Epochs {
		mistakes := 0
		for _, i := range shuffled(lists, o.Seed, epoch) {
			if err := ctx.Err(); err != nil {
				return err
			}
			scores = slices.Grow(scores[:0], len(l.List[i].Trees))[:len(l.List[i].Trees)]
			if err := r.scores(scores, i, a.w); err != nil {
				return err
			}
			tree, target, wrong := o.violator(l, i, func(t int) float64 { return scores[t] })
			if wrong {
				mistakes++
				err := r.difference(i, target, tree, func(ids []uint32, x float64) {
					late := float64(x * a.steps)
					for _, id := range ids {
						a.w[id] += x
						a.late[id] += late
					}
				})
				if err != nil {
					return err
				}
			}
			a.steps++
		}
		if err := f(epoch, a, mistakes); err != nil {
			return err
		}
		if mistakes == 0 {
			break
		}
	}
	return nil
}
