package count

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/index/pattern"
)

// Value is a text that fills one node of a pattern, and the number of hits in which it fills the node.
type Value struct {
	Group string // a label, or "" for all samples
	Node  int    // number of the node, from 1, in the order of the text
	Value string
	Hits  uint64
}

// maxValued is the largest number of hits in one sample that eachHit visits.
const maxValued = 1 << 20

// eachHit calls f for each hit in a tree. If the tree has more than maxValued hits, it returns ErrTooMany.
func eachHit(finder Finder, t *index.Tree, f func(row []int32)) error {
	hits := 0
	finder.Each(t, func(row []int32) bool {
		f(row)
		hits++
		return hits <= maxValued
	})
	if hits > maxValued {
		return fmt.Errorf("%w: sample %s has more than %s", ErrTooMany, t.Name, index.Thousands(maxValued))
	}
	return nil
}

// Values returns the values that a field (pattern.Form or pattern.Lemma) has in each node of a construction.
// They are sorted by group, node, hits (most first) and value.
func (x *Trees) Values(ctx context.Context, c *Counts, by pattern.Field, o Options) ([]Value, error) {
	g, err := x.group(ctx, By{}, o.progress())
	if err != nil {
		return nil, err
	}
	type key struct {
		set, node uint32
		value     string
	}
	total := map[key]uint64{}
	ids, _, _ := c.Samples()
	only := &Counts{Bound: &Bound{Samples: roaring.BitmapOf(ids...)}}
	err = x.each(ctx, []*Counts{only}, o, func() visitor {
		own := c.Construction.Finder(x.syms)
		return func(int) (func(id uint32, t *index.Tree) error, func()) {
			part := map[key]uint64{}
			var text []byte
			visit := func(id uint32, t *index.Tree) error {
				set := uint32(0)
				if g.of != nil {
					set = g.of[id]
				}
				return eachHit(own, t, func(row []int32) {
					for node, i := range row {
						text = appendValue(text[:0], t, i, by, x.syms)
						part[key{set, uint32(node + 1), string(text)}]++
					}
				})
			}
			return visit, func() {
				for k, n := range part {
					total[k] += n
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	byGroup := map[key]uint64{}
	for k, n := range total {
		for _, group := range g.sets[k.set] {
			k.set = group
			byGroup[k] += n
		}
	}
	all := make([]Value, 0, len(byGroup))
	for k, n := range byGroup {
		all = append(all, Value{g.names[k.set], int(k.node), k.value, n})
	}
	slices.SortFunc(all, func(a, b Value) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), cmp.Compare(a.Node, b.Node), cmp.Compare(b.Hits, a.Hits), strings.Compare(a.Value, b.Value))
	})
	return all, nil
}

// appendValue appends a field of node i. In brackets, Label is the node's label or word, and Form is all
// words below it.
func appendValue(dst []byte, t *index.Tree, i int32, by pattern.Field, syms *index.Symbols) []byte {
	if t.Kind == index.Dependency {
		return append(dst, syms.Text(index.Words, by.Of(&t.Tokens[i]))...)
	}
	if by == pattern.Label {
		return append(dst, nodeText(t, i, syms)...)
	}
	from := len(dst)
	for k := i; k < i+t.Nodes[i].Size; k++ {
		if !t.IsWord(int(k)) {
			continue
		}
		if len(dst) > from {
			dst = append(dst, ' ')
		}
		dst = append(dst, nodeText(t, k, syms)...)
	}
	return dst
}

func nodeText(t *index.Tree, i int32, syms *index.Symbols) []byte {
	if t.Nodes[i].Word {
		return syms.Bytes(index.Words, t.Nodes[i].Sym)
	}
	return syms.Bytes(index.Labels, t.Nodes[i].Sym)
}
