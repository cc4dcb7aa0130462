// Package count finds and counts constructions in the trees of a store. A construction is a pattern (package
// pattern), or a fragment of a space, stored or not. Posting lists of stored fragments limit which trees are
// read. Start at [Open].
package count

import (
	"errors"
	"fmt"
	"strings"

	"fstore/index"
	"fstore/index/pattern"
	"fstore/index/spaces"
	"fstore/mine/query"
	"fstore/store"
)

// Trees gives access to the trees of a store. Several goroutines can use it at the same time.
type Trees struct {
	s      *store.Store
	syms   *index.Symbols
	spaces []*spaceIn
	own    *spaceIn // the space in which texts are read as fragments; nil: all texts are patterns

	// NoFragments says that every text is read as a pattern, even if it is a fragment.
	NoFragments bool
}

// spaceIn is a space of the store, with the store's information on it.
type spaceIn struct {
	index.Space
	info *store.SpaceInfo
}

// Open opens the trees of a store. The texts to search for are patterns, or fragments of the space with this
// name. If the name is "" and there is not exactly one space, all texts are patterns.
func Open(s *store.Store, space string) (*Trees, error) {
	x := &Trees{s: s}
	var err error
	if x.syms, err = s.Symbols(); err != nil {
		return nil, err
	}
	m := s.Meta()
	for i := range m.Spaces {
		r, err := spaces.Parse(m.Spaces[i].ID)
		if err != nil {
			return nil, err
		}
		x.spaces = append(x.spaces, &spaceIn{r.Space, &m.Spaces[i]})
	}
	if space == "" && len(x.spaces) != 1 {
		return x, nil
	}
	_, info, err := query.SpaceOf(s, space)
	if err != nil {
		return nil, err
	}
	x.own = x.spaces[info.Number]
	return x, nil
}

// Store returns the store from which the trees are read.
func (x *Trees) Store() *store.Store { return x.s }

// Symbols returns the symbols of the store, which Construction.Finder needs.
func (x *Trees) Symbols() *index.Symbols { return x.syms }

// Construction is what is searched for in trees: a pattern, or a fragment of a space.
type Construction struct {
	Text string
	// Pattern is nil for a fragment that only its space can find.
	Pattern *pattern.Pattern
	// Fragment is the code of Text if Text is a fragment of Space, else nil.
	Fragment index.Code
	Space    index.Space

	in *spaceIn
}

// Parse reads a fragment of the space, or else a pattern. The space says what a fragment means: for example,
// > can stand for either side of a head. Errors are *pattern.Error, or errors of the store.
func (x *Trees) Parse(text string) (*Construction, error) {
	c := &Construction{Text: text}
	o := x.options()
	code, ok, err := x.fragment(text)
	if err != nil {
		return nil, err
	}
	if ok {
		c.Fragment, c.Space, c.in = code, x.own.Space, x.own
		if im, ok := x.own.implied(); !ok || !im.Same {
			return c, nil
		}
		o.Literal = true
	}
	c.Pattern, err = pattern.Parse(text, o)
	return c, err
}

// fragment reads a text as a fragment of the space, and says whether it is one. In a space of whole subtrees,
// only a stored text is a fragment. Another text, such as (NP (DT)), is a pattern.
func (x *Trees) fragment(text string) (c index.Code, ok bool, err error) {
	if x.own == nil || x.NoFragments || query.IsWild(text) {
		return nil, false, nil
	}
	c, err = x.own.ParseText(text, x.syms)
	if err != nil {
		return nil, false, nil
	}
	if im, _ := x.own.implied(); im.Whole {
		_, err = x.s.Rank(x.own.info.Number, c)
		if errors.Is(err, store.ErrNotFound) {
			return nil, false, nil
		}
	}
	return c, err == nil, err
}

// Elsewhere returns the IDs of spaces in which the text of a pattern is a stored fragment with another
// meaning. It returns no IDs if Own names a space.
func (x *Trees) Elsewhere(c *Construction) (names []string, err error) {
	if x.own != nil || x.NoFragments || query.IsWild(c.Text) {
		return nil, nil
	}
	for _, s := range x.spaces {
		code, err := s.ParseText(c.Text, x.syms)
		if im, _ := s.implied(); err != nil || im.Same {
			continue
		}
		switch _, err = x.s.Rank(s.info.Number, code); {
		case err == nil:
			names = append(names, s.info.ID)
		case !errors.Is(err, store.ErrNotFound):
			return nil, err
		}
	}
	return names, nil
}

