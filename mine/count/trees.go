// Package count finds and counts constructions in the trees of a store, whatever fragments it has:
// patterns (package pattern), and fragments of its spaces. The posting lists of stored fragments
// bound where hits can be, and only these trees are read. Start at [Open].
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

// Trees are the trees of a store. They are shared by goroutines.
type Trees struct {
	s      *store.Store
	syms   *index.Symbols
	spaces []*spaceIn
	own    *spaceIn // whose fragments are read as such; nil: patterns only

	// NoFragments reads the text of a fragment as a pattern too.
	NoFragments bool
}

// spaceIn is a space of the store.
type spaceIn struct {
	index.Space
	info *store.SpaceInfo
}

// Open opens the trees of a store. space is that whose fragments may be asked for, see
// query.SpaceOf; with "", a store of several spaces is asked for patterns only.
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

// Store is the store.
func (x *Trees) Store() *store.Store { return x.s }

// Symbols are those of the store.
func (x *Trees) Symbols() *index.Symbols { return x.syms }

// Construction is what is looked for: a pattern, or a fragment of a space.
type Construction struct {
	Text string
	// Pattern is nil of a fragment whose space matches it in its own way.
	Pattern *pattern.Pattern
	// Fragment is the fragment that the text is, in Space; nil where it is none.
	Fragment index.Code
	Space    index.Space

	in *spaceIn
}

// Parse reads what is looked for. A text that is a fragment of the space means what it means
// there: in a space that does not tell the sides of a head apart, > is either side. Any other is a
// pattern. Errors are *pattern.Error, or the store's.
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

// fragment reads a text as a fragment of the space; ok says whether it is one. In a space of whole
// subtrees (NP (DT)) means a DT without children. There a text is a fragment only where that is
// stored: elsewhere people mean any DT.
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

// Elsewhere returns the spaces in which the text of a pattern is a stored fragment that means something
// else, by their names, where the store has several spaces and none was chosen.
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

// options say what the trees are.
func (x *Trees) options() pattern.Options {
	m := x.s.Meta()
	o := pattern.Options{Kind: m.Kind, OneAlphabet: m.OneAlphabet}
	for _, s := range x.spaces {
		if _, word, ok := strings.Cut(s.info.ID, "words="); ok { // dep:words=lemma: [give] is a lemma
			o.Words, _, _ = strings.Cut(word, ",")
		}
	}
	return o
}

// implied is index.Implying of a space that is that.
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

// has says whether all fragments of an order that any tree has are stored.
func (s *spaceIn) has(order int) bool {
	i := s.info
	return i.MinSupport <= 1 && !i.Closed && (i.MaxOrder == 0 || order <= i.MaxOrder)
}

// Finder finds a construction in trees. It is for one goroutine.
type Finder interface {
	// Count returns the hits, and the nodes at which one begins.
	Count(t *index.Tree) (hits uint64, places int, err error)
	// Each calls f for the hits until it returns false, with the nodes of each: of a pattern in the
	// order of its text, of a fragment ascending.
	Each(t *index.Tree, f func(row []int32) bool)
}

// Finder returns a new finder, of trees over syms.
func (c *Construction) Finder(syms *index.Symbols) Finder {
	if c.Pattern != nil {
		return pattern.NewMatcher(c.Pattern, syms)
	}
	return &located{c.unbounded(), c.Fragment, syms}
}

// unbounded is the space without the option that leaves out fragments where heads are wide.
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

// located finds a fragment as its space does.
type located struct {
	space index.Space
	code  index.Code
	syms  *index.Symbols
}

// ErrTooMany says that a fragment has more hits in one tree than its space locates.
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

// beginning is the node at which an occurrence begins: its root, or of words that have no head among
// them the first.
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

// Own is the ID of the space whose fragments are read as such, "" where there is none.
func (x *Trees) Own() string {
	if x.own == nil {
		return ""
	}
	return x.own.info.ID
}

// EitherSide returns the ID of a space in whose fragments > leads to either side of a head, "" if there
// is none. It looks at the space that fragments are read in, or, if no space is chosen, at all spaces
// of the store.
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

// ReadsSides says whether c was read as a pattern of trees, in which < and > each mean one side, though
// in a fragment of the store > would mean either side.
func (x *Trees) ReadsSides(c *Construction) bool {
	return c.Fragment == nil && x.EitherSide() != "" && strings.ContainsAny(strings.ReplaceAll(c.Text, "<>", ""), "<>")
}
