package cluster

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/grown"
	"fstore/mine/template"
	"fstore/store/runfile"
)

// grownMeta describes the file of a Grow task. The file has two sections for each range of codes (run): the
// fragments, and the blocks of the expansion index.
type grownMeta struct {
	Plan   uint64 // checksum of the plan
	Spaces []grownSpace
}

// grownSpace describes the fragments that a task has grown in a space.
type grownSpace struct {
	Counts    index.Counts
	Runs      [][]byte // encoded grown.Range of each run, ascending
	Templates []template.Kind
}

func fragmentsName(space, run int) string { return fmt.Sprintf("fragments-%d-%d", space, run) }
func blocksName(space, run int) string    { return fmt.Sprintf("expansion-%d-%d", space, run) }

// Grow does task j of the tasks that grow. It returns false if the file of the task existed already.
func (t *Task) Grow(ctx context.Context, j int) (wrote bool, err error) {
	if err := numbered("range", j, t.Job.Ranges); err != nil {
		return false, err
	}
	p, err := t.openPlan()
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	isDone := func() (bool, error) {
		var old grownMeta
		is, err := t.isDone(GrowName(j), &old)
		return is && old.Plan == p.sum, err
	}
	return t.once(GrowName(j), isDone, func() error { return t.grow(ctx, j, p) })
}

func (t *Task) grow(ctx context.Context, j int, p *plan) (err error) {
	spaces, err := t.spaces(p)
	if err != nil {
		return err
	}
	syms, err := p.symbols()
	if err != nil {
		return err
	}
	occ, err := p.productionCounts(syms)
	if err != nil {
		return err
	}
	g := &grower{
		t: t, ctx: ctx, plan: p, syms: syms, occ: occ, budget: grow.NewBudget(t.MaxFragments),
		scratch: runfile.In(t.FS, t.Dir).Sub(tempName(GrowName(j))),
	}
	defer func() { err = errors.Join(err, g.scratch.Remove()) }()
	for i, s := range spaces {
		if err := g.growSpace(s, &p.meta.Spaces[i], j); err != nil {
			return fmt.Errorf("space %s: %w", s.Space.ID(), err)
		}
	}
	return g.write(j)
}

// grower does a task that grows fragments.
type grower struct {
	t       *Task
	ctx     context.Context
	plan    *plan
	syms    *index.Symbols
	occ     []uint32 // occurrences of productions, at most MaxUint32
	budget  *grow.Budget
	scratch *runfile.Dir
	meta    grownMeta
	runs    [][]*fragmentRun // runs of each space
}

// growSpace grows the task's ranges in a space.
func (g *grower) growSpace(s grow.SpaceLimits, planned *plannedSpace, task int) error {
	n := len(g.runs)
	g.runs = append(g.runs, nil)
	counts := index.Counts{}
	templates := template.New(s.Space, g.syms)
	for _, r := range planned.ranges(task) {
		growth := &grow.Growth{
			Source: grow.Source{
				Ctx: g.ctx, Trees: g, Syms: g.syms, Samples: g.plan.meta.Samples,
				Workers: g.t.Workers, Memory: g.t.Memory, Progress: g.t.Progress,
			},
			Tallied: grow.Tallied{SpaceLimits: s}, Most: g.t.MaxFragments,
			Rare: func(prod uint32) bool { return g.occ[prod] < s.Limits.MinSupport },
		}
		err := growth.Within(r, planned.Roots, func(index.Range) (grow.Task, error) {
			x, err := g.begin(s, templates, r.Hi2 != 0)
			if err != nil {
				return nil, err
			}
			g.runs[n] = append(g.runs[n], x)
			return grow.Into(x, nil), nil
		})
		if err != nil {
			return err
		}
		counts.Add(growth.Counts)
	}
	of := grownSpace{Counts: counts, Templates: templates.Kinds()}
	for _, x := range g.runs[n] {
		b, err := x.counter.Marshal()
		if err != nil {
			return err
		}
		of.Runs = append(of.Runs, b)
	}
	g.meta.Spaces = append(g.meta.Spaces, of)
	return nil
}

