package read

import (
	"fstore/index"
	"fstore/index/treescore"
)

// List is a K-best list of one sentence. Its trees are valid until the next one is read.
type List struct {
	Candidates []*index.Tree
	// Gold is the gold tree, nil where none is known. From a store it is the sample that is gold,
	// with the gold tree's own relations and tags (index.Tree.Corrections), which stores of older
	// programs do not have.
	Gold *index.Tree

	Place     Place  // of the first candidate
	Id        uint32 // of the first sample, in a store
	Trees     []*index.Tree
	Used      int
	Corrected index.Tree // what Gold is where the sample that stands for it has corrections

	// Where trees are converted (InputOptions.As): the candidates as they were read, over syms,
	// and memory, by place in trees.
	read   []*index.Tree
	syms   *index.Symbols
	drafts []*index.Tree
}

// AsRead is candidate i as it was read, before it was converted, and the symbols that it is
// over; those of the candidates are syms.
func (l *List) AsRead(i int, syms *index.Symbols) (*index.Tree, *index.Symbols) {
	if len(l.read) == 0 {
		return l.Candidates[i], syms
	}
	return l.read[i], l.syms
}

// Reset empties the list, and keeps its trees.
func (l *List) Reset() {
	l.Candidates, l.read, l.Gold, l.Used = l.Candidates[:0], l.read[:0], nil, 0
}

// Nodes is how many nodes and tokens its trees have, those included that became others.
func (l *List) Nodes() (n int) {
	for _, t := range l.Trees[:l.Used] {
		n += len(t.Nodes) + len(t.Tokens)
	}
	for _, t := range l.read {
		n += len(t.Nodes) + len(t.Tokens)
	}
	return n
}

// Next returns a tree to read the list's next sample into.
func (l *List) Next() *index.Tree {
	if l.Used == len(l.Trees) {
		l.Trees = append(l.Trees, new(index.Tree))
	}
	return l.Trees[l.Used]
}

// draft returns a tree to read what becomes the list's next sample into.
func (l *List) draft() *index.Tree {
	for l.Used >= len(l.drafts) {
		l.drafts = append(l.drafts, new(index.Tree))
	}
	return l.drafts[l.Used]
}

// Add adds the tree that next returned, which was made of what draft returned where converted.
func (l *List) Add(converted bool) {
	t := l.Trees[l.Used]
	if t.Gold != index.NotGold {
		l.Gold = t
	}
	if t.Gold != index.GoldAdded {
		l.Candidates = append(l.Candidates, t)
		if converted {
			l.read = append(l.read, l.drafts[l.Used])
		}
	}
	l.Used++
}

// ListSource reads K-best lists, each with one candidate at least.
type ListSource interface {
	// NextList reads the next list into l, which it may have filled before; io.EOF after the
	// last.
	NextList(l *List) error
	// Release says that the lists read so far are done with: symbols that are frozen forget
	// what was new in them.
	Release()
}

// ListInputs is the K-best lists of several inputs, see Inputs.
type ListInputs struct{ *Inputs }

// OpenLists is Open of K-best lists, which are read whole. With InputOptions.Gold each
// has its own gold tree, with gold tags, whether or not a candidate has its structure.
func OpenLists(paths []string, o InputOptions) (*ListInputs, error) {
	in, err := Open(paths, o)
	if err != nil {
		return nil, err
	}
	if in.gold == nil {
		in.gold = newGoldLists(&in.files, nil)
	}
	in.gold.apart, in.gold.held = true, true
	return &ListInputs{in}, nil
}

// Release is ListSource's.
func (in *ListInputs) Release() {
	in.gold.rollback()
	if in.convert != nil {
		in.o.Symbols.Rollback()
	}
}

// NextList is ListSource's.
func (in *ListInputs) NextList(l *List) error {
	l.Reset()
	l.syms = in.syms
	for {
		t := l.Next()
		read := t
		if in.convert != nil {
			read = l.draft()
		}
		var err error
		in.last, err = in.gold.next(read)
		err, skipped := in.settle(err)
		if err != nil {
			return err
		}
		if !skipped {
			in.cols.add(read, in.syms)
			if in.convert != nil {
				in.convert.Convert(t, read)
			} else {
				in.misc.add(t, in.syms)
			}
			if l.Used == 0 {
				l.Place = in.last
			}
			l.Add(in.convert != nil)
		}
		// What is queued is of this list; the next call reads another.
		if in.gold.sent == len(in.gold.queue) {
			if len(l.Candidates) > 0 {
				return nil
			}
			l.Reset() // of a gold tree alone, after an error that was returned
		}
	}
}

// Tagger gives the trees of lists the same tags. It keeps its memory.
type Tagger struct {
	scores []float64
	words  []index.Token
	votes  []vote
}

// vote is the votes that a value has.
type vote struct {
	value uint32
	votes float64
}

// columnsOf are the columns that a tagger sets.
func columnsOf(t *index.Token) [4]*uint32 {
	return [4]*uint32{&t.Lemma, &t.UPOS, &t.XPOS, &t.Feats}
}

// Majority returns words with the tags of most candidates, of which there is one at
// least, and all have the same words; heads and relations are the first's. They
// are valid until the next call.
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

// count adds to the votes of a value.
func (g *Tagger) count(value uint32, votes float64) {
	for i := range g.votes {
		if g.votes[i].value == value {
			g.votes[i].votes += votes
			return
		}
	}
	g.votes = append(g.votes, vote{value, votes})
}

// Apply gives a tree the tags of tokens.
func Apply(t *index.Tree, tokens []index.Token) {
	for w := range t.Tokens {
		from := columnsOf(&tokens[w])
		for c, to := range columnsOf(&t.Tokens[w]) {
			*to = *from[c]
		}
	}
}
