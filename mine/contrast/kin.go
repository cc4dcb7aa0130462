package contrast

import (
	"fstore/index"
	"fstore/index/glob"
	"fstore/mine/query"
)

// Kin are fragments of which none is part of another, each with the number of fragments that go
// with it. Fragments come best first: one that is part of a fragment there, or has it as a part
// (or a part of a part and so on), goes with the first such; any other is one of them. It is for
// one goroutine.
type Kin struct {
	Most  int // of them at most are kept; 0 is any number
	Heads []Head

	t     *query.Table
	space index.Patterned // nil: the space cannot tell parts
	tree  glob.Tree
}

// Head is one of the fragments, and how many there are in its family, itself included.
type Head struct {
	Text   string
	Family uint64

	order int
	above *glob.Matcher // fits what has it as a part
	tree  glob.Tree
}

// NewKin returns none of a table.
func NewKin(t *query.Table, most int) *Kin {
	space, _ := t.Space.(index.Patterned)
	return &Kin{Most: most, t: t, space: space}
}

// Add takes a fragment by its text, and says whether it is one of Heads now.
func (k *Kin) Add(text string) (isHead bool, err error) {
	c, err := k.t.Parse(text)
	if err != nil {
		return false, err
	}
	order := c.Len()
	k.tree.Reset()
	if k.space != nil {
		if err := k.space.Tree(&k.tree, c, k.t.Symbols()); err != nil {
			return false, err
		}
	}
	var above *glob.Matcher
	for i := range k.Heads {
		h := &k.Heads[i]
		if order < h.order && above == nil {
			above = k.above(c)
		}
		if order > h.order && h.above != nil && h.above.FitsSomewhere(&k.tree) || order < h.order && above != nil && above.FitsSomewhere(&h.tree) {
			h.Family++
			return false, nil
		}
	}
	if k.Most > 0 && len(k.Heads) == k.Most {
		return false, nil
	}
	if above == nil {
		above = k.above(c)
	}
	k.Heads = append(k.Heads, Head{Text: text, Family: 1, order: order, above: above})
	h := &k.Heads[len(k.Heads)-1]
	if k.space == nil {
		return true, nil
	}
	return true, k.space.Tree(&h.tree, c, k.t.Symbols())
}

// above returns what fits the fragments that have c as a part, nil where nobody can tell.
func (k *Kin) above(c index.Code) *glob.Matcher {
	if k.space == nil {
		return nil
	}
	p := k.space.Above(c, k.t.Symbols())
	if p == nil {
		return nil
	}
	return glob.NewMatcher(p)
}
