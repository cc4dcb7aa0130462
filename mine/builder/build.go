// Package builder builds stores. [Run] reads trees into a store and grows the fragments of its spaces. It can
// also append and resume an interrupted run. For remove, reindex and repair it builds a store again. Start at
// build.go. It imports grow and vocabulary, but no package that selects fragments.
package builder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/grow"
	"fstore/store"
)

// Result is what a build decided.
type Result struct {
	Meta  *store.Meta
	Added uint32 // number of added samples
}

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

type builder struct {
	Ctx    context.Context
	O      Options
	W      *store.Writer
	Meta   *store.Meta
	Syms   *index.Symbols
	spaces []*grow.Tallied
	added  uint32
	budget *grow.Budget
	shares *fragmentShares // shares of the space that is being indexed; nil if MaxFragments is not set
	ranges *grownRanges    // set in a resumed run; else once the samples are read
}

func (b *builder) run() error {
	b.Syms = b.W.Symbols()
	if b.ranges != nil && len(b.Meta.History) > 0 {
		// The run ended during its commit: so the store is complete, and only FSTORE is missing.
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

// commit adds an entry to the history, which says what each space holds, and commits.
func (b *builder) commit(event store.Event) error {
	event.Decided = b.decided()
	b.Meta.History = append(b.Meta.History, event)
	return b.end()
}

// end commits, unless the run was interrupted.
func (b *builder) end() error {
	if err := b.Ctx.Err(); err != nil {
		return err
	}
	return b.W.CommitContext(b.Ctx)
}

// fill reads the samples and indexes all spaces. It returns the run's entry of the history.
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

// readAll reads the samples.
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

// decided returns one line for each space, which says what the space holds.
func (b *builder) decided() string {
	var lines []string
	for i := range b.Meta.Spaces {
		lines = append(lines, Describe(&b.Meta.Spaces[i]))
	}
	return strings.Join(lines, "\n")
}

// begin starts to index the chosen spaces.
func (b *builder) begin(chosen []grow.SpaceLimits) {
	for _, s := range chosen {
		b.spaces = append(b.spaces, &grow.Tallied{SpaceLimits: s, Tally: &index.Tally{}, Items: s.Space.NewItems(b.Syms)})
	}
}

// tallyOld counts the first steps in the stored samples, because growth needs these samples beside the new
// samples.
func (b *builder) tallyOld() error {
	if b.Meta.Samples == 0 {
		return nil
	}
	return b.W.Store().Samples(0, b.Meta.Samples, func(id uint32, t *index.Tree) error {
		grow.CountSample(b.spaces, b.Syms, b.O.Memory, id, t)
		return b.Ctx.Err()
	})
}

// read is the first pass. It writes every sample into the store, and adds it to the items of each space as
// long as the items fit in memory.
func (b *builder) read() error {
	src, err := b.O.Source(b.Syms)
	if err != nil {
		return err
	}
	index.Tell(src, b.willIndex()...)
	if b.O.Mode == store.Append {
		labels, err := b.W.Store().Labels()
		if err != nil {
			return err
		}
		index.KnowLabels(src, labels)
	}
	sw, err := b.W.Samples()
	if err != nil {
		return err
	}
	defer sw.Close()
	if err := newReading(b, src, sw).run(); err != nil {
		return err
	}
	return sw.Close()
}

// beginWith begins a new store for trees like t, the first tree of src.
func (b *builder) beginWith(t *index.Tree, src index.Source) error {
	b.Meta.Kind, b.Meta.OneAlphabet = t.Kind, t.OneAlphabet
	chosen, err := b.O.Spaces.ForNew(t.Kind)
	if err != nil {
		return err
	}
	b.begin(chosen)
	if len(b.O.Spaces.Spaces) == 0 { // the default spaces, which src does not know
		index.Tell(src, b.willIndex()...)
	}
	return nil
}

// willIndex returns the spaces that will be indexed. It returns an empty list if the choice depends on the
// samples.
func (b *builder) willIndex() (all []index.Space) {
	for _, s := range b.spaces {
		all = append(all, s.Space)
	}
	if len(b.spaces) == 0 {
		for _, r := range b.O.Spaces.Spaces {
			all = append(all, r.Space)
		}
	}
	return all
}

// measured is implemented by sources that know how many of their bytes are read.
type measured interface {
	Progress() (done, total int64)
}

// placed is implemented by sources that know the input and the position of the last sample.
type placed interface {
	Where() (input string, sentence int)
}

// readProgress begins the progress stage. It returns a function to call now and then.
func (b *builder) readProgress(src index.Source) (report func()) {
	m, ok := src.(measured)
	if !ok {
		b.O.Progress.Step("read", "samples", 0)
		last := b.added
		return func() {
			b.O.Progress.Add(int64(b.added - last))
			last = b.added
		}
	}
	last, total := m.Progress()
	b.O.Progress.Step("read", "bytes", total)
	return func() {
		done, _ := m.Progress()
		b.O.Progress.Add(done - last)
		last = done
	}
}

// describeWide says at how many heads the space leaves out fragments whose dependents are too far apart. It
// returns "" if there are no such heads.
func describeWide(s *store.SpaceInfo) string {
	r, err := spaces.Parse(s.ID)
	x, ok := r.Space.(index.Spanned)
	if err != nil || !ok || s.WideHeads == 0 {
		return ""
	}
	option, unbounded := x.Span()
	return fmt.Sprintf("; %s was felt at %s with more dependents (%s is no limit)", option, index.Plural(s.WideHeads, "head"), unbounded)
}

// Describe says what a space holds, as in the closing line of a run: `space stk, order ≤ 5, support ≥ 2:
// 58,079 fragments; 143,783 candidates below support not stored`.
func Describe(s *store.SpaceInfo) string {
	line := grow.Describe(s.ID, s.Limits())
	var below uint64
	for _, n := range s.Below {
		below += n
	}
	line += ": " + index.Plural(s.Features, "fragment")
	switch {
	case s.Features == 0 && !slices.ContainsFunc(s.Candidates, func(n uint64) bool { return n > 0 }):
		line += ", as no sample has any: its fragments are " + spaces.Help(spaces.NameOf(s.ID))
	case below > 0:
		line += "; " + index.Plural(below, "candidate") + " below support not stored"
	}
	return line + describeWide(s)
}
