package treescore

import (
	"bytes"
	"slices"

	"fstore/index"
)

// Options say which words and relations are compared.
type Options struct {
	// Punct says which words are not counted. The default is PunctUPOS for dependency trees, and PunctPTB for
	// constituency trees.
	Punct Punct
	// Universal compares relations only up to their first colon (nsubj in nsubj:pass), as the CoNLL 2018
	// shared task does.
	Universal bool
}

// Scorer compares trees with a gold tree. It reuses its memory, and is for one goroutine.
type Scorer struct {
	o Options

	gold    *index.Tree
	syms    *index.Symbols
	counted []bool // for each word: whether it is counted, as it is not punctuation
	words   int    // the number of counted words

	brackets []bracket // brackets of the gold tree
	other    []bracket // brackets of the tree that is compared
	before   []int32
}

// New returns a scorer. SetGold must be called before Count.
func New(o Options) *Scorer { return &Scorer{o: o} }

// SetGold sets the gold tree for the next comparisons. Its symbols are in s. The tree is not copied.
func (x *Scorer) SetGold(t *index.Tree, s *index.Symbols) {
	x.gold, x.syms = t, s
	x.counted, x.words = x.counted[:0], 0
	p := x.o.Punct
	if p == "" {
		p = PunctUPOS
		if t.Kind == index.Constituency {
			p = PunctPTB
		}
	}
	eachWord(t, s, func(w word) {
		counts := !p.leavesOut(w)
		x.counted = append(x.counted, counts)
		if counts {
			x.words++
		}
	})
	if t.Kind == index.Constituency {
		x.brackets = x.list(x.brackets[:0], t, s)
	}
}

// Count compares t with the gold tree. The symbols of t are in s. Both trees have the same kind, and
// dependency trees have the same words.
func (x *Scorer) Count(t *index.Tree, s *index.Symbols) Counts {
	if t.Kind == index.Constituency {
		x.other = x.list(x.other[:0], t, s)
		return Counts{
			Gold: uint64(len(x.brackets)), Predicted: uint64(len(x.other)),
			Unlabelled: common(x.brackets, x.other, bracket.compareSpan),
			Labelled:   common(x.brackets, x.other, bracket.compare),
		}
	}
	return x.arcs(t, s)
}

// arcs counts the words with the right head, and the words that have the right relation too.
func (x *Scorer) arcs(t *index.Tree, s *index.Symbols) Counts {
	c := Counts{Gold: uint64(x.words), Predicted: uint64(x.words)}
	for i := range t.Tokens {
		a, b := &t.Tokens[i], &x.gold.Tokens[i]
		if !x.counted[i] || a.Head != b.Head {
			continue
		}
		c.Unlabelled++
		if bytes.Equal(x.relation(s, a), x.relation(x.syms, b)) {
			c.Labelled++
		}
	}
	return c
}

func (x *Scorer) relation(s *index.Symbols, t *index.Token) []byte {
	rel := s.Bytes(index.Words, t.Rel)
	if x.o.Universal {
		rel, _, _ = bytes.Cut(rel, []byte{':'})
	}
	return rel
}

// eachWord calls f for the words of t, in order.
func eachWord(t *index.Tree, s *index.Symbols, f func(word)) {
	if t.Kind == index.Dependency {
		for i := range t.Tokens {
			k := &t.Tokens[i]
			f(word{s.Bytes(index.Words, k.Form), s.Bytes(index.Words, k.UPOS), s.Bytes(index.Words, k.XPOS)})
		}
		return
	}
	for i := range t.Nodes {
		if !t.IsWord(i) {
			continue
		}
		n := &t.Nodes[i]
		var tag []byte
		if n.Parent >= 0 {
			tag = s.Bytes(index.Labels, t.Nodes[n.Parent].Sym)
		}
		f(word{s.Bytes(n.Child().Class(), n.Sym), tag, tag})
	}
}

// list appends the brackets of t, ascending, without three kinds of nonterminals:
//   - tags, which are over one word and nothing else
//   - nodes that only mark the beginning of a tree (Tops)
//   - nodes over no counted word
//
// Unlike evalb, it compares whole labels: ADVP and PRT are different. The reader removes function tags and
// traces (--strip-functions, --strip-traces). Sentences of any length count. Whether a word counts depends
// only on the gold tree's word at the same place.
func (x *Scorer) list(dst []bracket, t *index.Tree, s *index.Symbols) []bracket {
	before := append(x.before[:0], make([]int32, len(t.Nodes)+1)...) // counted words in front of a node
	word := 0
	for i := range t.Nodes {
		before[i+1] = before[i]
		if t.IsWord(i) {
			if word >= len(x.counted) || x.counted[word] {
				before[i+1]++
			}
			word++
		}
	}
	x.before = before
	for i := Tops(t, s); i < len(t.Nodes); i++ {
		n := &t.Nodes[i]
		from, to := before[i], before[i+int(n.Size)]
		if t.IsWord(i) || from == to || n.Size == 2 && t.IsWord(i+1) {
			continue
		}
		dst = append(dst, bracket{from, to, s.Bytes(index.Labels, n.Sym)})
	}
	slices.SortFunc(dst, bracket.compare)
	return dst
}
