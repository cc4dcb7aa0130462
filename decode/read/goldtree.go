package read

import (
	"fmt"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// event is a sample, or an error about a sample.
type event struct {
	tree *index.Tree
	err  error
	left []string    // comments of a sample that goldLists has refused
	gold *index.Tree // the gold tree, with its own symbols, if the sample may need corrections
	Place
}

// refuse turns the event into an error about its sample.
func (e *event) refuse(msg string, args ...any) {
	e.err = &index.InputError{File: e.File, Line: e.tree.Line, Sentence: e.sentence, Msg: fmt.Sprintf(msg, args...)}
	e.left, e.tree = e.tree.Comments, nil
	e.record.Samples--
	e.record.Refused++
}

// goldTree is a gold tree. Its field `tree` is nil if the tree was refused.
type goldTree struct {
	tree *index.Tree
	Place
}

// goldTrees reads the trees of a gold file. The lists take them one by one, in the order of the file.
type goldTrees struct {
	in    *files
	syms  *index.Symbols // the symbols of the gold trees
	ended bool

	trees   []goldTree     // trees that have been read and not yet taken
	named   map[string]int // name → number of trees with that name
	number  int            // number of trees taken so far
	refused []event        // errors about gold trees that are bad or have no list
}

// takeRefused returns the errors about gold trees that came since the last call of takeRefused.
func (g *goldTrees) takeRefused() []event {
	all := g.refused
	g.refused = nil
	return all
}

// find takes the gold tree of the list at the place p, and refuses the gold trees before it. If the list has
// no gold tree, the result has no File.
func (g *goldTrees) find(p Place) (goldTree, error) {
	isBefore := func() bool { return g.number < p.list-1 }
	if p.list == 0 {
		byName, err := g.byName()
		if err != nil {
			return goldTree{}, err
		}
		for byName && g.named[p.own] == 0 {
			if ok, err := g.readGold(); !ok {
				return goldTree{}, err
			}
		}
		isBefore = func() bool { return byName && g.trees[0].own != p.own }
	}
	for isBefore() {
		gold, err := g.take()
		if err != nil || gold.File == "" {
			return gold, err
		}
		g.withoutList(gold)
	}
	return g.take()
}

// byName says whether the next good gold tree has a name of its own.
func (g *goldTrees) byName() (bool, error) {
	for i := 0; ; i++ {
		if i == len(g.trees) {
			if ok, err := g.readGold(); !ok {
				return false, err
			}
		}
		if g.trees[i].tree != nil {
			return g.trees[i].own != "", nil
		}
	}
}

// take takes the next gold tree. After the last, the result has no File.
func (g *goldTrees) take() (goldTree, error) {
	if len(g.trees) == 0 {
		if ok, err := g.readGold(); !ok {
			return goldTree{}, err
		}
	}
	gold := g.trees[0]
	g.trees = g.trees[1:]
	g.number++
	if g.named[gold.own]--; g.named[gold.own] == 0 {
		delete(g.named, gold.own)
	}
	return gold, nil
}

// readGold reads one more gold tree, or returns false at the end.
func (g *goldTrees) readGold() (ok bool, err error) {
	if g.ended {
		return false, nil
	}
	t := new(index.Tree)
	p, err := g.in.sample(t)
	gold := goldTree{t, p}
	switch {
	case err == io.EOF:
		g.ended = true
		return false, nil
	case format.BadSample(err) != nil:
		g.refused = append(g.refused, event{err: err, Place: p})
		gold.tree = nil
	case err != nil:
		g.ended = true
		return false, err
	}
	g.trees = append(g.trees, gold)
	g.named[gold.own]++
	return true, nil
}

// withoutList records the error that a gold tree has no list.
func (g *goldTrees) withoutList(gold goldTree) {
	if gold.tree == nil {
		return // its error has been recorded
	}
	gold.record.Samples--
	gold.record.Refused++
	g.refused = append(g.refused, event{Place: gold.Place, err: &index.InputError{
		File: gold.File, Line: gold.tree.Line, Sentence: gold.sentence,
		Msg: "no candidates for " + format.Quote([]byte(gold.tree.Name)) + " in the lists: expected a list in the order of the gold trees",
	}})
}

// refuseNext goes through the gold trees that no list has taken, until one is refused or none is left.
func (g *goldTrees) refuseNext() error {
	for {
		gold, err := g.take()
		if err != nil || gold.File == "" {
			return err
		}
		g.withoutList(gold)
		if len(g.refused) > 0 {
			return nil
		}
	}
}
