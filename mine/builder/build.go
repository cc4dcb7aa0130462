// Package builder builds stores. [Run] reads trees into a store and grows the fragments of its spaces. It can
// also append to a store, and resume an interrupted run. [Rebuild] makes a store again, for the commands
// remove, reindex and verify --repair. [Assemble] joins the work of many processes. Start at Run, then read
// builder.go. The package imports grow and vocabulary, but no package that selects fragments.
package builder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/grown"
	"fstore/mine/template"
	"fstore/store"
)

// Run reads all samples into the store at dir and indexes their fragments. It commits once, at the end. After
// an error the store is as it was, or does not exist.
func Run(ctx context.Context, dir string, o Options) (*Result, error) {
	o.setDefaults()
	w, state, err := beginBuild(dir, store.WriteOptions{Options: store.Options{FS: o.FS}, Mode: o.Mode, Resume: o.Resume}, o.ResumeKey)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	b := &builder{Ctx: ctx, O: o, W: w, Meta: w.Meta(), budget: grow.NewBudget(o.MaxFragments)}
	if state != nil {
		b.ranges = &grownRanges{b: b, state: *state, saved: time.Now()}
	}
	if err := b.run(); err != nil {
		if b.ranges != nil && ctx.Err() != nil {
			err = errors.Join(err, b.ranges.interrupted())
		}
		return nil, err
	}
	return &Result{Meta: b.Meta, Added: b.added}, nil
}

func (b *builder) run() error {
	b.Syms = b.W.Symbols()
	if b.ranges != nil && len(b.Meta.History) > 0 {
		// The earlier run ended during its commit: the store is complete, except for the file FSTORE.
		b.added = b.Meta.Samples
		return b.end()
	}
	if b.O.Mode == store.Append {
		chosen, err := b.O.Spaces.forAppend(b.W.Store().Dir(), b.Meta)
		if err != nil {
			return err
		}
		b.begin(chosen)
	}
	event, err := b.fill()
	if err != nil {
		return err
	}
	return b.commit(event)
}

// fill reads the samples and indexes all spaces. It returns the run's entry for the history.
func (b *builder) fill() (event store.Event, err error) {
	if b.ranges != nil {
		event, err = b.resume()
	} else {
		event, err = b.readAll()
	}
	if err != nil {
		return event, err
	}
	for _, s := range b.spaces {
		s.Seal()
		if err := b.index(s); err != nil {
			return event, fmt.Errorf("space %s: %w", s.Space.ID(), b.exploded(s, err))
		}
		s.Items = nil
	}
	return event, nil
}

// index grows the fragments of one space. It loads the fragments, their ranks and their expansion index.
func (b *builder) index(s *grow.Tallied) error {
	var old store.SpaceInfo
	if info := b.Meta.Space(s.Space.ID()); info != nil {
		old = *info
	}
	number := b.setSpace(&s.SpaceLimits)
	var loads []*rangeLoad
	s.Templates = template.New(s.Space, b.Syms)
	if b.shares = nil; b.O.MaxFragments > 0 {
		b.shares = &fragmentShares{of: make([]atomic.Uint32, b.Meta.Samples)}
	}
	g := &grow.Growth{
		Source: grow.Source{
			Ctx: b.Ctx, St: b.W.Store(), Syms: b.Syms, Samples: b.Meta.Samples,
			Workers: b.O.Workers, Memory: b.O.Memory, Progress: b.O.Progress,
		},
		Tallied: *s, Most: b.O.MaxFragments, Scratch: b.W.Scratch().Sub("levels"),
	}
	start := func() (*rangeLoad, error) {
		l, err := b.startRange(number, s, len(loads))
		if err != nil {
			return nil, err
		}
		loads = append(loads, l)
		return l, nil
	}
	var err error
	switch {
	case b.canIncrement(s, &old):
		err = b.increment(g, &old, start)
	case b.O.Mode == store.Append || g.ByLevels():
		err = g.Run(func(index.Range) (grow.Sink, error) { return start() })
	default:
		err = g.Ranges(func(r index.Range) (grow.Task, error) {
			l, err := start()
			if err != nil {
				return nil, err
			}
			return b.ranges.task(number, r, l, g.Saw)
		})
	}
	if err != nil {
		return err
	}
	var ranges []*grown.Range
	var blocks []io.Reader
	for _, l := range loads {
		ranges = append(ranges, &l.counter.Range)
		blocks = append(blocks, &scratchReader{b: b, name: l.name, left: int64(l.counter.Part.Bytes())})
	}
	return b.finishSpace(number, s.Space, g.Counts, s.Templates, s.Wide, ranges, blocks)
}

// exploded adds help for the user to the error of a space that grew too large.
func (b *builder) exploded(s *grow.Tallied, err error) error {
	var often *index.OccurrenceError
	switch {
	case errors.Is(err, grow.ErrTooMany):
		text := "more than " + index.Thousands(b.O.MaxFragments)
		if sample, percent, ok := b.shares.most(); ok {
			text += fmt.Sprintf(", of which %s has %d %%", b.sampleName(sample), percent)
		}
		return fmt.Errorf("%w: %s: %s", grow.ErrTooMany, text, waysOut(s))
	case errors.As(err, &often) && often.Sample > 0:
		return fmt.Errorf("%s: %w", b.sampleName(often.Sample-1), err)
	}
	return err
}

// waysOut says in words how to get fewer fragments in a space.
func waysOut(s *grow.Tallied) string {
	ways := []string{"raise the minimum support", "lower the maximum order"}
	if x, ok := s.Space.(index.Spanned); ok {
		option, unbounded := x.Span()
		if option == unbounded {
			ways = append(ways, "leave "+option+" out")
		} else {
			ways = append(ways, "lower "+option)
		}
	}
	if _, ok := s.Space.(index.Covering); ok {
		ways = append(ways, "keep closed fragments only")
	}
	return strings.Join(ways, ", ") + ", or raise the limit"
}

// sampleName returns the name of a sample for messages, with its input.
func (b *builder) sampleName(sample uint32) string {
	var name string
	err := b.W.Store().Samples(sample, sample+1, func(_ uint32, t *index.Tree) error {
		name = t.Name
		return nil
	})
	if err != nil || name == "" {
		return fmt.Sprintf("sample %d", sample+1)
	}
	if input := b.Meta.InputNames()(sample); input != "" && !strings.Contains(name, "#") {
		return fmt.Sprintf("sample %s of %s", name, input)
	}
	return "sample " + name
}

// readAll reads the samples of a run that does not resume an earlier run.
func (b *builder) readAll() (event store.Event, err error) {
	if err := b.tallyOld(); err != nil {
		return event, err
	}
	if err := b.read(); err != nil {
		return event, err
	}
	if b.added == 0 {
		return event, ErrNoSamples
	}
	event = b.O.Event()
	return event, b.beginRanges(event)
}
