// Package grow grows the fragments of a space within limited memory, one range of first steps (roots) after
// another. If a range does not fit into memory, grow reads its data in parts, or grows one order at a time
// (levels.go). A [Task] says what happens to the fragments. The package knows no objective.
package grow

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/store/runfile"
)

// Growth grows the fragments of one space, range by range. Its samples are in a store or in memory.
type Growth struct {
	Source
	Tallied
	Weights index.Weights
	Fine    bool         // make small tasks: for selection, which writes no tables
	Most    uint64       // growth stops with an error if there are more fragments; 0: no bound
	Scratch *runfile.Dir // nil if there is none
	// Rare says whether a production is certainly in no frequent fragment. nil means that the Tally decides,
	// if there is one.
	Rare func(prod uint32) bool

	mu     sync.Mutex
	Counts index.Counts
	end    uint64 // where the last first step ends; 0: at the end of all steps, see Within
}

// Ranges is like Run, but for any Task. If task returns ErrGrown, Ranges skips the range.
func (g *Growth) Ranges(task func(index.Range) (Task, error)) error {
	all := g.roots()
	g.Progress.Step("mine "+g.Space.ID(), "nodes", int64(occurrencesOf(all)))
	if g.Items != nil {
		return g.tasks(g.Items, all, endOf(all, len(all)), task)
	}
	return g.readParts(all, task)
}

// readParts is Ranges for samples that are not in memory. It reads the samples again for each part.
func (g *Growth) readParts(all []root, task func(index.Range) (Task, error)) error {
	return g.parts(all, func(roots []root, canCut bool) (index.Items, error) {
		first, hi := roots[0].step.Packed(), g.endOf(roots)
		var second index.SecondSteps
		if s, ok := g.Space.(index.Splitter); ok && len(roots) == 1 && g.Limits.MaxOrder != 1 && roots[0].support >= g.Limits.MinSupport {
			second = s.SecondSteps()
		}
		items, _, err := g.read(index.Range{Lo: first, Hi: hi}, g.Limits, canCut || second != nil)
		if errors.Is(err, errShrink) && second != nil {
			return nil, g.split(second, roots[0], hi, task)
		}
		if err != nil {
			return nil, err
		}
		items.Seal()
		return items, g.tasks(items, roots, hi, task)
	})
}

// occurrenceBytes is the first guess of the memory for an occurrence of a root, with all fragments that grow
// from it.
const occurrenceBytes = 64

// parts divides the steps into parts that probably fit in memory, and calls f for each. If f returns
// errShrink, parts tries a shorter part.
func (g *Growth) parts(steps []root, f func(part []root, canCut bool) (index.Items, error)) error {
	perOcc := int64(occurrenceBytes)
	for len(steps) > 0 {
		n, load := 0, int64(0)
		for n < len(steps) && (n == 0 || (load+int64(steps[n].occ))*perOcc <= g.Memory) {
			load += int64(steps[n].occ)
			n++
		}
		items, err := f(steps[:n], n > 1)
		if errors.Is(err, errShrink) {
			perOcc *= 2
			continue
		}
		if err != nil {
			return err
		}
		if items != nil {
			perOcc = max(items.Bytes()/max(load, 1), 1)
		}
		steps = steps[n:]
	}
	return nil
}

// endOf returns the end of the range of roots, which are consecutive.
func (g *Growth) endOf(roots []root) uint64 {
	last := roots[len(roots)-1].step.Packed()
	at, _ := findRoot(g.roots(), last)
	if at+1 == len(g.roots()) && g.end > 0 {
		return g.end
	}
	return endOf(g.roots(), at+1)
}

// split grows a root whose data do not fit in memory: first the root itself, then its extensions in ranges of
// second steps.
func (g *Growth) split(second index.SecondSteps, r root, hi uint64, task func(index.Range) (Task, error)) error {
	all := index.Range{Lo: r.step.Packed(), Hi: hi}
	out, err := task(all)
	switch {
	case errors.Is(err, ErrGrown):
	case err != nil:
		return err
	default:
		err = g.growRoot(all, out)
		if p, ok := out.(Pruner); err == nil && !(ok && p.Pruned()) {
			all.Hi2 = math.MaxUint64
			err = g.growBelow(second, all, out)
		}
		if err := finish(out, err); err != nil {
			return err
		}
	}
	g.Progress.Add(int64(r.occ))
	return nil
}

