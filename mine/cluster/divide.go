package cluster

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store/runfile"
)

// Tasks that grow get ranges of codes that take about the same time. The number of occurrences of a first
// step does not show how long it takes, because growth finds nothing below a production above words, but a
// whole tree below the production of a clause. So the plan grows some of the trees, and estimates from the
// visited fragments the time below each first step and each second step. A first step that takes more than a
// certain share of a task is divided by its second steps.

const (
	mostPilot   = 20_000    // the plan grows at most so many trees
	fewPilot    = 500       // it first grows so many trees, to see how many it can grow
	mostVisited = 4_000_000 // the plan visits about so many fragments in each space
	// perFragment is the fixed time for a fragment, as a multiple of the time for each of its occurrences.
	perFragment = 8
	// hotShare sets which first steps are divided: those that take more than 1/hotShare of the time of a
	// task.
	hotShare = 4
)

// place is where a range begins: at a first step, or at a second step after this first step. Both steps are
// packed. Second is 0 if the range begins at the first step itself.
type place struct{ First, Second uint64 }

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
}

// divide divides a space into the ranges of the tasks.
func (p *planner) divide(s grow.SpaceLimits, planned *plannedSpace) error {
	v, err := p.pilotOf(s)
	if err != nil {
		return err
	}
	scale := uint64(p.meta.Samples) / max(uint64(v.trees), 1)
	for _, first := range slices.Sorted(maps.Keys(v.occ)) {
		planned.Roots = append(planned.Roots, grow.Root{Step: index.Unpack(first), Occ: v.occ[first] * max(scale, 1)})
	}
	planned.Cuts = cut(v.weight, p.t.Job.Ranges, grow.Divisible(s.Space))
	return nil
}

// cut returns where the ranges of all tasks except the first begin, ascending. The parameter weight holds the
// time of each first step alone, and the time below each of its second steps.
func cut(weight map[place]uint64, tasks int, divisible bool) (cuts []place) {
	total, ofFirst := uint64(0), map[uint64]uint64{}
	for at, w := range weight {
		total += w
		ofFirst[at.First] += w
	}
	hot := total / uint64(tasks*hotShare)
	whole := map[place]uint64{}
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
		cuts = append(cuts, place{math.MaxUint64, 0})
	}
	return cuts
}

// ranges returns the ranges of a task, ascending. The list is empty if the task has nothing to do.
func (s *plannedSpace) ranges(task int) (all []index.Range) {
	from, to := place{}, place{math.MaxUint64, 0}
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

// pilot estimates the weight of places by growing some trees.
type pilot struct {
	trees  int
	occ    map[uint64]uint64 // occurrences of first steps
	weight map[place]uint64
	left   int // fragments that it may still visit
}

var errEnough = errors.New("enough was visited")

// Visit implements index.Visitor.
func (v *pilot) Visit(b *index.Batch) error {
	if v.left -= b.Len(); v.left < 0 {
		return errEnough
	}
	var at place
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

// pilotOf grows as many of the plan's trees as can be grown quickly.
func (p *planner) pilotOf(s grow.SpaceLimits) (*pilot, error) {
	for n := min(p.picks, fewPilot); ; n /= 2 {
		v, err := p.grow(s, n, mostVisited)
		if errors.Is(err, errEnough) && n > 1 {
			continue
		}
		if err != nil && !errors.Is(err, errEnough) {
			return nil, err
		}
		more := min(uint64(p.picks), uint64(n)*(mostVisited/4)/uint64(max(mostVisited-v.left, 1)))
		if more <= 2*uint64(n) || err != nil {
			return v, nil
		}
		if w, err := p.grow(s, int(more), 4*mostVisited); err == nil {
			return w, nil
		}
		return v, nil
	}
}

// grow grows n of the plan's trees, evenly chosen. It returns errEnough if growth would visit more fragments
// than the parameter most.
func (p *planner) grow(s grow.SpaceLimits, n, most int) (*pilot, error) {
	v := &pilot{trees: n, occ: map[uint64]uint64{}, weight: map[place]uint64{}, left: most}
	l := s.Limits
	l.NoSamples = true
	if uint32(n) < p.meta.Samples {
		l.MinSupport = uint32(max(2, uint64(l.MinSupport)*uint64(n)/uint64(p.meta.Samples)))
	}
	items := s.Space.NewItems(p.syms)
	var t index.Tree
	rest := p.pilot
	for i := range p.picks {
		var tree []byte
		tree, rest, _ = runfile.CutBlock(rest)
		if i*n/p.picks == (i+1)*n/p.picks { // this tree is not chosen
			continue
		}
		if err := index.DecodeTree(tree, p.syms, &t); err != nil {
			return nil, err
		}
		items.Add(uint32(i), &t, index.All, l)
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
	}
	items.Seal()
	_, err := items.Grow(index.All, index.Weights{}, l, v)
	return v, err
}
