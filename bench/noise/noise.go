// Package noise makes K-best lists from gold trees, for measurements that need more lists than there are. The
// sentences are new, and the candidates are nearly right.
package noise

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"fstore/decode/format/conllu"
	"fstore/index"
)

// Options say which lists to make.
type Options struct {
	Lists      int // number of lists
	Candidates int // largest number of candidates of a list
	Seed       uint64
}

// These error rates imitate English-EWT: how often the best candidate is wrong, and how much candidates
// differ.
const (
	otherWord = 0.3  // share of words that are replaced by another word of their tag
	shared    = 0.08 // errors per word that all candidates of a list share
	own       = 2.5  // errors that a candidate has besides the shared ones
)

// Write writes K-best lists and their gold trees, both as CoNLL-U and in the same order. It makes each gold
// tree from a given tree by replacing a subtree and some words. The same trees and options give the same
// lists. A longer run begins with the lists of a shorter one.
func Write(kbest, gold io.Writer, trees []*index.Tree, syms *index.Symbols, o Options) error {
	if len(trees) == 0 {
		return fmt.Errorf("no trees to make lists of")
	}
	m := newMaker(trees)
	var text []byte
	write := func(w io.Writer, t *index.Tree, comments ...string) (err error) {
		t.Comments = comments
		if text, err = conllu.Append(text[:0], t, syms); err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	}
	for i := range o.Lists {
		m.r = rand.New(rand.NewPCG(o.Seed, uint64(i)))
		id := fmt.Sprintf("# sent_id = noise-%d", i+1)
		right := m.sentence(trees[i%len(trees)])
		if err := write(gold, right, id); err != nil {
			return err
		}
		for k, c := range m.list(right, o.Candidates) {
			if err := write(kbest, c.tree, id, fmt.Sprintf("# candidate = %d", k+1), fmt.Sprintf("# score = %.4f", c.score)); err != nil {
				return err
			}
		}
	}
	return nil
}

// wordPosition is a word: a position in a tree of maker.trees.
type wordPosition struct{ tree, word int }

type maker struct {
	trees  []*index.Tree
	tagged map[uint32][]wordPosition // words by UPOS
	under  map[uint32][]wordPosition // words whose subtrees have no gaps, by relation
	r      *rand.Rand
}

func newMaker(trees []*index.Tree) *maker {
	m := &maker{trees: trees, tagged: map[uint32][]wordPosition{}, under: map[uint32][]wordPosition{}}
	for i, t := range trees {
		for w := range t.Tokens {
			x := &t.Tokens[w]
			m.tagged[x.UPOS] = append(m.tagged[x.UPOS], wordPosition{i, w})
			if _, _, ok := span(t, w); ok && x.Head > 0 {
				m.under[x.Rel] = append(m.under[x.Rel], wordPosition{i, w})
			}
		}
	}
	return m
}

// below reports whether word w is v or a descendant of v.
func below(t *index.Tree, w, v int) bool {
	for ; w != v; w = int(t.Tokens[w].Head) - 1 {
		if t.Tokens[w].Head == 0 {
			return false
		}
	}
	return true
}

// span returns the range [from, to) of the words in the subtree of w, and whether the subtree has no gaps.
func span(t *index.Tree, w int) (from, to int, ok bool) {
	from, n := w, 0
	for v := range t.Tokens {
		if below(t, v, w) {
			from, to = min(from, v), v+1
			n++
		}
	}
	return from, to, to-from == n
}

// sentence makes a new sentence out of a tree.
func (m *maker) sentence(t *index.Tree) *index.Tree {
	made := &index.Tree{Kind: t.Kind, Tokens: slices.Clone(t.Tokens)}
	m.graft(made)
	for w := range made.Tokens {
		if x := &made.Tokens[w]; m.r.Float64() < otherWord {
			all := m.tagged[x.UPOS]
			at := all[m.r.IntN(len(all))]
			other := &m.trees[at.tree].Tokens[at.word]
			x.Form, x.Lemma, x.XPOS, x.Feats = other.Form, other.Lemma, other.XPOS, other.Feats
		}
	}
	return made
}

// graft replaces the subtree of a random word by a subtree of another tree with the same relation.
func (m *maker) graft(t *index.Tree) {
	w := m.r.IntN(len(t.Tokens))
	from, to, ok := span(t, w)
	others := m.under[t.Tokens[w].Rel]
	if !ok || t.Tokens[w].Head == 0 || len(others) == 0 {
		return
	}
	at := others[m.r.IntN(len(others))]
	other := m.trees[at.tree]
	otherFrom, otherTo, _ := span(other, at.word)
	moved := func(head int32) int32 { // the new number of a head outside the subtree
		if int(head) > to {
			return head + int32(otherTo-otherFrom-(to-from))
		}
		return head
	}
	head := t.Tokens[w].Head
	var all []index.Token
	for v := range t.Tokens[:from] {
		all = append(all, t.Tokens[v])
		all[v].Head = moved(all[v].Head)
	}
	for v := otherFrom; v < otherTo; v++ {
		x := other.Tokens[v]
		if x.Head += int32(from - otherFrom); v == at.word {
			x.Head = moved(head)
		}
		all = append(all, x)
	}
	for _, x := range t.Tokens[to:] {
		x.Head = moved(x.Head)
		all = append(all, x)
	}
	t.Tokens = all
}

type candidate struct {
	tree  *index.Tree
	score float64
}

// list returns up to `most` different candidates for a gold tree, in order of falling score.
func (m *maker) list(right *index.Tree, most int) (list []candidate) {
	common := right.Clone()
	m.spoil(common, m.geometric(shared*float64(len(right.Tokens))))
	for range 4 * most {
		if len(list) == most {
			break
		}
		c := candidate{tree: common.Clone()}
		errors := 0
		if len(list) > 0 {
			errors = 1 + m.geometric(own-1)
		}
		m.spoil(c.tree, errors)
		c.score = m.r.NormFloat64() - float64(errors)
		if !slices.ContainsFunc(list, func(x candidate) bool { return slices.Equal(x.tree.Tokens, c.tree.Tokens) }) {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return list
}

// geometric draws a number, 0 or more, from a geometric distribution with this mean.
func (m *maker) geometric(mean float64) (n int) {
	for m.r.Float64()*(1+mean) < mean {
		n++
	}
	return n
}

// spoil gives random words of t a wrong head, or the relation of another word with the same tag.
func (m *maker) spoil(t *index.Tree, errors int) {
	for range errors {
		w := m.r.IntN(len(t.Tokens))
		x := &t.Tokens[w]
		if head, ok := m.otherHead(t, w); ok && m.r.IntN(4) > 0 {
			x.Head = head
			continue
		}
		all := m.tagged[x.UPOS]
		at := all[m.r.IntN(len(all))]
		x.Rel = m.trees[at.tree].Tokens[at.word].Rel
	}
}

// otherHead draws a wrong head for the word w: the head of its head, a sibling, or a neighbour.
func (m *maker) otherHead(t *index.Tree, w int) (head int32, ok bool) {
	now := t.Tokens[w].Head
	if now == 0 {
		return 0, false
	}
	var all []int32
	for v := range t.Tokens {
		near := int32(v+1) == t.Tokens[now-1].Head || t.Tokens[v].Head == now || v == w-1 || v == w+1
		if near && int32(v+1) != now && !below(t, v, w) {
			all = append(all, int32(v+1))
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	return all[m.r.IntN(len(all))], true
}