func finish(out interface {
	Finish() error
	Abort()
}, err error,
) error {
	if err != nil {
		out.Abort()
		return err
	}
	return out.Finish()
}

// growBelow grows all fragments below the single first step of r, one range of second steps at a time.
func (g *Growth) growBelow(second index.SecondSteps, r index.Range, out Task) error {
	steps, err := g.secondSteps(second, r)
	if err != nil {
		return err
	}
	return g.parts(steps, func(part []root, canCut bool) (index.Items, error) {
		within := r
		within.Lo2, within.Hi2 = part[0].step.Packed(), part[len(part)-1].step.Packed()+1
		items, support, err := g.read(within, g.Limits, canCut)
		if err != nil {
			return nil, err
		}
		return items, g.growPart(items, support, within, out)
	})
}

// growPart grows one part of the fragments below a first step, if the step occurs in enough samples.
func (g *Growth) growPart(items index.Items, support uint32, r index.Range, out Task) error {
	if support < g.Limits.MinSupport {
		return nil
	}
	items.Seal()
	return g.growInto(g.Ctx, items, r, g.Limits, out)
}

// growRoot grows only the fragments of order 1 in r. The range r must have a single first step.
func (g *Growth) growRoot(r index.Range, out Task) error {
	l := g.Limits
	l.MaxOrder = 1
	items, _, err := g.read(r, l, false)
	if err != nil {
		return err
	}
	items.Seal()
	return g.growInto(g.Ctx, items, r, l, out)
}

// Pruner is implemented by tasks that sometimes need only the root of their range.
type Pruner interface {
	// Pruned says whether the task needs no fragments below the root. Growth calls it after the visit of the
	// root.
	Pruned() bool
}

// secondSteps lists the second steps of the range r, ascending, with their occurrences.
func (g *Growth) secondSteps(list index.SecondSteps, r index.Range) (steps []root, err error) {
	occ := map[uint64]uint64{}
	err = g.each(func(id uint32, t *index.Tree) error {
		list(t, r.Lo, func(second uint64) {
			if r.Lo2 <= second && second < r.Hi2 {
				occ[second]++
			}
		})
		if id&0xFF == 0 {
			return g.Ctx.Err()
		}
		return nil
	})
	for _, s := range slices.Sorted(maps.Keys(occ)) {
		steps = append(steps, root{step: index.Unpack(s), occ: occ[s]})
	}
	return steps, err
}

// read collects the items for the growth of r. If r is a range of second steps, `support` is the number of
// samples with the first step. The error is errShrink if canCut is set and the items exceed the memory.
func (g *Growth) read(r index.Range, l index.Limits, canCut bool) (items index.Items, support uint32, err error) {
	items = g.Space.NewItems(g.Syms)
	x, _ := items.(index.Expecting)
	err = g.addTo(&items, r, l, func(id uint32, nodes int) error {
		if nodes > 0 {
			support++
		}
		if x != nil && id+1 == g.Samples/expectAfter {
			x.Expect(1.0 / expectAfter)
		}
		if id&0xFF == 0 {
			if canCut && items.Bytes() > g.itemBytes() {
				return errShrink
			}
			return g.Ctx.Err()
		}
		return nil
	})
	return items, support, err
}

// expectAfter says when to call Expect: after 1/expectAfter of the samples.
const expectAfter = 8

// addTo adds the data for the growth of r to *items. After each sample it calls onSample(id, nodes), which
// may replace *items. If `nodes` is 0, nothing of the sample was added.
func (g *Growth) addTo(items *index.Items, r index.Range, l index.Limits, onSample func(id uint32, nodes int) error) error {
	var add func(index.Items, uint32, []index.Expansion, index.Range, index.Limits)
	if x, ok := g.Space.(index.Expanded); ok {
		add = x.Expansions()
	}
	if add == nil {
		var tally index.Tally
		return g.each(func(id uint32, t *index.Tree) error {
			if r.Hi2 != 0 {
				first := index.Unpack(r.Lo)
				before := tally.Support(first)
				if g.Space.Tally(t, g.Syms, id, &tally); tally.Support(first) == before {
					return onSample(id, 0)
				}
			}
			(*items).Add(id, t, r, l)
			return onSample(id, len(t.Nodes)+len(t.Tokens))
		})
	}
	begin := func(ids *index.Renumbering) *index.Expander { return index.NewExpander(g.Syms, ids, r, g.rareTest()) }
	return g.expand(begin, func(id uint32, tree []index.Expansion) error {
		if len(tree) > 0 {
			add(*items, id, tree, r, l)
		}
		return onSample(id, len(tree))
	})
}

