package dep

import (
	"testing"

	"fstore/index"
)

// BenchmarkText checks and prints codes, as listings do by the million.
func BenchmarkText(b *testing.B) {
	for _, v := range []string{"siblings=any", "siblings=any,ordered=false", "template=h.upos+m.upos,template=h.form+m.form+dist"} {
		b.Run(v, func(b *testing.B) {
			o := newSpace(b, v)
			trees, s := corpus(3, o.space, 4, 9)
			it := o.space.NewItems(s)
			l := index.Limits{MaxOrder: 4}
			for id, tree := range trees {
				it.Add(uint32(id), tree, index.All, l)
			}
			it.Seal()
			var c collect
			if _, err := it.Grow(index.All, index.Weights{}, l, &c); err != nil {
				b.Fatal(err)
			}
			var text []byte
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				code := c[n%len(c)]
				n++
				if err := o.space.Check(code, s); err != nil {
					b.Fatal(err)
				}
				text = o.space.AppendText(text[:0], code, s)
			}
		})
	}
}

// collect is a visitor that keeps codes.
type collect []index.Code

func (c *collect) Visit(b *index.Batch) error {
	for i := range b.Len() {
		b.Descend[i] = true
		*c = append(*c, append(append(index.Code(nil), b.Parent...), b.SuffixOf(i)...))
	}
	return nil
}
