package lists

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"fstore/decode/linearize"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/expansion"
	"fstore/mine/learn/rerank"
)

// listPacks finds the features of the trees of lists through packed forests (index.Packs): what the trees
// of a list have in common is matched once, and each fragment once for all lists at hand. It is for vectors
// whose values are all 1, and for one goroutine. It needs no budget of states: for each fragment it looks
// at a pack at most as often as the pack has arcs.
type listPacks struct {
	l        *linearize.Linearizer
	tags     *listTags
	words    int     // how many a tree has at most that goes into a pack
	together float64 // the load that vectors follows together
	blocks   rerank.Blocks
}

// packWords is how many words a tree has at most that goes into a pack of every space: no more
// building blocks has a fragment of it.
const packWords = 100

// anyWords is more words than a tree has.
const anyWords = math.MaxInt32

// newListPacks returns nil where the vectors of l have other values than 1, or a space of
// theirs has no packs.
func newListPacks(l *linearize.Linearizer, tags *listTags) *listPacks {
	if l == nil || l.O.Weight != linearize.Binary || l.O.Normalize != linearize.NormalizeNone {
		return nil
	}
	p := &listPacks{l: l, tags: tags, words: anyWords, together: firstLoad}
	for _, c := range l.Columns {
		space, ok := c.Space.(index.Packing)
		switch {
		case !ok || space.NewPacks(l.Syms, packWords) == nil:
			return nil
		case space.NewPacks(l.Syms, anyWords) == nil:
			p.words = packWords
		}
	}
	return p
}

// fit says whether a list can go into packs.
func (p *listPacks) fit(list *read.List) bool {
	return p != nil && len(list.Candidates[0].Tokens) <= p.words
}

// packed is a list of trees, and what has to be told from its packs.
type packed struct {
	*read.List
	trees []*index.Tree // some of the list's
	at    int           // the list's number among those at hand
}

// follow calls f for each feature of the trees of lists, with the trees from first on that
// have it, as a mask; list is a place in lists. It is called for a feature and a tree once; what
// it is called for of a list, and in which order, does not depend on the other lists.
func (p *listPacks) follow(ctx context.Context, lists []packed, f func(list, first int, id uint32, mask uint64)) error {
	if len(lists) == 0 {
		return nil
	}
	for _, c := range p.l.Columns {
		packs := c.Space.(index.Packing).NewPacks(p.l.Syms, p.words)
		type place struct{ list, first int }
		var places []place
		for i, list := range lists {
			p.tags.while(list.List, list.trees, func() {
				for first := 0; first < len(list.trees); first += index.MaxPack {
					packs.Add(list.trees[first:min(first+index.MaxPack, len(list.trees))])
					places = append(places, place{i, first})
				}
			})
		}
		packs.Seal()
		err := packs.Stored(nil, c.X).Follow(index.All, func(h *index.PackHits) error {
			for i, id := range h.ID {
				if id > c.X.Features() {
					return fmt.Errorf("%w: a feature above its %d", expansion.ErrDamaged, c.X.Features())
				}
				at := places[h.Pack[i]]
				if n := c.Number(id); n > 0 {
					f(at.list, at.first, c.Base+n, h.Mask[i])
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// scores adds to dst, by list at hand and tree, the weights of the features that trees have.
func (p *listPacks) scores(ctx context.Context, dst [][]float64, lists []packed, weight func(id uint32) float64) error {
	return p.follow(ctx, lists, func(list, first int, id uint32, mask uint64) {
		w := weight(id)
		if w == 0 {
			return
		}
		sums := dst[lists[list].at]
		for ; mask != 0; mask &= mask - 1 {
			sums[first+bits.TrailingZeros64(mask)] += w
		}
	})
}

// vectorBytes is about what the vectors of lists that are followed together take.
const vectorBytes = 16 << 20

// load is about how much the vectors of a list take beside those of others, in no unit: of n
// words, fragments of a few arcs or of a few features are as many as n³ or so.
func (p *packed) load() float64 {
	n := float64(len(p.Candidates[0].Tokens))
	return float64(n * n * n)
}

// The load of the lists that are followed together: at first, and the bounds of it.
const (
	firstLoad = 1 << 17
	leastLoad = 1 << 10
	mostLoad  = 1 << 27
)

// vectors puts the vectors of trees into v, and sets dst to their places, by list at hand. Where
// there are many features, fewer lists are followed together, and long ones alone.
func (p *listPacks) vectors(ctx context.Context, v *rerank.Vectors, dst []rerank.Place, lists []packed) error {
	for len(lists) > 0 {
		n, load := 1, lists[0].load()
		for n < len(lists) && load+lists[n].load() <= p.together {
			load += lists[n].load()
			n++
		}
		size, err := p.someVectors(ctx, v, dst, lists[:n])
		if err != nil {
			return err
		}
		lists = lists[n:]
		switch {
		case size > vectorBytes:
			p.together = max(p.together/2, leastLoad)
		case size < vectorBytes/2: // no more than was seen to be little
			p.together = min(max(p.together, 2*load), mostLoad)
		}
	}
	return nil
}

// someVectors is vectors of lists that are followed together, and how many bytes they take.
func (p *listPacks) someVectors(ctx context.Context, v *rerank.Vectors, dst []rerank.Place, lists []packed) (size int64, err error) {
	p.blocks.Free()
	vectors := make([]*rerank.ListVectors, len(lists))
	for i, list := range lists {
		vectors[i] = rerank.NewListVectors(len(list.trees), &p.blocks)
	}
	err = p.follow(ctx, lists, func(list, first int, id uint32, mask uint64) {
		vectors[list].Add(id, first, mask, 1)
	})
	if err != nil {
		return 0, err
	}
	for i, list := range lists {
		if dst[list.at], err = v.Put(vectors[i]); err != nil {
			return 0, err
		}
		size += dst[list.at].Bytes()
	}
	return size, nil
}
