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

// listPacks finds the features of the trees of several lists together, with packed forests (index.Packs). A
// part that several trees share is matched only once. All features must have the value 1. A listPacks is for
// one goroutine.
type listPacks struct {
	l        *linearize.Linearizer
	tags     *listTags
	words    int     // maximum number of words of a tree in a pack
	together float64 // maximum load of the lists that the method vectors packs together
	blocks   rerank.Blocks
}

// packWords is a number of words. If a space cannot pack trees of this length, no packs are used.
const packWords = 100

// anyWords is a limit larger than the number of words in any tree.
const anyWords = math.MaxInt32

// newListPacks returns nil if packs cannot make the vectors of the linearizer.
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

// canPack says whether the trees of a list are short enough for packs.
func (p *listPacks) canPack(list *read.List) bool {
	return p != nil && len(list.Candidates[0].Tokens) <= p.words
}

// packed is a list whose trees go into packs.
type packed struct {
	*read.List
	trees []*index.Tree // the trees to pack, all or some of the list's
	at    int           // the list's index in the results
}

// follow calls f for each feature of each group of trees of a list. Bit i of `mask` says whether tree first+i
// has the feature. The calls for a list do not depend on the other lists.
func (p *listPacks) follow(ctx context.Context, lists []packed, f func(list, first int, id uint32, mask uint64)) error {
	if len(lists) == 0 {
		return nil
	}
	for _, c := range p.l.Columns {
		packs := c.Space.(index.Packing).NewPacks(p.l.Syms, p.words)
		type place struct{ list, first int }
		var places []place
		for i, list := range lists {
			p.tags.callWithTags(list.List, list.trees, func() {
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

// scores adds the score of tree k of lists[j] to dst[lists[j].at][k].
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

// vectorBytes is the wanted size in bytes, roughly, of the vectors of lists that are packed together.
const vectorBytes = 16 << 20

// load is the approximate size of the vectors of a list, in no particular unit. For trees of n words it is
// n³, because such a tree has about n³ fragments of a few arcs.
func (p *packed) load() float64 {
	n := float64(len(p.Candidates[0].Tokens))
	return float64(n * n * n)
}

// The total load of lists that are packed together is limited. The limit starts at firstLoad, and later moves
// between leastLoad and mostLoad.
const (
	firstLoad = 1 << 17
	leastLoad = 1 << 10
	mostLoad  = 1 << 27
)

// vectors puts the vectors of the lists into v, and sets dst[x.at] to the place of list x in v.
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
		case size < vectorBytes/2: // at most twice a load that gave small vectors
			p.together = min(max(p.together, 2*load), mostLoad)
		}
	}
	return nil
}

// someVectors packs the lists together and puts their vectors into v. It returns the size of the vectors in
// bytes.
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
