package gradient

import (
	"context"
	"errors"
	"testing"

	"fstore/index"
	"fstore/mine/template"
)

// A problem with too many candidates for numbers of 32 bits is an error.
func TestTooManyCandidates(t *testing.T) {
	p := &Problem{Samples: 1 << 31, Classes: 2}
	if _, err := Mine(context.Background(), p, Options{}); err == nil {
		t.Error("2³² candidates are mined")
	}
	p.Samples--
	if n, err := p.Candidates(); n != 1<<32-2 || err != nil {
		t.Error(n, err)
	}
}

// Also if growth fails, the counters of templates are released.
func TestFailedGrowthReleases(t *testing.T) {
	l := newLists(t, "dep:siblings=adjacent,template=rel+h.upos+m.upos", 1, 8, 3, 2)
	out := &set{s: &streamFiles{}, templates: template.New(l.space, l.syms)}
	c := out.templates.Counter()
	out.templates.Release(c)
	tally := &index.Tally{}
	for n, x := range l.trees {
		l.space.Tally(x, l.syms, uint32(n), tally)
	}
	failed := errors.New("failed")
	_, err := growRanges(context.Background(), tally, 1, 0, out, func(index.Range, index.Visitor) (index.Counts, error) {
		return index.Counts{}, failed
	})
	if !errors.Is(err, failed) {
		t.Fatal(err)
	}
	if out.templates.Counter() != c {
		t.Error("the counter is not given back")
	}
}
