package metamorphic

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"fstore/index"
)

// randomTree returns a random sample over few symbols, so that fragments recur.
func randomTree(r *rand.Rand, kind index.Kind, s *index.Symbols) *index.Tree {
	t := &index.Tree{}
	if kind == index.Dependency {
		randomTokens(r, s, t)
		return t
	}
	b := &index.Builder{Symbols: s}
	b.Start(t, false)
	left := 2 + r.IntN(7)
	randomNodes(r, b, &left)
	return t
}

func randomNodes(r *rand.Rand, b *index.Builder, left *int) {
	*left--
	b.Open([]byte{"ABC"[r.IntN(3)]})
	for kids := r.IntN(4); kids > 0 && *left > 0; kids-- {
		if r.IntN(2) == 0 {
			*left--
			b.Word([]byte{"uvw"[r.IntN(3)]})
			continue
		}
		randomNodes(r, b, left)
	}
	b.Close()
}

// randomTokens attaches words in random order, each to the root or to a word that is already attached.
func randomTokens(r *rand.Rand, s *index.Symbols, t *index.Tree) {
	t.Kind = index.Dependency
	order := r.Perm(1 + r.IntN(6))
	head := make([]int32, len(order))
	for i, w := range order {
		if i > 0 && r.IntN(8) > 0 {
			head[w] = int32(order[r.IntN(min(i, 3))]) + 1
		}
	}
	word := func(choices string) uint32 { return s.Intern(index.Words, []byte{choices[r.IntN(len(choices))]}) }
	none := s.Intern(index.Words, []byte("_"))
	for w := range order {
		t.Tokens = append(t.Tokens, index.Token{
			Form: word("ab"), Lemma: word("ab"), UPOS: word("NV"), XPOS: word("xy"), Rel: word("rs"), Head: head[w],
			Feats: none, Deps: none, Misc: none,
		})
	}
}

// textOf returns a sample as text for an input file.
func textOf(t *index.Tree, s *index.Symbols) string {
	if t.Kind == index.Constituency {
		text, _ := bracketed(t, s, 0)
		return text + "\n"
	}
	var out strings.Builder
	for i := range t.Tokens {
		k := &t.Tokens[i]
		fmt.Fprintf(&out, "%d", i+1)
		for _, id := range []uint32{k.Form, k.Lemma, k.UPOS, k.XPOS, k.Feats} {
			out.WriteString("\t" + s.Text(index.Words, id))
		}
		fmt.Fprintf(&out, "\t%d\t%s\t_\t_\n", k.Head, s.Text(index.Words, k.Rel))
	}
	return out.String() + "\n"
}

// bracketed returns the text of node i, and the node after its subtree.
func bracketed(t *index.Tree, s *index.Symbols, i int) (text string, next int) {
	n := &t.Nodes[i]
	if n.Word {
		return s.Text(index.Words, n.Sym), i + 1
	}
	text = "(" + s.Text(index.Labels, n.Sym)
	end := i + int(n.Size)
	for i++; i < end; {
		var kid string
		kid, i = bracketed(t, s, i)
		text += " " + kid
	}
	return text + ")", end
}
