package read

import (
	"fstore/decode/format/convert"
	"fstore/index"
	"fstore/index/treescore"
)

// goldConverter converts gold trees, where their lists are converted, over symbols of its own:
// those of the lists' trees are not more for it.
type goldConverter struct {
	*convert.Converter
	syms *index.Symbols
	tree index.Tree
}

// newGoldConverter returns a converter of gold trees over from.
func newGoldConverter(o convert.Options, from *index.Symbols) *goldConverter {
	to := ScratchSymbols()
	return &goldConverter{Converter: convert.New(o, from, to), syms: to}
}

// correct says of t, which Next is about to return, where its gold tree differs from it.
func (in *Inputs) correct(t *index.Tree) {
	if in.gold == nil || in.gold.own == nil {
		return
	}
	c := goldComparison{gold: in.gold.own, goldSyms: in.gold.syms, syms: in.o.Symbols}
	if k := in.gold.convert; k != nil {
		k.syms.Rollback()
		k.Convert(&k.tree, c.gold)
		c.gold, c.goldSyms = &k.tree, k.syms
	}
	t.Corrections = c.corrections(t.Corrections[:0], t)
}

// corrections appends where the gold tree differs from t in what a treescore.Scorer reads: t
// has its words and its structure. Of trees that were converted that is all labels.
func (c *goldComparison) corrections(dst []index.Correction, t *index.Tree) []index.Correction {
	for i := range t.Tokens {
		a, b := &t.Tokens[i], &c.gold.Tokens[i]
		for _, f := range [...]struct {
			field   index.Field
			a, gold uint32
		}{{index.UPOSField, a.UPOS, b.UPOS}, {index.XPOSField, a.XPOS, b.XPOS}, {index.RelField, a.Rel, b.Rel}} {
			if !c.same(index.Words, f.a, f.gold) {
				dst = append(dst, index.Correction{At: int32(i), Field: f.field, Text: c.goldSyms.Text(index.Words, f.gold)})
			}
		}
	}
	from, gold := 0, 0
	if !t.OneAlphabet { // else the labels of both are where they are, whatever they are
		from, gold = treescore.Tops(t, c.syms), treescore.Tops(c.gold, c.goldSyms)
	}
	for i := from; i < len(t.Nodes); i++ {
		a, b := &t.Nodes[i], &c.gold.Nodes[i-from+gold]
		if !a.Word && !c.same(index.Labels, a.Sym, b.Sym) {
			dst = append(dst, index.Correction{At: int32(i), Text: c.goldSyms.Text(index.Labels, b.Sym)})
		}
	}
	return dst
}
