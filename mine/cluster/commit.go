package cluster

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/grow"
	"fstore/mine/grown"
	"fstore/mine/template"
	"fstore/store"
)

// Commit does the last task: it makes the store in dir from the files of the other tasks. It calls newEvent
// for the history entry. It returns nil if this job has already made the store.
func (t *Task) Commit(ctx context.Context, dir string, newEvent func([]store.Input) store.Event) (result *builder.Result, err error) {
	p, err := t.openPlan()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err = t.setAside(errors.Join(err, p.close())); err == nil {
			clean(t.FS, t.Dir, "")
		}
	}()
	c := &committer{t: t, ctx: ctx, plan: p}
	defer func() { err = errors.Join(err, c.close()) }()
	a, err := c.assembly()
	if err != nil {
		return nil, err
	}
	a.Event = newEvent(c.inputs())
	a.Event.Command = t.Job.Command + " && " + a.Event.Command
	result, err = builder.Assemble(ctx, dir, builder.Options{FS: t.FS, MaxFragments: t.MaxFragments, Workers: t.Workers, Progress: t.Progress}, a)
	if errors.Is(err, store.ErrExists) && t.made(dir, &a.Event) {
		return nil, nil
	}
	return result, err
}

// made says whether this job has made the store in dir, according to the first entry of the store's history.
func (t *Task) made(dir string, event *store.Event) bool {
	s, err := store.Open(dir, store.Options{FS: t.FS})
	if err != nil {
		return false
	}
	history := s.Meta().History
	is := len(history) > 0 && history[0].Version == event.Version && slices.Equal(history[0].Inputs, event.Inputs) &&
		strings.HasPrefix(history[0].Command, t.Job.Command+" && ")
	return s.Close() == nil && is
}

// committer does the task Commit.
type committer struct {
	t     *Task
	ctx   context.Context
	plan  *plan
	syms  *index.Symbols // symbols of the store
	grown []*grownFile
}

// grownFile is the open file of a task that grew fragments.
type grownFile struct {
	*file
	meta grownMeta
}

func (c *committer) close() (err error) {
	for _, g := range c.grown {
		err = errors.Join(err, g.file.close())
	}
	return err
}

// assembly returns the description of the store that Commit makes, and opens the files with its contents.
func (c *committer) assembly() (*builder.Assembly, error) {
	for j := 1; j <= c.t.Job.Ranges; j++ {
		g := &grownFile{}
		var err error
		if g.file, err = c.t.open(GrowName(j), &g.meta); err != nil {
			return nil, err
		}
		c.grown = append(c.grown, g)
		if g.meta.Plan != c.plan.sum || len(g.meta.Spaces) != len(c.plan.meta.Spaces) {
			return nil, &Error{Dir: c.t.Dir, Kind: ErrOther, Detail: g.name + " is of another plan: run its task again"}
		}
	}
	spaces, err := c.t.spaces(c.plan)
	if err != nil {
		return nil, err
	}
	if c.syms, err = c.plan.symbols(); err != nil {
		return nil, err
	}
	a := &builder.Assembly{Symbols: c.syms, Samples: c.samples, Number: c.plan.meta.Samples}
	for i, s := range spaces {
		of, err := c.assembledSpace(i, s)
		if err != nil {
			return nil, err
		}
		a.Spaces = append(a.Spaces, of)
	}
	return a, nil
}

// assembledSpace collects the fragments that all tasks have grown in a space.
func (c *committer) assembledSpace(i int, s grow.SpaceLimits) (a builder.AssembledSpace, err error) {
	a = builder.AssembledSpace{SpaceLimits: s, Wide: c.plan.meta.Spaces[i].Wide, Templates: template.New(s.Space, c.syms)}
	for _, g := range c.grown {
		of := &g.meta.Spaces[i]
		a.Counts.Add(of.Counts)
		a.Templates.Put(of.Templates)
		for k, b := range of.Runs {
			r, err := grown.Unmarshal(b, s.Space, c.syms)
			if err != nil {
				return a, g.damaged(err.Error())
			}
			blocks, err := g.section(blocksName(i, k))
			if err != nil {
				return a, err
			}
			a.Runs = append(a.Runs, builder.AssembledRun{Range: r, Blocks: blocks, Fragments: func(put func(index.Code, []byte) error) error {
				return g.pairs(fragmentsName(i, k), func(code, list []byte) error { return put(code, list) })
			}})
		}
	}
	return a, nil
}

