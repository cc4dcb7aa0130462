package mine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/template"
	"fstore/store"
)

// Result is what a build decided.
type Result struct {
	Meta  *store.Meta
	Added uint32 // samples
}

// Build reads all samples into the store at dir and indexes their fragments. It
// commits at one point: on an error the store is as it was, or not there.
func Build(ctx context.Context, dir string, o Options) (*Result, error) {
	o.setDefaults()
	w, err := beginBuild(dir, store.WriteOptions{Options: store.Options{FS: o.FS}, Mode: o.Mode, Resume: o.Resume})
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	b := &builder{ctx: ctx, o: o, w: w, meta: w.Meta(), budget: newBudget(o.MaxFragments)}
	if err := b.run(); err != nil {
		if b.ranges != nil && ctx.Err() != nil {
			err = errors.Join(err, b.ranges.interrupted())
		}
		return nil, err
	}
	return &Result{Meta: b.meta, Added: b.added}, nil
}

type builder struct {
	ctx    context.Context
	o      Options
	w      *store.Writer
	meta   *store.Meta
	syms   *index.Symbols
	spaces []*spaceRun
	added  uint32
	budget *budget
	shares *fragmentShares // of the space that is being indexed; nil: there is no bound
	ranges *grownRanges    // once the samples are read
}

// spaceRun is a space being indexed.
type spaceRun struct {
	SpaceLimits
	tally *index.Tally
	items index.Items // nil once it has outgrown the budget
	wide  uint64      // heads, as index.Spanned counts them

	templates *template.Templates // of what is indexed; nil where the space has none
}

// seal ends adding to the items, where they are held.
func (s *spaceRun) seal() {
	if s.items != nil {
		s.items.Seal()
	}
}

func (b *builder) run() error {
	b.syms = b.w.Symbols()
	if b.w.Resumed() && len(b.meta.History) > 0 {
		return b.publish()
	}
	if b.o.Mode == store.Append {
		chosen, err := b.o.Spaces.forAppend(b.w.Store().Dir(), b.meta)
		if err != nil {
			return err
		}
		b.begin(chosen)
	}
	event, err := b.fill()
	if err != nil {
		return err
	}
	event.Decided = b.decided()
	b.meta.History = append(b.meta.History, event)
	if err := b.ctx.Err(); err != nil {
		return err
	}
	return b.w.CommitUnread(b.ctx, b.o.Progress)
}

