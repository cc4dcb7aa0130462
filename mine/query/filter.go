package query

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/index/glob"
	"fstore/index/pattern"
	"fstore/store"
	"fstore/store/posting"
)

// ErrNoPatterns says that a space has no patterns, so it cannot tell whether one fragment contains another.
var ErrNoPatterns = index.Usagef("no patterns")

// ErrTooManyParts says that a fragment has more parts than Filter.MaxParts.
var ErrTooManyParts = errors.New("too many parts")

// Filter says which fragments are wanted: those that meet every condition that is set.
type Filter struct {
	// Pattern must fit at the root of the fragment. If Or is set, Pattern or a pattern in Or must fit.
	Pattern *glob.Pattern
	Or      []*glob.Pattern
	// Contains must be a part of the fragment, directly or through other parts.
	Contains index.Code
	// Within is a fragment of which the wanted fragments are parts, directly or through other parts.
	Within index.Code
	// MaxParts is the largest number of parts of Within: with more, the error is ErrTooManyParts. 0 is
	// DefaultMaxParts.
	MaxParts int
}

// DefaultMaxParts is how many parts a fragment has if 20 of its steps can be left out independently.
const DefaultMaxParts = 1 << 20

// IsZero reports whether every fragment is wanted.
func (w Filter) IsZero() bool { return w.Pattern == nil && w.Contains == nil && w.Within == nil }

// IsWild reports whether a text contains the characters of a wildcard. Names in a fragment can contain them
// too.
func IsWild(text string) bool {
	return strings.Contains(text, glob.Wildcard) || strings.Contains(text, glob.Rest)
}

// Alternatives returns the fragment patterns that a pattern of trees (package pattern) stands for, or nil if
// there are too many or `text` is no such pattern. `conditions` says whether `text` has conditions that
// cannot be checked in a fragment.
func (t *Table) Alternatives(text string) (all []*glob.Pattern, conditions bool) {
	space, ok := t.Space.(index.Patterned)
	m := t.s.Meta()
	p, err := pattern.Parse(text, pattern.Options{Kind: m.Kind, OneAlphabet: m.OneAlphabet})
	if !ok || err != nil {
		return nil, false
	}
	texts, conditions := p.Expand(t.syms)
	return patterns(space, texts, t.syms), conditions
}

