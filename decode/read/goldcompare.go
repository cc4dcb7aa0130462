package read

import (
	"fstore/decode/format/convert"
	"fstore/index"
	"fstore/index/treescore"
)

// goldComparison compares the candidates of a list with its gold tree, whose symbols
// are others.
//
// Dependency trees have the same structure where their heads are the same; they agree
// the more, the more relations do. Constituency trees have the same structure where
// their brackets and labels are the same, but for the tags of words, which a parser is
// given or guesses, and for an outermost TOP, ROOT, S1 or VROOT around the one or the
// other; they agree the more, the more tags do.
type goldComparison struct {
	gold           *index.Tree
	goldSyms, syms *index.Symbols
	known          *wordList // of the gold tree; nil: not yet
}

func (c *goldComparison) same(class index.Class, id, gold uint32) bool {
	return string(c.syms.Bytes(class, id)) == string(c.goldSyms.Bytes(class, gold))
}

// words says in which word t differs from the gold tree, "" for none.
func (c *goldComparison) words(t *index.Tree) string {
	if c.known == nil {
		c.known = new(wordList)
		c.known.take(c.gold, c.goldSyms)
	}
	return c.known.differs(t, c.syms, "the gold tree")
}

// agreement is how much t, whose words are those of the gold tree, agrees with it; -1
// where its structure is another.
func (c *goldComparison) agreement(t *index.Tree) int {
	if t.Kind == index.Dependency {
		return c.relations(t)
	}
	return c.tags(t)
}

func (c *goldComparison) relations(t *index.Tree) (n int) {
	for i := range t.Tokens {
		a, b := &t.Tokens[i], &c.gold.Tokens[i]
		if a.Head != b.Head {
			return -1
		}
		if c.same(index.Words, a.Rel, b.Rel) {
			n++
		}
	}
	return n
}

func (c *goldComparison) tags(t *index.Tree) (n int) {
	a, b := t.Nodes[treescore.Tops(t, c.syms):], c.gold.Nodes[treescore.Tops(c.gold, c.goldSyms):]
	if len(a) != len(b) {
		return -1
	}
	for i := range a {
		if a[i].Size != b[i].Size || a[i].Word != b[i].Word {
			return -1
		}
		same := a[i].Word || c.same(index.Labels, a[i].Sym, b[i].Sym) // words are known to be
		isTag := a[i].Size == 2 && a[i+1].Word
		switch {
		case !same && !isTag:
			return -1
		case same && isTag:
			n++
		}
	}
	return n
}

// goldConverter converts gold trees, where their lists are converted, over symbols of its own:
// those of the lists' trees are not more for it.
type goldConverter struct {
	*convert.Converter
	syms *index.Symbols
	tree index.Tree
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