// rareTest returns the test for productions that are certainly in no frequent fragment, or nil if there is no
// test.
func (g *Growth) rareTest() func(prod uint32) bool {
	if g.Rare != nil || g.Tally == nil {
		return g.Rare
	}
	return func(prod uint32) bool { return g.Tally.Support(index.Step{Sym: prod}) < g.Limits.MinSupport }
}

// tasks cuts roots into ranges, the last of which ends at hi. It runs the ranges' tasks in parallel.
func (g *Growth) tasks(items index.Items, roots []root, hi uint64, task func(index.Range) (Task, error)) error {
	pool, ctx := errgroup.WithContext(g.Ctx)
	pool.SetLimit(g.Workers)
	progress := index.OneAtATime(g.Progress)
	next := 0
	for _, r := range cut(roots, hi, g.taskLoad()) {
		var load int64
		for ; next < len(roots) && roots[next].step.Packed() < r.Hi; next++ {
			load += int64(roots[next].occ)
		}
		if ctx.Err() != nil {
			break
		}
		out, err := task(r)
		if errors.Is(err, ErrGrown) {
			progress.Add(load)
			continue
		}
		if err != nil {
			pool.Go(func() error { return err })
			break
		}
		pool.Go(func() error {
			err := finish(out, g.growInto(ctx, items, r, g.Limits, out))
			progress.Add(load)
			return err
		})
	}
	if err := pool.Wait(); err != nil {
		return err
	}
	return g.Ctx.Err()
}

// growInto grows the fragments of r into a task. It can be called several times, with parts of the task's
// range.
func (g *Growth) growInto(ctx context.Context, items index.Items, r index.Range, l index.Limits, out Task) error {
	v := out.Visitor(ctx, l)
	counts, err := g.growRange(items, r, l, v)
	if err == nil {
		err = v.Finish()
	}
	if err != nil {
		return err
	}
	out.Counted(counts)
	g.Saw(counts)
	return nil
}

// growRange is like items.Grow, but r can be a range of second steps in every Divisible space.
func (g *Growth) growRange(items index.Items, r index.Range, l index.Limits, v index.Visitor) (index.Counts, error) {
	s, ok := g.Space.(index.Splitter)
	if r.Hi2 == 0 || ok && s.SecondSteps() != nil {
		return items.Grow(r, g.Weights, l, v)
	}
	if !Divisible(g.Space) {
		return index.Counts{}, errors.New("space " + g.Space.ID() + ": first steps cannot be divided")
	}
	all, err := items.Grow(index.Range{Lo: r.Lo, Hi: r.Hi}, g.Weights, l, &stepVisitor{Visitor: v, r: r})
	if r.Lo2 == 0 {
		return all, err
	}
	var counts index.Counts
	for order := 3; order < len(all.Candidates); order++ {
		counts.Count(order, all.Candidates[order], all.Below[order])
	}
	return counts, err
}

// Saw adds counts to g.Counts. Any goroutine may call it.
func (g *Growth) Saw(counts index.Counts) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.Counts.Add(counts)
}

// errShrink says that the items of a range exceed the memory, and that a shorter range is possible.
var errShrink = errors.New("range too large for the budget")

// ErrGrown is the error of a function that makes a Task, if an earlier run has grown the range. Growth then
// skips the range.
var ErrGrown = errors.New("the range is grown already")

// taskLoad returns the least number of occurrences of first steps in a task. 50,000 take about 0.1 s at
// support 2, and give a table of about a megabyte.
func (g *Growth) taskLoad() uint64 {
	if g.Fine {
		return 500
	}
	return 50_000
}
