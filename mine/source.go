package mine

import (
	"context"
	"errors"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/store"
)

// source is the fragments that a selection chooses from: those of one space of a store,
// within limits, by one of two routes that give the same.
type source struct {
	ctx      context.Context
	st       *store.Store
	syms     *index.Symbols
	info     *store.SpaceInfo
	space    index.Space
	limits   index.Limits
	grow     bool // from the stored trees; else the stored fragments are scanned
	workers  int
	memory   int64
	progress index.Progress
	without  *roaring.Bitmap // samples that are passed over by growth; nil: none

	roots []root // once tallied
	items index.Items
}

// covers says whether what is stored of a space has all fragments within limits. What
// is closed is so whatever the limits, but what is not is no help in finding it.
func covers(info *store.SpaceInfo, l index.Limits) bool {
	return l.MinSupport >= info.MinSupport && l.Closed == info.Closed &&
		(info.MaxOrder == 0 || l.MaxOrder > 0 && l.MaxOrder <= info.MaxOrder)
}

// run makes a pass over the fragments. task returns what is kept of a range goes to,
// nil where nothing is wanted but counts; it is called as growth.ranges says. What is
// scanned is one range.
func (x *source) run(p *pass, task func(index.Range) (entries, error)) error {
	if x.grow {
		return x.fromTrees(p, task)
	}
	out, err := task(index.All)
	if errors.Is(err, errGrown) {
		return nil
	}
	if err != nil {
		return err
	}
	j := &judging{pass: p, out: out}
	v := j.visitor(x.ctx, p.limits).(*judge)
	v.inOrder = false
	if err := newScan(x, v, out).run(x.progress); err != nil {
		j.abort()
		return err
	}
	return j.finish()
}

// fromTrees is run by growth.
func (x *source) fromTrees(p *pass, task func(index.Range) (entries, error)) error {
	if err := x.tally(); err != nil {
		return err
	}
	l := x.limits
	l.NoSamples = !p.by.Samples()
	g := &growth{
		ctx: x.ctx, space: x.space, limits: l, weights: p.by.Weights(), syms: x.syms, roots: x.roots,
		items: x.items, st: x.st, samples: x.st.Meta().Samples, without: x.without,
		workers: x.workers, memory: x.memory / 2, taskLoad: selectLoad, progress: x.progress,
	}
	return g.ranges(func(r index.Range) (rangeTask, error) {
		out, err := task(r)
		return &judging{pass: p, out: out}, err
	})
}

// tally counts the roots, once, and keeps the samples where they fit the memory.
func (x *source) tally() error {
	if x.roots != nil {
		return nil
	}
	run, err := tallyStored(x.ctx, x.st, x.syms, x.without, SpaceLimits{x.space, x.limits}, x.memory, x.progress)
	if err != nil {
		return err
	}
	x.roots, x.items = rootsOf(run.tally), run.items
	return nil
}

// tallyStored counts the root occurrences of the stored samples but for those of without,
// and keeps their items, sealed, where these fit half of memory.
func tallyStored(ctx context.Context, st *store.Store, syms *index.Symbols, without *roaring.Bitmap, l SpaceLimits, memory int64, progress index.Progress) (*spaceRun, error) {
	run := &spaceRun{SpaceLimits: l, tally: &index.Tally{}, items: l.Space.NewItems(syms)}
	b := &builder{syms: syms, spaces: []*spaceRun{run}, o: Options{Memory: memory}}
	progress.Step("read", "samples", int64(st.Meta().Samples))
	err := eachSample(st, st.Meta().Samples, without, func(id uint32, t *index.Tree) error {
		b.count(id, t)
		if id&0xFF != 0 {
			return nil
		}
		progress.Add(0x100)
		return ctx.Err()
	})
	run.seal()
	return run, err
}

// known says how many fragments there are within the limits, where that is known without
// looking.
func (x *source) known() (n uint64, known bool) {
	return uint64(x.info.Features), !x.grow && x.limits == limitsOf(x.info)
}

// countOnly is a task of run that keeps nothing.
func countOnly(index.Range) (entries, error) { return nil, nil }