func (x *Trees) options() pattern.Options {
	m := x.s.Meta()
	o := pattern.Options{Kind: m.Kind, OneAlphabet: m.OneAlphabet}
	for _, s := range x.spaces {
		if _, word, ok := strings.Cut(s.info.ID, "words="); ok { // with dep:words=lemma, [give] is a lemma
			o.Words, _, _ = strings.Cut(word, ",")
		}
	}
	return o
}

// implied returns the index.Implied of the space, without Siblings if the space's limit on distances has left
// out fragments.
func (s *spaceIn) implied() (im index.Implied, ok bool) {
	x, ok := s.Space.(index.Implying)
	if !ok {
		return im, false
	}
	if im, ok = x.Implied(); im.Spanned && s.info.WideHeads > 0 {
		im.Siblings = false
	}
	return im, ok
}

// has reports whether the store has every fragment of this order that occurs in its trees.
func (s *spaceIn) has(order int) bool {
	i := s.info
	return i.MinSupport <= 1 && !i.Closed && (i.MaxOrder == 0 || order <= i.MaxOrder)
}

// Finder finds a construction in trees. It is for one goroutine.
type Finder interface {
	// Count returns the number of hits, and the number of nodes at which hits begin.
	Count(t *index.Tree) (hits uint64, places int, err error)
	// Each calls f with the nodes of each hit, until f returns false. The nodes of a pattern are in the order
	// of the text; those of a fragment ascend.
	Each(t *index.Tree, f func(row []int32) bool)
}

// Finder returns a new finder of the construction, for trees whose symbols are in syms.
func (c *Construction) Finder(syms *index.Symbols) Finder {
	if c.Pattern != nil {
		return pattern.NewMatcher(c.Pattern, syms)
	}
	return &located{c.unbounded(), c.Fragment, syms}
}

// unbounded returns the space without its limit on the distance between dependents (index.Spanned).
func (c *Construction) unbounded() index.Space {
	x, ok := c.Space.(index.Spanned)
	if !ok {
		return c.Space
	}
	option, without := x.Span()
	r, err := spaces.Parse(strings.Replace(spaces.RecordID(c.Space.ID()), option, without, 1))
	if err != nil {
		return c.Space
	}
	return r.Space
}

// located finds a fragment with the Locate method of its space.
type located struct {
	space index.Space
	code  index.Code
	syms  *index.Symbols
}

// ErrTooMany says that a fragment has more hits in one tree than can be found.
var ErrTooMany = errors.New("hits that cannot be counted")

func (l *located) Count(t *index.Tree) (hits uint64, places int, err error) {
	all := l.space.Locate(t, l.code, l.syms)
	if len(all) == index.MaxLocated {
		return 0, 0, fmt.Errorf("%w: sample %s has %s or more of one fragment", ErrTooMany, t.Name, index.Thousands(index.MaxLocated))
	}
	at := map[int32]bool{}
	for _, o := range all {
		at[beginning(t, o)] = true
	}
	return uint64(len(all)), len(at), nil
}

func (l *located) Each(t *index.Tree, f func(row []int32) bool) {
	for _, o := range l.space.Locate(t, l.code, l.syms) {
		if !f(o) {
			return
		}
	}
}

// beginning returns the node at which an occurrence begins: its root, or the first of several roots.
func beginning(t *index.Tree, o index.Occurrence) int32 {
	if t.Kind == index.Dependency {
		within := map[int32]bool{}
		for _, i := range o {
			within[i] = true
		}
		for _, i := range o {
			if !within[t.Tokens[i].Head-1] {
				return i
			}
		}
	}
	if len(o) == 0 {
		return -1
	}
	return o[0]
}

// Own returns the ID of the space in which texts are read as fragments, or "" if there is no such space.
func (x *Trees) Own() string {
	if x.own == nil {
		return ""
	}
	return x.own.info.ID
}

// EitherSide returns the ID of a space whose fragments do not tell left from right, or "" if there is none.
// It checks the chosen space, or all spaces of the store if none is chosen.
func (x *Trees) EitherSide() string {
	all := x.spaces
	if x.own != nil {
		all = []*spaceIn{x.own}
	}
	for _, s := range all {
		if sided, ok := s.Space.(index.Sided); ok && !sided.Sides() {
			return s.info.ID
		}
	}
	return ""
}

// ReadsSides reports whether c is a pattern with < or >, in a store with fragments that do not tell left from
// right.
func (x *Trees) ReadsSides(c *Construction) bool {
	return c.Fragment == nil && x.EitherSide() != "" && strings.ContainsAny(strings.ReplaceAll(c.Text, "<>", ""), "<>")
}
