package read

import (
	"io"
	"slices"

	"fstore/decode/format"
	"fstore/decode/format/convert"
	"fstore/index"
)

// goldLists reads K-best lists together with their gold trees. It marks the sample that has the structure of
// the gold tree and the most equal relations or tags. For each relation or tag that differs, this sample gets
// a Correction. If no sample has the structure, the gold tree is added as the last sample.
//
// A list and its gold tree have the same sent_id. N-best lists, and gold trees without a sent_id, are matched
// by position. The lists and the gold trees are in the same order. These are refused:
//   - a candidate with other words than the gold tree
//   - a list without a gold tree
//   - a gold tree without a list
//
// Memory holds one list, and the gold trees up to its own. If a list has no gold tree, all later gold trees
// are read into memory.
type goldLists struct {
	lists *files
	trees *goldTrees // nil if there are no gold trees: then no sample is marked
	apart bool       // add every gold tree to its list and mark no sample
	held  bool       // symbols are forgotten only by rollback; if false, also by each new list
	Tagger

	queue []event  // samples and errors to return, in order
	sent  int      // number of entries of the queue that were returned
	left  []string // comments of samples refused since the last good sample, which the next sample takes over
	ahead *event   // the first sample of the next list
	ended error    // the error, or io.EOF, that came instead of a next sample
	free  []*index.Tree
	keep  *index.Symbols
	own   *index.Tree // the gold tree of the sample that next returned last; nil if it has none

	convert *goldConverter // nil if gold trees are not converted
}

// newGoldLists returns a reader of lists with their gold trees. If trees is nil, the lists have no gold
// trees.
func newGoldLists(lists *files, trees *goldTrees) *goldLists {
	g := &goldLists{lists: lists, trees: trees, keep: ScratchSymbols()}
	if trees != nil && lists.o.As.Shape != "" {
		to := ScratchSymbols()
		g.convert = &goldConverter{Converter: convert.New(lists.o.As, trees.syms, to), syms: to}
	}
	return g
}

// next reads the next sample into t, or returns the error about it.
func (g *goldLists) next(t *index.Tree) (Place, error) {
	for {
		if g.sent < len(g.queue) {
			e := &g.queue[g.sent]
			g.sent++
			g.own = e.gold
			if e.err == nil {
				*t, *e.tree = *e.tree, *t
				g.free = append(g.free, e.tree)
				t.Comments = format.PassOn(g.left, t.Comments)
				g.left = nil
			} else {
				g.left = format.PassOn(g.left, e.left)
			}
			return e.Place, e.err
		}
		g.queue, g.sent = g.queue[:0], 0
		if g.ahead == nil && g.ended != nil {
			if err := g.ended; err != io.EOF {
				g.ended = nil // the lists of the next file come after this error
				return g.lists.last, err
			}
			if g.trees != nil {
				err := g.trees.refuseNext()
				g.queue = append(g.queue, g.trees.takeRefused()...)
				if err != nil {
					return g.lists.last, err
				}
			}
			if len(g.queue) == 0 {
				return g.lists.last, io.EOF
			}
			continue
		}
		if err := g.readList(); err != nil {
			return g.lists.last, err
		}
	}
}

func (g *goldLists) readList() error {
	if !g.held {
		g.rollback()
	}
	var list string
	samples := 0
	if g.ahead != nil {
		list = g.ahead.tree.Group
		g.queue = append(g.queue, *g.ahead)
		g.ahead = nil
		samples++
	}
	for {
		t := g.newTree()
		p, err := g.lists.sample(t)
		switch {
		case format.BadSample(err) != nil:
			g.queue = append(g.queue, event{err: err, Place: p})
			if samples == 0 {
				return nil
			}
			continue
		case err != nil:
			g.ended = err
			return g.match(samples)
		}
		e := event{tree: t, Place: p}
		switch {
		case t.Group == "":
			e.refuse("no candidate of a K-best list: expected comments sent_id and candidate")
			g.queue = append(g.queue, e)
			if samples == 0 {
				return nil
			}
		case samples > 0 && t.Group != list:
			g.ahead = &e
			return g.match(samples)
		default:
			list = t.Group
			samples++
			g.queue = append(g.queue, e)
		}
	}
}

func (g *goldLists) newTree() *index.Tree {
	if n := len(g.free); n > 0 {
		t := g.free[n-1]
		g.free = g.free[:n-1]
		return t
	}
	return new(index.Tree)
}

