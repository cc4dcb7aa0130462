package read

import (
	"fstore/decode/format/convert"
	"fstore/index"
	"fstore/index/treescore"
)

// goldComparison compares the candidates of a list with its gold tree, which has symbols of its own.
//
// Dependency trees have the same structure if their heads are the same. Their agreement is the number of
// equal relations.
//
// Constituency trees have the same structure if their brackets and labels are the same. The tags of words do
// not count, because the parser's tags can be wrong. An outermost TOP, ROOT, S1 or VROOT does not count
// either. The agreement is the number of equal tags.
type goldComparison struct {
	gold           *index.Tree
	goldSyms, syms *index.Symbols
	known          *wordList // words of the gold tree; nil at first
}

func (c *goldComparison) same(class index.Class, id, gold uint32) bool {
	return string(c.syms.Bytes(class, id)) == string(c.goldSyms.Bytes(class, gold))
}

// words returns a message about the first word in which t differs from the gold tree, or "".
func (c *goldComparison) words(t *index.Tree) string {
	if c.known == nil {
		c.known = new(wordList)
		c.known.take(c.gold, c.goldSyms)
	}
	return c.known.differs(t, c.syms, "the gold tree")
}

// agreement returns the agreement of t with the gold tree, or -1 if their structures differ. The two trees
// must have the same words.
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
		same := a[i].Word || c.same(index.Labels, a[i].Sym, b[i].Sym) // words have been compared before
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

// goldConverter converts the gold trees of converted lists, with symbols of its own.
type goldConverter struct {
	*convert.Converter
	syms *index.Symbols
	tree index.Tree
}

// corrections appends the places where the labels of the gold tree differ from those of t. The two trees must
// have the same words and structure.
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
	if !t.OneAlphabet { // converted trees have no outermost TOP to skip
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
