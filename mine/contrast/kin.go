package contrast

import (
	"bytes"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/index/glob"
	"fstore/mine/query"
	"fstore/store/posting"
)

// Kin are fragments of which none is part of another, each with the size of its family. Fragments come best
// first. One that is part of a head, or of its parts and so on, or has a head as such a part, joins the
// family of the first such head. Any other becomes a head. Kin is for one goroutine.
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

	code    index.Code
	samples *roaring.Bitmap // nil until MayGo needs them
	support uint32
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
	return k.AddCode(c)
}

// AddCode is Add of a fragment by its code.
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

// IsFull says whether Heads are Most. A fragment that comes later can only go with one of them.
func (k *Kin) IsFull() bool { return k.Most > 0 && len(k.Heads) == k.Most }

// MayGo says whether a fragment of this order, with this posting list, can go with one of Heads: a fragment
// that contains another is in no sample without it. If IsFull is true and MayGo false, Add need not be
// called, which takes longer.
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

// above returns what fits the fragments that have c as a part, nil if the space cannot tell.
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
