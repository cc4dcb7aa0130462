package read

import "fstore/index"

// List is the K-best list of one sentence. Its trees are valid until the next list is read.
type List struct {
	Candidates []*index.Tree
	// Gold is the gold tree, or nil. In a store, it is the sample marked as gold, with the relations and tags
	// of the gold tree (index.Tree.Corrections).
	Gold *index.Tree

	Place     Place  // place of the first candidate
	Id        uint32 // number of the first sample; only in a store
	Trees     []*index.Tree
	Used      int
	Corrected index.Tree // memory for Gold, if the sample has corrections

	// The candidates before a conversion (InputOptions.As), and their symbols. Trees[i] is made from
	// drafts[i].
	read   []*index.Tree
	syms   *index.Symbols
	drafts []*index.Tree
}

// AsRead returns candidate i before any conversion, and its symbols. Without a conversion, these are `syms`.
func (l *List) AsRead(i int, syms *index.Symbols) (*index.Tree, *index.Symbols) {
	if len(l.read) == 0 {
		return l.Candidates[i], syms
	}
	return l.read[i], l.syms
}

// Reset empties the list, but keeps the memory of its trees.
func (l *List) Reset() {
	l.Candidates, l.read, l.Gold, l.Used = l.Candidates[:0], l.read[:0], nil, 0
}

// Nodes counts the nodes and tokens of all trees, before and after conversion.
func (l *List) Nodes() (n int) {
	for _, t := range l.Trees[:l.Used] {
		n += len(t.Nodes) + len(t.Tokens)
	}
	for _, t := range l.read {
		n += len(t.Nodes) + len(t.Tokens)
	}
	return n
}

// Next returns the tree into which the caller must read the list's next sample. See Add.
func (l *List) Next() *index.Tree {
	if l.Used == len(l.Trees) {
		l.Trees = append(l.Trees, new(index.Tree))
	}
	return l.Trees[l.Used]
}

// draft returns the tree for the list's next sample before its conversion.
func (l *List) draft() *index.Tree {
	for l.Used >= len(l.drafts) {
		l.drafts = append(l.drafts, new(index.Tree))
	}
	return l.drafts[l.Used]
}

// Add adds the tree that Next returned, after the caller has filled it. Set `fromDraft` if the tree was
// converted from a draft.
func (l *List) Add(fromDraft bool) {
	t := l.Trees[l.Used]
	if t.Gold != index.NotGold {
		l.Gold = t
	}
	if t.Gold != index.GoldAdded {
		l.Candidates = append(l.Candidates, t)
		if fromDraft {
			l.read = append(l.read, l.drafts[l.Used])
		}
	}
	l.Used++
}

// ListSource reads K-best lists. Each has at least one candidate.
type ListSource interface {
	// NextList reads the next list into l, and reuses the memory of l. After the last list it returns
	// io.EOF.
	NextList(l *List) error
	// Release tells the source that the lists read so far are not needed any more. If the symbols are frozen,
	// the source forgets the symbols of these lists.
	Release()
}

// ListInputs reads the K-best lists of several inputs, see Inputs.
type ListInputs struct{ *Inputs }

// OpenLists opens inputs like Open, and reads whole K-best lists. With InputOptions.Gold, each list gets its
// gold tree, even if a candidate has the same structure.
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

// Release implements ListSource.
func (in *ListInputs) Release() {
	in.gold.rollback()
	if in.convert != nil {
		in.o.Symbols.Rollback()
	}
}

// NextList implements ListSource.
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
		// The queue has the samples of one list. So if all of them are read, the list is complete.
		if in.gold.sent == len(in.gold.queue) {
			if len(l.Candidates) > 0 {
				return nil
			}
			l.Reset() // an error has been returned, and only a gold tree is left
		}
	}
}
