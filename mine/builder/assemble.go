package builder

import (
	"context"
	"io"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/grown"
	"fstore/mine/template"
	"fstore/store"
)

// Assembly describes the samples that other processes have read, and the fragments that they have grown.
type Assembly struct {
	Symbols *index.Symbols // symbols of samples and fragments; the store gets them with these ids
	Number  uint32         // number of samples
	Samples func(AddSample) error
	Spaces  []AssembledSpace
	Event   store.Event // history entry, except the closing line
}

// AddSample adds the next sample t, with its encoded tree (index.AppendTree) and the name of its input. If t
// has Corrections, the tree must also be decoded into t.
type AddSample func(t *index.Tree, tree []byte, input string) error

// AssembledSpace holds the fragments of a space, and the counts of their growth.
type AssembledSpace struct {
	grow.SpaceLimits
	Counts    index.Counts
	Wide      uint64 // number of heads where an option leaves out fragments, see index.Spanned
	Templates *template.Templates
	Runs      []AssembledRun // ranges of fragments, ascending
}

// AssembledRun holds the fragments of one range of codes.
type AssembledRun struct {
	grown.Range
	// Fragments calls put(code, posting list) for each fragment, in ascending order of codes.
	Fragments func(put func(c index.Code, value []byte) error) error
	Blocks    io.Reader // blocks of Range.Part
}

// Assemble makes a store in dir, the same as Run makes from these samples. It uses only FS, Mode,
// MaxFragments, Workers and Progress of o.
func Assemble(ctx context.Context, dir string, o Options, a *Assembly) (*Result, error) {
	o.setDefaults()
	size := uint64(0)
	for i := range a.Spaces {
		for k := range a.Spaces[i].Runs {
			size += a.Spaces[i].Runs[k].Size
		}
	}
	if err := grow.NewBudget(o.MaxFragments).Take(size); err != nil {
		return nil, err
	}
	w, err := store.Begin(dir, store.WriteOptions{Options: store.Options{FS: o.FS}, Mode: o.Mode})
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	b := &builder{Ctx: ctx, O: o, W: w, Meta: w.Meta(), Syms: w.Symbols()}
	if err := b.assemble(a); err != nil {
		return nil, err
	}
	return &Result{Meta: b.Meta, Added: b.Meta.Samples}, b.commit(a.Event)
}

// assemble writes the samples and loads the fragments at the same time.
func (b *builder) assemble(a *Assembly) error {
	b.inheritSymbols(a.Symbols)
	total := uint64(a.Number)
	numbers := make([]uint32, len(a.Spaces))
	for i, s := range a.Spaces {
		numbers[i] = b.setSpace(&s.SpaceLimits)
		for k := range s.Runs {
			total += uint64(s.Runs[k].Part.Features)
		}
	}
	progress := index.OneAtATime(b.O.Progress)
	progress.Step("load", "samples and fragments", int64(total))
	pool, ctx := errgroup.WithContext(b.Ctx)
	pool.SetLimit(b.O.Workers + 1)
	pool.Go(func() error { return b.addSamples(ctx, a, progress) })
	for i := range a.Spaces {
		for k := range a.Spaces[i].Runs {
			pool.Go(func() error { return b.loadRun(ctx, numbers[i], &a.Spaces[i].Runs[k], progress) })
		}
	}
	if err := pool.Wait(); err != nil {
		return err
	}
	for i, s := range a.Spaces {
		var ranges []*grown.Range
		var blocks []io.Reader
		for k := range s.Runs {
			ranges = append(ranges, &s.Runs[k].Range)
			blocks = append(blocks, s.Runs[k].Blocks)
		}
		if err := b.finishSpace(numbers[i], s.Space, s.Counts, s.Templates, s.Wide, ranges, blocks); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) addSamples(ctx context.Context, a *Assembly, progress index.Progress) error {
	sw, err := b.W.Samples()
	if err != nil {
		return err
	}
	defer sw.Close()
	last := ""
	err = a.Samples(func(t *index.Tree, tree []byte, input string) error {
		if t.Gold != index.GoldAdded && input != last {
			sw.From(input)
			last = input
		}
		id, err := sw.AddBytes(t, tree)
		if err == nil && id&0xFFF == 0xFFF {
			progress.Add(0x1000)
			err = ctx.Err()
		}
		return err
	})
	if err != nil {
		return err
	}
	return sw.Close()
}

func (b *builder) loadRun(ctx context.Context, space uint32, r *AssembledRun, progress index.Progress) error {
	l, err := b.W.Fragments(space)
	if err != nil {
		return err
	}
	n := 0
	err = r.Fragments(func(c index.Code, value []byte) error {
		if n++; n&0xFFF == 0 {
			progress.Add(0x1000)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return l.Put(c, value)
	})
	if err != nil {
		_ = l.Close()
		return err
	}
	return l.Close()
}