// fill has the samples read and indexes all spaces. It returns the run's entry of the
// history.
func (b *builder) fill() (event store.Event, err error) {
	if b.w.Resumed() {
		event, err = b.resume()
	} else {
		event, err = b.readAll()
	}
	if err != nil {
		return event, err
	}
	for _, s := range b.spaces {
		s.seal()
		if err := b.index(s); err != nil {
			return event, fmt.Errorf("space %s: %w", s.Space.ID(), b.exploded(s, err))
		}
		s.items = nil
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
	event = b.o.Event()
	return event, b.beginRanges(event)
}

// decided says what each space holds, a line each.
func (b *builder) decided() string {
	var lines []string
	for i := range b.meta.Spaces {
		lines = append(lines, Describe(&b.meta.Spaces[i]))
	}
	return strings.Join(lines, "\n")
}

// begin starts to index the chosen spaces.
func (b *builder) begin(chosen []SpaceLimits) {
	for _, s := range chosen {
		b.spaces = append(b.spaces, &spaceRun{SpaceLimits: s, tally: &index.Tally{}, items: s.Space.NewItems(b.syms)})
	}
}

// tallyOld counts the samples that the store has already: an append indexes
// everything again.
func (b *builder) tallyOld() error {
	if b.meta.Samples == 0 {
		return nil
	}
	return b.w.Store().Samples(0, b.meta.Samples, func(id uint32, t *index.Tree) error {
		b.count(id, t)
		return b.ctx.Err()
	})
}

// read is pass one: every sample goes into the store, and into the items of each
// space as long as they fit.
func (b *builder) read() error {
	src, err := b.o.Source(b.syms)
	if err != nil {
		return err
	}
	report := b.readProgress(src)
	sw, err := b.w.Samples()
	if err != nil {
		return err
	}
	defer sw.Close()
	from, _ := src.(placed)
	var t index.Tree
	for {
		if b.added&0xFF == 0 {
			if err := b.ctx.Err(); err != nil {
				return err
			}
			report()
		}
		err := src.Next(&t)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if b.meta.Samples == 0 && b.added == 0 && b.o.Mode != store.Append {
			b.meta.Kind, b.meta.OneAlphabet = t.Kind, t.OneAlphabet
			chosen, err := b.o.Spaces.forNew(t.Kind)
			if err != nil {
				return err
			}
			b.begin(chosen)
		}
		if err := CheckSame(b.meta.Kind, b.meta.OneAlphabet, &t); err != nil {
			return err
		}
		for _, s := range b.spaces {
			s.Space.Prepare(&t, b.syms)
		}
		if from != nil && t.Gold != index.GoldAdded { // which is from another file than its list
			input, _ := from.Where()
			sw.From(input)
		}
		id, err := sw.Add(&t)
		if err != nil {
			return err
		}
		b.count(id, &t)
		b.added++
	}
	return sw.Close()
}

// measured is implemented by sources that know how much of their bytes is read.
type measured interface {
	Progress() (done, total int64)
}

// placed is implemented by sources that know where the last sample stands in which input.
type placed interface {
	Where() (input string, sentence int)
}

// readProgress begins the stage and returns what is to be called now and then.
func (b *builder) readProgress(src index.Source) (report func()) {
	m, ok := src.(measured)
	if !ok {
		b.o.Progress.Step("read", "samples", 0)
		last := b.added
		return func() {
			b.o.Progress.Add(int64(b.added - last))
			last = b.added
		}
	}
	last, total := m.Progress()
	b.o.Progress.Step("read", "bytes", total)
	return func() {
		done, _ := m.Progress()
		b.o.Progress.Add(done - last)
		last = done
	}
}

// CheckSame returns an ErrMixed where t is of another kind or alphabet.
func CheckSame(kind index.Kind, oneAlphabet bool, t *index.Tree) error {
	if t.Kind == kind && t.OneAlphabet == oneAlphabet {
		return nil
	}
	describe := func(k index.Kind, oneAlphabet bool) string {
		switch {
		case k == index.Dependency:
			return "dependency trees"
		case oneAlphabet:
			return "constituency trees whose words are labels (svmtk)"
		}
		return "bracketed constituency trees"
	}
	return fmt.Errorf("%w: there are %s, and sample %s is one of %s", ErrMixed,
		describe(kind, oneAlphabet), t.Name, describe(t.Kind, t.OneAlphabet))
}

// count adds a sample to the tally and the items of each space.
func (b *builder) count(id uint32, t *index.Tree) {
	var held int64
	for _, s := range b.spaces {
		s.Space.Tally(t, b.syms, id, s.tally)
		if x, ok := s.Space.(index.Spanned); ok {
			s.wide += uint64(x.Wide(t, s.Limits))
		}
		if s.items != nil {
			s.items.Add(id, t, index.All, s.Limits)
			held += s.items.Bytes()
		}
	}
	if held <= b.o.Memory/2 {
		return
	}
	for _, s := range b.spaces {
		s.items = nil
	}
}

// describeWide says at how many heads the space leaves out fragments whose dependents lie
// too far apart; "" where there are none.
func describeWide(s *store.SpaceInfo) string {
	r, err := spaces.Parse(s.ID)
	x, ok := r.Space.(index.Spanned)
	if err != nil || !ok || s.WideHeads == 0 {
		return ""
	}
	option, unbounded := x.Span()
	return fmt.Sprintf("; %s was felt at %s with more dependents (%s is no limit)", option, index.Plural(s.WideHeads, "head"), unbounded)
}

// Describe says what a space holds, as each run's closing line does: `space stk,
// order ≤ 5, support ≥ 2: 58,079 fragments; 143,783 candidates below support not
// stored`.
func Describe(s *store.SpaceInfo) string {
	line := describeLimits(s.ID, limitsOf(s))
	var below uint64
	for _, n := range s.Below {
		below += n
	}
	line += ": " + index.Thousands(uint64(s.Features)) + " fragments"
	if below > 0 {
		line += "; " + index.Thousands(below) + " candidates below support not stored"
	}
	return line + describeWide(s)
}