// patterns returns the parsed texts. It skips texts that are no patterns or have unknown names.
func patterns(space index.Patterned, texts []string, syms *index.Symbols) (all []*glob.Pattern) {
	for _, text := range texts {
		if p, err := space.ParsePattern(text, syms); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// List calls f for every wanted fragment, in code order. Each row is valid until f returns.
func (t *Table) List(ctx context.Context, w Filter, f func(*Row) error) error {
	if w.IsZero() {
		return t.Each(ctx, f)
	}
	s, err := t.newSieve(w)
	if err != nil {
		return err
	}
	if w.Within != nil {
		return t.eachPart(ctx, w, s, f)
	}
	var lo, hi index.Code
	if w.Pattern != nil && len(w.Or) == 0 && len(w.Pattern.Prefix) > 0 {
		lo = w.Pattern.Prefix
		hi = lo.PrefixEnd()
	}
	return t.scan(ctx, lo, hi, s.keeps, f)
}

// eachPart does the work of List if the field Within of the filter is set.
func (t *Table) eachPart(ctx context.Context, w Filter, s *sieve, f func(*Row) error) error {
	parts, err := t.allParts(ctx, w)
	if err != nil {
		return err
	}
	for n, c := range parts {
		if n%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v, err := t.s.Get(t.Info.Number, c)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		wanted := false
		if err == nil {
			wanted, err = s.keeps(c, v)
		}
		if wanted {
			var id uint32
			if id, err = t.s.Rank(t.Info.Number, c); err == nil {
				err = t.fill(&t.row, c, v, id)
			}
			if err == nil {
				err = f(&t.row)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// allParts returns the parts of w.Within, the parts of those parts, and so on. The list is ascending.
func (t *Table) allParts(ctx context.Context, w Filter) ([]index.Code, error) {
	most := cmp.Or(w.MaxParts, DefaultMaxParts)
	seen := map[string]bool{}
	var all, parts []index.Code // all has the parts found so far; the parts from next on were not split yet
	for c, next := w.Within, 0; ; next++ {
		parts = t.Space.Parts(parts[:0], c, t.syms)
		for _, p := range parts {
			if !seen[string(p)] {
				seen[string(p)] = true
				all = append(all, p)
			}
		}
		switch {
		case len(all) > most:
			return nil, fmt.Errorf("%w: %s has more than %s", ErrTooManyParts, t.Text(nil, w.Within), index.Thousands(int64(most)))
		case next%lookEvery == 0 && ctx.Err() != nil:
			return nil, ctx.Err()
		case next == len(all):
			slices.SortFunc(all, func(a, b index.Code) int { return bytes.Compare(a, b) })
			return all, nil
		}
		c = all[next]
	}
}

// sieve decides which codes are wanted.
type sieve struct {
	t       *Table
	space   index.Patterned
	pattern []*glob.Matcher // one of these must fit; if empty, every fragment fits
	above   *glob.Matcher   // fits the fragments that contain Filter.Contains; nil fits every fragment
	order   int             // the order of Filter.Contains
	samples *roaring.Bitmap // the samples with Filter.Contains; nil if that fragment is not stored
	support uint32          // the number of these samples
	tree    glob.Tree

	// roots has matchers for the first step of a code: if none fits, no pattern fits the code. If roots is
	// nil, any first step will do.
	roots    []*glob.Matcher
	root     []byte // the first step of the last code
	rootFits bool
}

func (t *Table) newSieve(w Filter) (*sieve, error) {
	s := &sieve{t: t}
	if w.Pattern == nil && w.Contains == nil {
		return s, nil
	}
	var ok bool
	if s.space, ok = t.Space.(index.Patterned); !ok {
		return nil, fmt.Errorf("%w: space %s does not tell which fragments contain another", ErrNoPatterns, t.Info.ID)
	}
	if w.Pattern != nil {
		all := append([]*glob.Pattern{w.Pattern}, w.Or...)
		for _, p := range all {
			s.pattern = append(s.pattern, glob.NewMatcher(p))
		}
		s.readRoots(all)
	}
	if w.Contains == nil {
		return s, nil
	}
	s.above = glob.NewMatcher(s.space.Above(w.Contains, t.syms))
	s.order = w.Contains.Len()
	v, err := t.s.Get(t.Info.Number, w.Contains)
	switch {
	case errors.Is(err, store.ErrNotFound): // either w.Contains is not closed, or no stored fragment contains it
		return s, nil
	case err != nil:
		return nil, err
	}
	if s.samples, err = posting.Bitmap(v, t.s.Meta().Samples); err != nil {
		return nil, t.damaged(err)
	}
	s.support = uint32(s.samples.GetCardinality())
	return s, nil
}

// keeps reports whether a stored fragment is wanted, given its code and its posting list.
func (s *sieve) keeps(c index.Code, list []byte) (bool, error) {
	if s.above != nil {
		if ok, err := s.mayContain(c, list); err != nil || !ok {
			return false, err
		}
	}
	if s.space == nil {
		return true, nil
	}
	if ok, err := s.fitsRoot(c); !ok {
		return false, err
	}
	if err := s.space.Tree(&s.tree, c, s.t.syms); err != nil {
		return false, s.t.damaged(err)
	}
	fits := func(m *glob.Matcher) bool { return m.Fits(&s.tree) }
	return (s.pattern == nil || slices.ContainsFunc(s.pattern, fits)) && (s.above == nil || s.above.FitsSomewhere(&s.tree)), nil
}

func (s *sieve) readRoots(all []*glob.Pattern) {
	x, ok := s.space.(index.Implying)
	if !ok {
		return
	}
	im, ok := x.Implied()
	if !ok || !im.Same {
		return
	}
	for _, p := range all {
		if p.Embedded || p.Unordered {
			s.roots = nil
			return
		}
		root := rootOf(p.Root, im.Complete)
		s.roots = append(s.roots, glob.NewMatcher(&glob.Pattern{Root: root}))
	}
}

// rootOf cuts a pattern down to what the first step of a code must fit: the root, with at most one child or,
// if `complete` is set, with all children.
func rootOf(p *glob.Node, complete bool) *glob.Node {
	root := *p
	switch {
	case complete:
	case len(p.Left) > 0 && p.Left[0] != nil:
		root.Left, root.Kids = p.Left[:1], nil
	case len(p.Left) > 0: // the left side can be empty in a fragment
		root.Left, root.Kids = []*glob.Node{nil}, []*glob.Node{nil}
	default:
		root.Kids = p.Kids[:min(1, len(p.Kids))]
	}
	root.Left, root.Kids = withoutKids(root.Left), withoutKids(root.Kids)
	return &root
}

// withoutKids copies nodes. The copies allow any children.
func withoutKids(all []*glob.Node) []*glob.Node {
	bare := slices.Clone(all)
	for i, node := range bare {
		if node != nil {
			bare[i] = &glob.Node{Label: node.Label, More: node.More, Left: []*glob.Node{nil}, Kids: []*glob.Node{nil}}
		}
	}
	return bare
}

// fitsRoot reports whether a pattern can fit codes with the first step of c. It remembers the result for the
// next code.
func (s *sieve) fitsRoot(c index.Code) (bool, error) {
	if s.roots == nil {
		return true, nil
	}
	_, rest, _ := c.Next()
	root := c[:len(c)-len(rest)]
	if s.root != nil && bytes.Equal(root, s.root) {
		return s.rootFits, nil
	}
	if err := s.space.Tree(&s.tree, root, s.t.syms); err != nil {
		return false, s.t.damaged(err)
	}
	s.root = append(s.root[:0], root...)
	s.rootFits = slices.ContainsFunc(s.roots, func(m *glob.Matcher) bool { return m.Fits(&s.tree) })
	return s.rootFits, nil
}

// mayContain returns false if the order or the samples show that the fragment cannot contain Filter.Contains.
func (s *sieve) mayContain(c index.Code, list []byte) (bool, error) {
	if c.Len() <= s.order {
		return false, nil
	}
	if s.samples == nil {
		return true, nil
	}
	support, _, err := posting.Header(list)
	if err != nil || support > s.support {
		return false, s.t.damaged(err)
	}
	within, err := posting.IsWithin(list, s.samples)
	return within, s.t.damaged(err)
}
