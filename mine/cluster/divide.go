package cluster

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"

	"fstore/index"
	"fstore/mine/grow"
)

// Grow tasks get ranges of codes that take about the same time. The number of occurrences of a first step
// does not tell this time: growth finds nothing below a preterminal, but whole trees below a clause. So the
// planner grows some of the trees, and estimates the time below each first step and each second step. A first
// step that takes too long is divided by its second steps.

const (
	mostPilot   = 20_000    // the plan grows at most this many trees
	fewPilot    = 500       // it grows this many trees first, to see how many it can grow
	mostVisited = 4_000_000 // the plan visits about this many fragments in each space
	// perFragment is the fixed time for a fragment, in units of the time for one occurrence.
	perFragment = 8
	// A first step that takes more than 1/hotShare of a task's time can be cut between its second steps.
	hotShare = 4
)

// rangeStart is where a range begins, as packed steps (index.Step.Packed). Second is 0 if the range begins at
// the first step itself.
type rangeStart struct{ First, Second uint64 }

func comparePlaces(a, b rangeStart) int {
	return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
}

// plannedSpace says how the growth of a space is divided into tasks.
type plannedSpace struct {
	ID    string
	Wide  uint64       // number of heads where an option leaves out fragments, see index.Spanned
	Cuts  []rangeStart // where the ranges of all tasks except the first begin
	Roots []grow.Root  // some first steps, and about how often they occur
}

// cut returns the starts of all tasks' ranges except the first, in ascending order. The ranges take about the
// same time.
func cut(weight map[rangeStart]uint64, tasks int, divisible bool) (cuts []rangeStart) {
	total, ofFirst := uint64(0), map[uint64]uint64{}
	for at, w := range weight {
		total += w
		ofFirst[at.First] += w
	}
	hot := total / uint64(tasks*hotShare)
	whole := map[rangeStart]uint64{}
	for at, w := range weight {
		if !divisible || ofFirst[at.First] <= hot {
			at.Second = 0
		}
		whole[at] += w
	}
	sum := uint64(0)
	for _, at := range slices.SortedFunc(maps.Keys(whole), comparePlaces) {
		for len(cuts) < tasks-1 && (sum+whole[at]/2)*uint64(tasks) >= total*uint64(len(cuts)+1) {
			cuts = append(cuts, at)
		}
		sum += whole[at]
	}
	for len(cuts) < tasks-1 {
		cuts = append(cuts, rangeStart{math.MaxUint64, 0})
	}
	return cuts
}

// ranges returns the ranges of a task, ascending. It returns none if the task has nothing to do.
func (s *plannedSpace) ranges(task int) (all []index.Range) {
	from, to := rangeStart{}, rangeStart{math.MaxUint64, 0}
	if task > 1 {
		from = s.Cuts[task-2]
	}
	if task <= len(s.Cuts) {
		to = s.Cuts[task-1]
	}
	if comparePlaces(from, to) >= 0 {
		return nil
	}
	lo := from.First
	if from.Second > 0 || to.First == from.First {
		r := index.Range{Lo: lo, Hi: lo + 1, Lo2: from.Second, Hi2: math.MaxUint64}
		if to.First == lo {
			r.Hi2 = to.Second
		}
		all = append(all, r)
		lo++
	}
	if lo < to.First {
		all = append(all, index.Range{Lo: lo, Hi: to.First})
	}
	if to.Second > 0 && to.First > from.First {
		all = append(all, index.Range{Lo: to.First, Hi: to.First + 1, Hi2: to.Second})
	}
	return all
}

// pilot is a visitor that estimates how long growth takes below each rangeStart.
type pilot struct {
	trees  int
	occ    map[uint64]uint64 // occurrences of first steps
	weight map[rangeStart]uint64
	left   int // fragments that it may still visit
}

var errEnough = errors.New("enough was visited")

// Visit adds the extensions in b to the weights. After too many fragments it returns errEnough.
func (v *pilot) Visit(b *index.Batch) error {
	if v.left -= b.Len(); v.left < 0 {
		return errEnough
	}
	var at rangeStart
	depth := 0
	steps := func(c index.Code) {
		for depth < 2 && len(c) > 0 {
			st, rest, ok := c.Next()
			if !ok {
				return
			}
			if depth++; depth == 1 {
				at.First = st.Packed()
			} else {
				at.Second = st.Packed()
			}
			c = rest
		}
	}
	steps(b.Parent)
	above, before := depth, at
	for i := range b.Len() {
		b.Descend[i] = true
		depth, at = above, before
		steps(b.SuffixOf(i))
		if above == 0 {
			v.occ[at.First] += uint64(b.Occ[i])
		}
		v.weight[at] += uint64(b.Occ[i]) + perFragment
	}
	return nil
}
