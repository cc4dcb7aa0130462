package builder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/grow"
	"fstore/store"
)

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

// Result is the result of a build: what the store holds now, and how much was added.
type Result struct {
	Meta  *store.Meta
	Added uint32 // number of added samples
}

// begin adds the chosen spaces to b.spaces.
func (b *builder) begin(chosen []grow.SpaceLimits) {
	for _, s := range chosen {
		b.spaces = append(b.spaces, &grow.Tallied{SpaceLimits: s, Tally: &index.Tally{}, Items: s.Space.NewItems(b.Syms)})
	}
}

// beginRanges saves the first state of a run that has read its samples. From now on, the run can be resumed.
func (b *builder) beginRanges(event store.Event) error {
	b.ranges = &grownRanges{b: b, state: buildState{Key: b.O.ResumeKey, Event: event}}
	if b.O.Mode == store.Append {
		return nil
	}
	// Save the state first: a run that is killed after the checkpoint needs the state to resume.
	return errors.Join(b.ranges.save(), b.W.Checkpoint())
}

// tallyOld counts the samples that the store already has, since growth needs them too.
func (b *builder) tallyOld() error {
	if b.Meta.Samples == 0 {
		return nil
	}
	return b.W.Store().Samples(0, b.Meta.Samples, func(id uint32, t *index.Tree) error {
		grow.CountSample(b.spaces, b.Syms, b.O.Memory, id, t)
		return b.Ctx.Err()
	})
}

// commit adds event to the history, together with what each space holds, and commits.
func (b *builder) commit(event store.Event) error {
	event.Decided = b.decided()
	b.Meta.History = append(b.Meta.History, event)
	return b.end()
}

func (b *builder) end() error {
	if err := b.Ctx.Err(); err != nil {
		return err
	}
	return b.W.CommitContext(b.Ctx)
}

// decided returns one line for each space, which says what the space holds.
func (b *builder) decided() string {
	var lines []string
	for i := range b.Meta.Spaces {
		lines = append(lines, Describe(&b.Meta.Spaces[i]))
	}
	return strings.Join(lines, "\n")
}

// Describe says what a space holds: `space stk, order ≤ 5, support ≥ 2: 58,079 fragments; 143,783
// candidates below support not stored`.
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

// describeWide returns a note on the heads with more dependents than the space's limit (index.Spanned).
func describeWide(s *store.SpaceInfo) string {
	r, err := spaces.Parse(s.ID)
	x, ok := r.Space.(index.Spanned)
	if err != nil || !ok || s.WideHeads == 0 {
		return ""
	}
	option, unbounded := x.Span()
	return fmt.Sprintf("; %s was felt at %s with more dependents (%s is no limit)", option, index.Plural(s.WideHeads, "head"), unbounded)
}