// samples adds every sample of every part, under the name that a build in one process gives it.
func (c *committer) samples(add builder.AddSample) error {
	for i, part := range c.plan.parts {
		ids, err := c.plan.renumbering(i + 1)
		if err != nil {
			return err
		}
		s := &sampler{c: c, part: part, number: i, offset: c.plan.meta.Parts[i].Offset, ids: ids, add: add, labels: map[string]string{"": ""}}
		s.h.t.Kind, s.h.t.OneAlphabet = part.meta.Kind, part.meta.OneAlphabet
		if err := part.samples(s.sample); err != nil {
			return err
		}
	}
	return nil
}

// sampler passes the samples of one part to its function `add`.
type sampler struct {
	c      *committer
	part   *partFile
	number int
	offset uint64
	ids    *index.Renumbering
	add    builder.AddSample
	h      head
	moved  []byte
	name   []byte
	labels map[string]string // a sample's labels as the store spells them, by its own labels; both joined by commas
	n      uint
}

func (s *sampler) sample(head, tree []byte) (err error) {
	if s.n++; s.n&0xFF == 0 {
		if err := s.c.ctx.Err(); err != nil {
			return err
		}
	}
	h := &s.h
	if err := h.read(head); err != nil {
		return s.part.damaged(err.Error())
	}
	syms := s.c.syms
	if s.moved, err = s.ids.AppendTree(s.moved[:0], tree, syms); err != nil {
		return s.part.damaged(err.Error())
	}
	t := h.t
	if h.flags&isNumbered != 0 {
		n := h.num
		if h.flags&isFirst != 0 {
			n += s.offset
		}
		s.name = strconv.AppendUint(append(append(s.name[:0], t.Name...), '#'), n, 10)
		t.Name = string(s.name)
	}
	t.Label = s.spelled(t.Label)
	if t.Group != "" { // lists of two parts are two lists, even if they have the same name
		t.Group = strconv.Itoa(s.number) + ":" + t.Group
	}
	input := ""
	if h.input < uint64(len(s.part.meta.Inputs)) {
		input = s.part.meta.Inputs[h.input]
	}
	if len(h.corrections) > 0 {
		if err := index.DecodeTree(s.moved, syms, &t); err != nil {
			return s.part.damaged(err.Error())
		}
		if err := index.DecodeCorrections(h.corrections, &t); err != nil {
			return s.part.damaged(err.Error())
		}
	}
	return s.add(&t, s.moved, input)
}

// spelled spells labels as the store does, and removes duplicates. Labels are joined by commas.
func (s *sampler) spelled(joined string) string {
	relabel := s.c.plan.meta.Relabel
	if len(relabel) == 0 {
		return joined
	}
	if as, ok := s.labels[joined]; ok {
		return as
	}
	var all []string
	index.SplitLabels(joined, func(label string) {
		if as, ok := relabel[label]; ok {
			label = as
		}
		if !slices.Contains(all, label) {
			all = append(all, label)
		}
	})
	s.labels[joined] = strings.Join(all, ",")
	return s.labels[joined]
}

// inputs returns the name, the size and the hash of each input.
func (c *committer) inputs() (all []store.Input) {
	for i, part := range c.plan.parts {
		pieces := c.t.Job.Parts[i]
		for k, was := range part.meta.Pieces {
			in := store.Input{Name: was.Path, Size: was.Bytes, Hash: was.Hash}
			if k < len(pieces) && pieces[k].From > 0 { // the first block of a file also stands for the file
				continue
			}
			if k < len(pieces) && pieces[k].To >= 0 { // a file that is cut is not compressed
				of := c.t.Job.Inputs[pieces[k].Input]
				in.Size, in.Hash = of.Size, of.Hash
			}
			all = append(all, in)
		}
	}
	return all
}
