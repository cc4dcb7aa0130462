package read

import (
	"errors"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// goldTree is a gold tree, nil where it was refused.
type goldTree struct {
	tree *index.Tree
	Place
}

// find takes the gold tree of the list at p, whose name is given. Those before it are
// queued as errors. A goldTree without file is one that does not exist.
func (g *goldLists) find(p Place, name string) (goldTree, error) {
	g.list++
	if p.list > 0 {
		g.list = p.list
	}
	for p.list > 0 && g.number < g.list-1 {
		gold, err := g.take()
		if err != nil || gold.File == "" {
			return gold, err
		}
		g.withoutList(gold)
	}
	if p.list == 0 {
		byName, err := g.byName()
		if err != nil {
			return goldTree{}, err
		}
		for byName && g.named[name] == 0 {
			if ok, err := g.readGold(); !ok {
				return goldTree{}, err
			}
		}
		for byName && g.gold[0].own != name {
			gold, err := g.take()
			if err != nil {
				return gold, err
			}
			g.withoutList(gold)
		}
	}
	return g.take()
}

// byName says whether the next gold tree that was not refused has a name.
func (g *goldLists) byName() (bool, error) {
	for i := 0; ; i++ {
		if i == len(g.gold) {
			if ok, err := g.readGold(); !ok {
				return false, err
			}
		}
		if g.gold[i].tree != nil {
			return g.gold[i].own != "", nil
		}
	}
}

// take takes the next gold tree; without file, there is none.
func (g *goldLists) take() (goldTree, error) {
	if len(g.gold) == 0 {
		if ok, err := g.readGold(); !ok {
			return goldTree{}, err
		}
	}
	gold := g.gold[0]
	g.gold = g.gold[1:]
	g.number++
	if g.named[gold.own]--; g.named[gold.own] == 0 {
		delete(g.named, gold.own)
	}
	return gold, nil
}

// readGold reads one more gold tree, or says that there is none. One that is refused is
// queued as an error, and keeps its place.
func (g *goldLists) readGold() (ok bool, err error) {
	if g.goldEnd {
		return false, nil
	}
	t := new(index.Tree)
	p, err := g.in.sample(t)
	gold := goldTree{t, p}
	var bad *index.InputError
	switch {
	case err == io.EOF:
		g.goldEnd = true
		return false, nil
	case errors.As(err, &bad) && !bad.Fatal:
		g.queue = append(g.queue, event{err: err, Place: p})
		gold.tree = nil
	case err != nil:
		g.goldEnd = true
		return false, err
	}
	g.gold = append(g.gold, gold)
	g.named[gold.own]++
	return true, nil
}

// withoutList queues the error of a gold tree that no list is for.
func (g *goldLists) withoutList(gold goldTree) {
	if gold.tree == nil {
		return // an error already
	}
	gold.record.Samples--
	gold.record.Refused++
	g.queue = append(g.queue, event{Place: gold.Place, err: &index.InputError{
		File: gold.File, Line: gold.tree.Line, Sentence: gold.sentence,
		Msg: "no candidates for " + format.Quote([]byte(gold.tree.Name)) + " in the lists: expected a list in the order of the gold trees",
	}})
}

// rest queues the gold trees that are left when the lists have ended.
func (g *goldLists) rest() error {
	if g.in == nil {
		return nil
	}
	for {
		gold, err := g.take()
		if err != nil || gold.File == "" {
			return err
		}
		g.withoutList(gold)
		if len(g.queue) > 0 {
			return nil
		}
	}
}