// rollback forgets all symbols since Freeze, except those of the sample that was read ahead.
func (g *goldLists) rollback() {
	s := g.lists.syms
	if g.ahead == nil || !s.Frozen() {
		s.Rollback()
		return
	}
	index.Translate(g.ahead.tree, s, g.keep)
	s.Rollback()
	index.Translate(g.ahead.tree, g.keep, s)
	g.keep.Rollback()
}

// match finds the gold tree of the list in g.queue and calls mark, or refuses all samples of the list.
func (g *goldLists) match(samples int) error {
	if samples == 0 || g.trees == nil {
		return nil
	}
	lists := g.queue
	p := lists[slices.IndexFunc(lists, func(e event) bool { return e.err == nil })].Place
	name := p.own
	gold, err := g.trees.find(p)
	g.queue = g.trees.takeRefused()
	if err != nil {
		return err
	}
	from := len(g.queue)
	g.queue = append(g.queue, lists...)
	lists = g.queue[from:]
	if gold.tree == nil {
		for i := range lists {
			if lists[i].err != nil {
				continue
			}
			if gold.File == "" {
				lists[i].refuse("no gold tree of %s in %s, or not in this order: expected one", name, g.lists.o.Gold)
			} else {
				lists[i].refuse("the gold tree of %s is refused (%s, sentence %d): expected one", name, gold.File, gold.sentence)
			}
		}
		return nil
	}
	if err := g.mark(lists, gold); err != nil {
		return err
	}
	if g.lists.o.Tags == TagsMajority {
		g.tag(g.queue[from:]) // an added gold tree gets the tags too
	}
	return nil
}

// tag gives all samples of a list the same tags.
func (g *goldLists) tag(list []event) {
	var all, candidates []*index.Tree
	for i := range list {
		t := list[i].tree
		if t == nil {
			continue
		}
		if all = append(all, t); t.Gold != index.GoldAdded {
			candidates = append(candidates, t)
		}
	}
	if len(candidates) == 0 {
		return
	}
	tokens := g.Tagger.Majority(candidates)
	for _, t := range all {
		Apply(t, tokens)
	}
}

// mark marks the sample of a list that agrees most with the gold tree of the list, or adds the gold tree.
func (g *goldLists) mark(list []event, gold goldTree) error {
	if k := list[0].tree; k != nil && (k.Kind != gold.tree.Kind || k.OneAlphabet != gold.tree.OneAlphabet) {
		return OptionErrorf("gold", "%s has %s trees, and the lists have %s trees: expected the same", gold.File, gold.tree.Kind, k.Kind)
	}
	c := goldComparison{gold: gold.tree, goldSyms: g.trees.syms, syms: g.lists.syms}
	var best *event
	var any *index.Tree
	most := -1
	for i := range list {
		e := &list[i]
		if e.err != nil {
			continue
		}
		if msg := c.words(e.tree); msg != "" {
			e.refuse("%s (%s, sentence %d): expected the same words", msg, gold.File, gold.sentence)
			continue
		}
		any = e.tree
		if n := c.agreement(e.tree); n > most {
			best, most = e, n
		}
	}
	switch {
	case best != nil && !g.apart:
		best.tree.Gold = index.GoldFound
		best.gold = gold.tree
	case any != nil:
		g.add(any, gold)
	}
	return nil
}

// add adds a gold tree to the queue, with the name, label and document of `from`, another sample of the list.
func (g *goldLists) add(from *index.Tree, gold goldTree) {
	t := gold.tree
	var own *index.Tree
	if g.lists.o.Tags == TagsMajority {
		own = t.Clone() // because t gets other tags
	}
	index.Translate(t, g.trees.syms, g.lists.syms)
	t.Name, t.Label, t.Document, t.Group = from.Name, from.Label, from.Document, from.Group
	t.Candidate, t.Score = 0, 0
	t.Gold = index.GoldAdded
	g.queue = append(g.queue, event{tree: t, gold: own, Place: gold.Place})
}

// correct sets the corrections of t, the sample that the method `next` returned last.
func (g *goldLists) correct(t *index.Tree, syms *index.Symbols) {
	if g.own == nil {
		return
	}
	c := goldComparison{gold: g.own, goldSyms: g.trees.syms, syms: syms}
	if k := g.convert; k != nil {
		k.syms.Rollback()
		k.Convert(&k.tree, c.gold)
		c.gold, c.goldSyms = &k.tree, k.syms
	}
	t.Corrections = c.corrections(t.Corrections[:0], t)
}
