package contrast

import (
	"bytes"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/index/glob"
	"fstore/mine/query"
	"fstore/store/posting"
)

// Kin sorts fragments into families, each with a head. Fragments must be added in order, the best first. A
// fragment joins the first head that it contains or is part of, and otherwise becomes a head. Kin is for one
// goroutine.
type Kin struct {
	Most  int // largest number of heads; 0: no limit
	Heads []Head

	t     *query.Table
	space index.Patterned // nil if the space cannot tell which fragments are parts of others
	tree  glob.Tree
}

// Head is the best fragment of a family. `Family` counts the fragments of the family, including the head.
type Head struct {
	Text   string
	Family uint64

	order int
	above *glob.Matcher // fits the fragments that have the head as a part
	tree  glob.Tree

	code    index.Code
	samples *roaring.Bitmap // nil until MayGo needs them
	support uint32
}

// NewKin returns a Kin for fragments of t. It makes at most maxHeads families; 0 means no limit.
func NewKin(t *query.Table, maxHeads int) *Kin {
	space, _ := t.Space.(index.Patterned)
	return &Kin{Most: maxHeads, t: t, space: space}
}

// Add adds the fragment with this text to a family. It reports whether the fragment becomes the head of a new
// family.
func (k *Kin) Add(text string) (isHead bool, err error) {
	c, err := k.t.Parse(text)
	if err != nil {
		return false, err
	}
	return k.AddCode(c)
}

// AddCode is Add for a fragment given by its code.
func (k *Kin) AddCode(c index.Code) (isHead bool, err error) {
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
	if k.IsFull() {
		return false, nil
	}
	if above == nil {
		above = k.above(c)
	}
	k.Heads = append(k.Heads, Head{
		Text: string(k.t.Text(nil, c)), Family: 1, order: order, above: above, code: bytes.Clone(c),
	})
	h := &k.Heads[len(k.Heads)-1]
	if k.space == nil {
		return true, nil
	}
	return true, k.space.Tree(&h.tree, c, k.t.Symbols())
}

// IsFull reports whether k has the largest allowed number of families.
func (k *Kin) IsFull() bool { return k.Most > 0 && len(k.Heads) == k.Most }

// MayGo reports whether a fragment with this order and posting list can join an existing family. It is faster
// than Add.
func (k *Kin) MayGo(order int, list []byte) (bool, error) {
	support, _, err := posting.Header(list)
	for i := range k.Heads {
		h := &k.Heads[i]
		if err == nil && h.samples == nil {
			err = k.readSamples(h)
		}
		if err != nil {
			return false, err
		}
		switch {
		case order > h.order && support <= h.support:
			if within, err := posting.IsWithin(list, h.samples); within || err != nil {
				return within, err
			}
		case order < h.order && support >= h.support:
			if n, err := posting.CountIn(list, h.samples); n == h.support || err != nil {
				return err == nil, err
			}
		}
	}
	return false, nil
}

func (k *Kin) readSamples(h *Head) error {
	list, err := k.t.Store().Get(k.t.Info.Number, h.code)
	if err == nil {
		h.samples, err = posting.Bitmap(list, k.t.Store().Meta().Samples)
	}
	if err == nil {
		h.support = uint32(h.samples.GetCardinality())
	}
	return err
}

// above returns a matcher for the fragments that have c as a part, or nil if the space has no such matcher.
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
