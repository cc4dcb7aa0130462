package builder

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"fstore/index"
	"fstore/mine/grow"
)

// fragmentShares estimates how many of all fragments each sample has. Of every sharesStep fragments it looks
// at one. If a build ends because it exceeds its budget, the error names the sample with the most fragments.
type fragmentShares struct {
	seen atomic.Uint32   // fragments looked at
	of   []atomic.Uint32 // how many of the seen fragments each sample has
}

// sharesStep is so large that the cost of fragmentShares cannot be measured.
const sharesStep = 64

func (s *fragmentShares) add(samples []uint32) {
	s.seen.Add(1)
	for _, sample := range samples {
		s.of[sample].Add(1)
	}
}

// most returns the sample with the most fragments, and its share in percent. ok is false if no fragment was
// looked at.
func (s *fragmentShares) most() (sample, percent uint32, ok bool) {
	if s == nil || s.seen.Load() == 0 {
		return 0, 0, false
	}
	n := uint32(0)
	for i := range s.of {
		if k := s.of[i].Load(); k > n {
			sample, n = uint32(i), k
		}
	}
	return sample, uint32(100 * uint64(n) / uint64(s.seen.Load())), true
}

// exploded adds two facts to the error of a space that grew too large: which sample has the most fragments,
// and what the user can do.
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

// sampleName names a sample for people, with its input.
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
