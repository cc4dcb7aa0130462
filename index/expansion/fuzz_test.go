package expansion_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/spacetest"
	"fstore/index/spaces"
)

// FuzzIndex reads any bytes as an index, with a right checksum in the footer. Matching trees must end and
// must not panic.
func FuzzIndex(f *testing.F) {
	trees, syms := spacetest.Corpus(spacetest.Brackets, 3, 6, 9)
	names := []string{"stk", "st", "sstbow", "ptk", "seq", "emb", "tag"}
	for i, name := range names {
		space := spaceNamed(f, name)
		raw := bytes.Clone(spacetest.IndexOf(f, space, syms, codesOf(f, space, trees, syms)).Raw())
		f.Add(uint8(i), raw)
		r := rand.New(rand.NewPCG(uint64(i), 0))
		for range 20 {
			b := slices.Clone(raw)
			for range 1 + r.IntN(4) {
				b[r.IntN(len(b))] = byte(r.IntN(256))
			}
			f.Add(uint8(i), b)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		if n := len(b) - expansion.FooterSize; n > 0 {
			binary.LittleEndian.PutUint64(b[len(b)-8:], xxh3.Hash(b[n:len(b)-8]))
		}
		x, err := expansion.Parse(b)
		if err != nil {
			return
		}
		_ = x.Verify()
		m := spaceNamed(t, names[int(which)%len(names)]).NewMatcher(x, syms, 0.5)
		for _, tree := range trees {
			_, _ = m.Match(tree, 1000)
		}
	})
}

func spaceNamed(t testing.TB, name string) index.Space {
	t.Helper()
	req, err := spaces.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return req.Space
}

// codesOf returns the codes of the fragments of trees, up to order 3.
func codesOf(t testing.TB, space index.Space, trees []*index.Tree, syms *index.Symbols) []index.Code {
	t.Helper()
	items, l := space.NewItems(syms), index.Limits{MaxOrder: 3}
	for id, tree := range trees {
		index.Prepare(space, tree, syms)
		items.Add(uint32(id), tree, index.All, l)
	}
	items.Seal()
	c := &codes{}
	if _, err := items.Grow(index.All, index.Weights{}, l, c); err != nil {
		t.Fatal(err)
	}
	return c.all
}

// codes collects codes.
type codes struct{ all []index.Code }

// Visit implements index.Visitor.
func (c *codes) Visit(b *index.Batch) error {
	for i := range b.Len() {
		c.all = append(c.all, index.Code(slices.Concat(b.Parent, b.SuffixOf(i))))
		b.Descend[i] = true
	}
	return nil
}
