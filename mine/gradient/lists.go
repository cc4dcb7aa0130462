package gradient

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/store"
)

// NewLists returns the problem of a store's K-best lists, or nil if the samples are not K-best lists. It
// leaves out lists without a gold tree, and lists whose first sample is in leftOut.
//
// Without fragments, a candidate's score is `base` times the parser's score. A gold tree that the parser did
// not offer gets the lowest score of its list.
func NewLists(ctx context.Context, st *store.Store, space index.Space, base float64, leftOut *roaring.Bitmap) (*Problem, error) {
	p := &Problem{Samples: st.Meta().Samples, Classes: 1}
	relations := true
	if x, ok := space.(index.Relating); ok {
		relations = x.Relations()
	}
	p.Same = make([]bool, p.Samples)
	if base != 0 {
		p.Base = make([]float64, p.Samples)
	}
	var list []*index.Tree // the trees of the current list so far
	end := func(to uint32) {
		from := to - uint32(len(list))
		gold := slices.IndexFunc(list, func(t *index.Tree) bool { return t.Gold != index.NotGold })
		if gold >= 0 && (leftOut == nil || !leftOut.Contains(from)) {
			p.Lists = append(p.Lists, List{From: from, To: to, Gold: from + uint32(gold)})
			for i, t := range list {
				p.Same[from+uint32(i)] = sameStructure(t, list[gold], relations)
			}
			if base != 0 && gold > 0 && list[gold].Gold == index.GoldAdded {
				p.Base[from+uint32(gold)] = base * slices.MinFunc(list[:gold], func(a, b *index.Tree) int { return cmp.Compare(a.Score, b.Score) }).Score
			}
		}
		list = list[:0]
	}
	grouped := false
	err := st.Samples(0, p.Samples, func(id uint32, t *index.Tree) error {
		if len(list) > 0 && !t.SameSentence(list[0].Group, list[0].Document) {
			end(id)
		}
		grouped = grouped || t.Group != ""
		list = append(list, t.Clone())
		if base != 0 {
			if !(math.Abs(t.Score) <= index.MostScore) {
				return index.Usagef("base: sample %d has a score of %g: more than %g", id, t.Score, index.MostScore)
			}
			p.Base[id] = base * t.Score
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	end(p.Samples)
	switch {
	case !grouped:
		return nil, nil
	case len(p.Lists) == 0:
		return nil, index.Usagef("no list has a gold tree: build the store with --gold FILE")
	}
	return p, nil
}

// sameStructure says whether two trees over the same words are equal in:
//   - dependency trees: the heads, and the relations if withRelations is set
//   - other trees: the brackets and their labels
func sameStructure(a, b *index.Tree, withRelations bool) bool {
	if a.Kind == index.Dependency {
		return slices.EqualFunc(a.Tokens, b.Tokens, func(x, y index.Token) bool {
			return x.Head == y.Head && (!withRelations || x.Rel == y.Rel)
		})
	}
	return slices.EqualFunc(a.Nodes, b.Nodes, func(x, y index.Node) bool {
		return x.Size == y.Size && x.Word == y.Word && x.Sym == y.Sym
	})
}
