package rerank

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"fstore/index"
)

// Target names the tree of a list that a learner should put first.
type Target string

const (
	// TargetGold is the gold tree, whether or not the parser has offered it (Qian & Liu 2015).
	TargetGold Target = "gold"
	// TargetOracle is the candidate that agrees best with the gold tree.
	TargetOracle Target = "oracle"
)

// Options say how a reranker is trained. A field that is zero takes its default.
type Options struct {
	Target Target // "" is TargetGold
	// Augment is added to a tree's score in training, once for each wrong arc or bracket. 0 makes a plain
	// perceptron.
	Augment float64
	Epochs  int    // the largest number of epochs; 0 is DefaultEpochs
	Seed    uint64 // determines the order of the lists, which is new in each epoch

	Workers  int // 0: one for each processor
	Progress index.Progress
}

// DefaultEpochs is the default of Options.Epochs.
const DefaultEpochs = 10

func (o *Options) setDefaults() {
	o.Target = cmp.Or(o.Target, TargetGold)
	o.Epochs = cmp.Or(o.Epochs, DefaultEpochs)
	o.Progress = index.OneAtATime(cmp.Or[index.Progress](o.Progress, index.NoProgress{}))
}

// violator returns the best rival of list i (−1: none), the list's target, and whether the rival wins. A
// rival is a tree that costs more than the target. The best has the largest score plus Augment·cost.
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

// shuffled returns the lists in random order. The order depends on the seed and the epoch.
func shuffled(lists []int, seed uint64, epoch int) []int {
	order := slices.Clone(lists)
	r := rand.New(rand.NewPCG(seed, uint64(epoch)))
	r.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	return order
}

// average is an averaged perceptron with the weights w. Their mean is w − late/steps, where late sums up all
// corrections, each times the number of steps before it.
type average struct {
	w, late []float64
	steps   float64
}

// averageBytes is how many bytes an average takes for each feature.
const averageBytes = 16

// scores sets dst to the scores of the trees of list i by the mean weights.
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

// mean turns a.w into the mean weights, and returns a.w.
func (a *average) mean() []float64 {
	for j, x := range a.late {
		a.w[j] -= x / max(a.steps, 1)
	}
	return a.w
}

// perceptron trains a structured averaged perceptron on some lists (Collins 2002, §2.5; Collins & Duffy
// 2002). It calls f after each epoch, and ends after an epoch without mistakes.
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
