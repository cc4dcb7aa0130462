package decode

import (
	"fmt"
	"io"
	"math"

	"fstore/index"
	"fstore/store"
)

// List is a K-best list of one sentence. Its trees are valid until the next one is read.
type List struct {
	Candidates []*index.Tree
	// Gold is the gold tree, nil where none is known. From a store it is the sample that is gold,
	// with the gold tree's own relations and tags (index.Tree.Corrections), which stores of older
	// programs do not have.
	Gold *index.Tree

	place place  // of the first candidate
	id    uint32 // of the first sample, in a store
	trees []*index.Tree
	used  int
	gold  index.Tree // what Gold is where the sample that stands for it has corrections

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

// reset empties the list, and keeps its trees.
func (l *List) reset() {
	l.Candidates, l.read, l.Gold, l.used = l.Candidates[:0], l.read[:0], nil, 0
}

// nodes is how many nodes and tokens its trees have, those included that became others.
func (l *List) nodes() (n int) {
	for _, t := range l.trees[:l.used] {
		n += len(t.Nodes) + len(t.Tokens)
	}
	for _, t := range l.read {
		n += len(t.Nodes) + len(t.Tokens)
	}
	return n
}

// next returns a tree to read the list's next sample into.
func (l *List) next() *index.Tree {
	if l.used == len(l.trees) {
		l.trees = append(l.trees, new(index.Tree))
	}
	return l.trees[l.used]
}

// draft returns a tree to read what becomes the list's next sample into.
func (l *List) draft() *index.Tree {
	for l.used >= len(l.drafts) {
		l.drafts = append(l.drafts, new(index.Tree))
	}
	return l.drafts[l.used]
}

// add adds the tree that next returned, which was made of what draft returned where converted.
func (l *List) add(converted bool) {
	t := l.trees[l.used]
	if t.Gold != index.NotGold {
		l.Gold = t
	}
	if t.Gold != index.GoldAdded {
		l.Candidates = append(l.Candidates, t)
		if converted {
			l.read = append(l.read, l.drafts[l.used])
		}
	}
	l.used++
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

// OpenLists is OpenInputs of K-best lists, which are read whole. With InputOptions.Gold each
// has its own gold tree, with gold tags, whether or not a candidate has its structure.
func OpenLists(paths []string, o InputOptions) (*ListInputs, error) {
	in, err := OpenInputs(paths, o)
	if err != nil {
		return nil, err
	}
	if in.gold == nil {
		in.gold = newGoldLists(in)
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
	l.reset()
	l.syms = in.syms
	for {
		t := l.next()
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
		if !skipped && in.convert != nil {
			in.convert.Convert(t, read)
		}
		if !skipped && in.convert == nil {
			t.AddMisc(in.misc, in.syms)
		}
		if !skipped && len(l.Candidates) > 0 && in.gold.in == nil {
			// Beside gold trees, that has been looked at. What trees are converted to may have
			// the words in another order, or only some of them.
			first := l.Candidates[0]
			if in.convert != nil {
				first = l.read[0]
			}
			if msg := otherWords(first, read, in.syms); msg != "" {
				if err := in.Refuse(t, msg); err != nil {
					return err
				}
				skipped = true
			}
		}
		if !skipped {
			if l.used == 0 {
				l.place = in.last
			}
			l.add(in.convert != nil)
		}
		// What is queued is of this list; the next call reads another.
		if in.gold.sent == len(in.gold.queue) {
			if len(l.Candidates) > 0 {
				return nil
			}
			l.reset() // of a gold tree alone, after an error that was returned
		}
	}
}

// otherWords says in which word a tree differs from the first of its list, "" for none.
func otherWords(first, t *index.Tree, s *index.Symbols) string {
	c := goldComparison{gold: first, goldSyms: s, syms: s}
	msg := c.wordsIn(t, "the first candidate")
	if msg != "" {
		msg += ": expected the same words"
	}
	return msg
}

// StoredLists returns the K-best lists of a store, in order, and the symbols that they are
// over: the store's, and what only gold trees have. Samples that are in none are passed over.
func StoredLists(s *store.Store) (ListSource, *index.Symbols, error) {
	syms, err := s.Symbols()
	if err != nil {
		return nil, nil, err
	}
	syms = syms.Overlay()
	return &storedLists{src: StoredSamples(s), syms: syms, dir: s.Dir(), kind: s.Meta().Kind, oneAlphabet: s.Meta().OneAlphabet}, syms, nil
}

type storedLists struct {
	src   index.Source
	syms  *index.Symbols
	ahead index.Tree // the first sample of the next list, if it has a group
	next  uint32     // samples that were read

	dir         string // the store's
	kind        index.Kind
	oneAlphabet bool
}

// Release is ListSource's.
func (r *storedLists) Release() { r.syms.Rollback() }

// NextList is ListSource's.
func (r *storedLists) NextList(l *List) error {
	l.reset()
	if r.ahead.Group != "" {
		r.take(l, &r.ahead)
	}
	for {
		err := r.src.Next(&r.ahead)
		if err == io.EOF {
			r.ahead.Reset()
			if len(l.Candidates) > 0 {
				return nil
			}
		}
		if err != nil {
			return err
		}
		r.next++
		if l.used > 0 && !r.ahead.SameSentence(l.trees[0].Group, l.trees[0].Document) {
			if len(l.Candidates) > 0 {
				return nil
			}
			l.reset() // of a gold tree alone: the candidates were lost (mine.Repair)
		}
		if r.ahead.Group == "" {
			continue
		}
		if err := r.check(l); err != nil {
			return err
		}
		r.take(l, &r.ahead)
	}
}

// check looks at what others rely on: all samples of a list are of the store's kind and have the
// same words. Only trees of one alphabet, which build has made of dependency trees, may have these
// in an order of their own, or only those that nothing depends on.
func (r *storedLists) check(l *List) error {
	t, msg := &r.ahead, ""
	switch {
	case t.Kind != r.kind || t.OneAlphabet != r.oneAlphabet:
		msg = "it is of another kind than the store's"
	case !(math.Abs(t.Score) <= index.MostScore):
		msg = fmt.Sprintf("a score of %g: expected at most %g", t.Score, index.MostScore)
	case l.used > 0 && !t.OneAlphabet:
		msg = otherWords(l.trees[0], t, r.syms)
	}
	if msg == "" {
		return nil
	}
	return &store.Error{Dir: r.dir, Kind: store.ErrDamaged, Detail: fmt.Sprintf("sample %d: %s", r.next-1, msg)}
}

// take moves a sample into a list.
func (r *storedLists) take(l *List, t *index.Tree) {
	to := l.next()
	*to, *t = *t, *to
	t.Group = ""
	if l.used == 0 {
		l.place, l.id = place{file: to.Name}, r.next-1
	}
	l.add(false)
	if len(to.Corrections) > 0 {
		to.Correct(&l.gold, r.syms)
		l.Gold = &l.gold
	}
}
