package read

import (
	"fmt"
	"iter"

	"fstore/decode/format"
	"fstore/index"
	"fstore/index/treescore"
)

// wordList is the words of a tree. They stay valid when the tree's symbols are forgotten.
type wordList struct {
	text []byte
	ends []int // end of each word in text
}

// take sets the list to the words of t, whose symbols are in s.
func (l *wordList) take(t *index.Tree, s *index.Symbols) {
	l.text, l.ends = l.text[:0], l.ends[:0]
	for w := range words(t, s) {
		l.text = append(l.text, w...)
		l.ends = append(l.ends, len(l.text))
	}
}

// differs returns a message about the first word in which t differs from the list, or "".
func (l *wordList) differs(t *index.Tree, s *index.Symbols, name string) string {
	n, from := 0, 0
	for w := range words(t, s) {
		if n < len(l.ends) {
			known := l.text[from:l.ends[n]]
			if string(w) != string(known) {
				return fmt.Sprintf("word %d is %s, and %s in %s", n+1, format.Quote(w), format.Quote(known), name)
			}
			from = l.ends[n]
		}
		n++
	}
	if n != len(l.ends) {
		return fmt.Sprintf("%s, and %d in %s", index.Plural(n, "word"), len(l.ends), name)
	}
	return ""
}

// words returns the words of t in the order of the sentence. The symbols of t are in s.
func words(t *index.Tree, s *index.Symbols) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := range t.Tokens {
			if !yield(s.Bytes(index.Words, t.Tokens[i].Form)) {
				return
			}
		}
		for i := range t.Nodes {
			if !t.IsWord(i) {
				continue
			}
			class := index.Labels
			if t.Nodes[i].Word {
				class = index.Words
			}
			if !yield(s.Bytes(class, t.Nodes[i].Sym)) {
				return
			}
		}
	}
}

// listWords finds candidates of K-best lists whose words differ from those of the first candidate.
type listWords struct {
	group, document string
	first           wordList
}

// differs returns a message about the first word in which t differs from the first candidate of its list, or
// "".
func (l *listWords) differs(t *index.Tree, s *index.Symbols) string {
	if t.SameSentence(l.group, l.document) {
		return otherWords(&l.first, t, s)
	}
	if l.group, l.document = t.Group, t.Document; t.Group != "" {
		l.first.take(t, s)
	}
	return ""
}

// OtherWords returns a message about the first word in which t differs from the first candidate of its list,
// or "".
func OtherWords(first, t *index.Tree, s *index.Symbols) string {
	var l wordList
	l.take(first, s)
	return otherWords(&l, t, s)
}

func otherWords(first *wordList, t *index.Tree, s *index.Symbols) string {
	msg := first.differs(t, s, "the first candidate")
	if msg != "" {
		msg += ": expected the same words"
	}
	return msg
}

// Tagger gives the trees of a list the same tags. It reuses its memory.
type Tagger struct {
	scores []float64
	words  []index.Token
	votes  []vote
}

// vote is a value of a column, with the sum of the votes for it.
type vote struct {
	value uint32
	votes float64
}

// columnsOf returns the columns that a Tagger sets.
func columnsOf(t *index.Token) [4]*uint32 {
	return [4]*uint32{&t.Lemma, &t.UPOS, &t.XPOS, &t.Feats}
}

// Majority returns the words of the candidates, with the tags that have most votes. There must be at least
// one candidate, and all must have the same words. Heads and relations are those of the first candidate. The
// words are valid until the next call.
func (g *Tagger) Majority(candidates []*index.Tree) []index.Token {
	g.scores = g.scores[:0]
	for _, t := range candidates {
		g.scores = append(g.scores, t.Score)
	}
	votes := treescore.Votes(g.scores)
	g.words = append(g.words[:0], candidates[0].Tokens...)
	for w := range g.words {
		for c, to := range columnsOf(&g.words[w]) {
			g.votes = g.votes[:0]
			for i, t := range candidates {
				g.count(*columnsOf(&t.Tokens[w])[c], votes[i])
			}
			best := g.votes[0]
			for _, v := range g.votes[1:] {
				if v.votes > best.votes {
					best = v
				}
			}
			*to = best.value
		}
	}
	return g.words
}

func (g *Tagger) count(value uint32, votes float64) {
	for i := range g.votes {
		if g.votes[i].value == value {
			g.votes[i].votes += votes
			return
		}
	}
	g.votes = append(g.votes, vote{value, votes})
}

// Apply sets the tags of a tree to the tags of tokens.
func Apply(t *index.Tree, tokens []index.Token) {
	for w := range t.Tokens {
		from := columnsOf(&tokens[w])
		for c, to := range columnsOf(&t.Tokens[w]) {
			*to = *from[c]
		}
	}
}
