package read

import (
	"fmt"

	"fstore/decode/format"
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
}

func (c *goldComparison) same(class index.Class, id, gold uint32) bool {
	return string(c.syms.Bytes(class, id)) == string(c.goldSyms.Bytes(class, gold))
}

// words says in which word t differs from the gold tree, "" for none.
func (c *goldComparison) words(t *index.Tree) string { return c.wordsIn(t, "the gold tree") }

// wordsIn is words that calls the gold tree by another name.
func (c *goldComparison) wordsIn(t *index.Tree, name string) string {
	n, m := t.Words(), c.gold.Words()
	i, k := -1, -1
	for w := range min(n, m) {
		i, k = nextWord(t, i), nextWord(c.gold, k)
		word, gold := wordText(t, i, c.syms), wordText(c.gold, k, c.goldSyms)
		if string(word) != string(gold) {
			return fmt.Sprintf("word %d is %s, and %s in %s", w+1, format.Quote(word), format.Quote(gold), name)
		}
	}
	if n != m {
		return fmt.Sprintf("%s, and %d in %s", index.Plural(n, "word"), m, name)
	}
	return ""
}

// nextWord returns the token or the node of the word after i.
func nextWord(t *index.Tree, i int) int {
	for i++; t.Kind == index.Constituency && !t.IsWord(i); i++ {
	}
	return i
}

func wordText(t *index.Tree, i int, s *index.Symbols) []byte {
	switch {
	case t.Kind == index.Dependency:
		return s.Bytes(index.Words, t.Tokens[i].Form)
	case t.Nodes[i].Word:
		return s.Bytes(index.Words, t.Nodes[i].Sym)
	}
	return s.Bytes(index.Labels, t.Nodes[i].Sym)
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

// newGoldConverter returns a converter of gold trees over from.
func newGoldConverter(o convert.Options, from *index.Symbols) *goldConverter {
	to := ScratchSymbols()
	return &goldConverter{Converter: convert.New(o, from, to), syms: to}
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