// productionCounts returns how often each production occurs, by its id.
func (p *plan) productionCounts(syms *index.Symbols) ([]uint32, error) {
	occ := make([]uint32, syms.Len(index.Productions)+1)
	return occ, p.occurrences(func(id int, n uint64) error {
		if id >= len(occ) {
			return p.damaged("section " + occurrenceSection)
		}
		occ[id] = uint32(min(n, math.MaxUint32))
		return nil
	})
}

// Each implements grow.Trees: it calls f for the samples of all parts, with symbol ids of the plan.
func (g *grower) Each(f func(id uint32, t *index.Tree) error) error {
	var t index.Tree
	return g.each(func(id uint32, part *partFile, ids *index.Renumbering, tree []byte) error {
		if err := ids.DecodeTree(tree, g.syms, &t); err != nil {
			return part.damaged(err.Error())
		}
		return f(id, &t)
	})
}

// Expand implements grow.Trees. It calls f with the productions of each sample.
func (g *grower) Expand(begin func(*index.Renumbering) *index.Expander, f func(id uint32, tree []index.Expansion) error) error {
	var e *index.Expander
	var of *index.Renumbering
	return g.each(func(id uint32, part *partFile, ids *index.Renumbering, tree []byte) error {
		if ids != of {
			e, of = begin(ids), ids
		}
		list, err := e.Read(tree)
		if err != nil {
			return part.damaged(err.Error())
		}
		return f(id, list)
	})
}

// each calls f for every sample of all parts. `ids` maps the symbol ids of the part to those of the plan.
func (g *grower) each(f func(id uint32, part *partFile, ids *index.Renumbering, tree []byte) error) error {
	for i, part := range g.plan.parts {
		ids, err := g.plan.renumbering(i + 1)
		if err != nil {
			return err
		}
		id := g.plan.meta.Parts[i].First
		err = part.samples(func(_, tree []byte) error {
			id++
			return f(id-1, part, ids, tree)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fragmentRun holds the fragments of one range in scratch files until they are written to the task's file.
type fragmentRun struct {
	files   [2]*runfile.File // fragments, and blocks of the expansion index
	counter *grown.Counter
	share   grow.Share
}

// begin makes the files of a fragmentRun and its counter.
func (g *grower) begin(s grow.SpaceLimits, templates *template.Templates, shared bool) (*fragmentRun, error) {
	x := &fragmentRun{share: grow.Share{Budget: g.budget}}
	for i, what := range [...]string{"fragments", "blocks"} {
		var err error
		name := fmt.Sprintf("%s-%d-%d", what, len(g.runs), len(g.runs[len(g.runs)-1]))
		if x.files[i], err = g.scratch.CreateFile(name); err != nil {
			x.Abort()
			return nil, err
		}
	}
	x.counter = grown.NewCounter(x.files[1].Writer, s.Space, g.syms, templates, shared)
	return x, nil
}

func (x *fragmentRun) Put(c index.Code, order int, list []byte) error {
	if err := x.share.Add(grown.SizeOf(order)); err != nil {
		return err
	}
	for _, b := range [...][]byte{c, list} {
		if err := runfile.WriteBlock(x.files[0].Writer, b); err != nil {
			return err
		}
	}
	return x.counter.Add(c, order)
}

func (x *fragmentRun) Finish() error {
	return errors.Join(x.counter.Finish(), x.share.Finish(), x.files[0].Finish(), x.files[1].Finish())
}

// Abort closes the files of the run. The task deletes them with its scratch directory.
func (x *fragmentRun) Abort() {
	for _, f := range x.files {
		if f != nil {
			f.Abort()
		}
	}
}

func (g *grower) write(j int) error {
	g.meta.Plan = g.plan.sum
	w, err := create(g.t.FS, g.t.Dir, GrowName(j), g.t.sum)
	if err != nil {
		return err
	}
	for i, runs := range g.runs {
		for k, x := range runs {
			for at, name := range [...]string{fragmentsName(i, k), blocksName(i, k)} {
				w.begin(name)
				if err := w.copy(x.files[at]); err != nil {
					return errors.Join(err, w.abort())
				}
			}
		}
	}
	return w.finish(&g.meta)
}

// copy adds the bytes of a scratch file to the section, and removes the file.
func (w *writer) copy(f *runfile.File) error {
	err := f.Read(func(r *bufio.Reader) error {
		_, err := r.WriteTo(w)
		return err
	})
	return errors.Join(err, f.Remove())
}
