package count

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/pattern"
	"fstore/mine/association"
)

// Filler is a value of a construction's node, with a 2×2 table:
//   - rows: nodes with the value, and nodes without it
//   - columns: nodes in hits, and the nodes that they are compared with (see Fillers)
//
// A node of a tree counts once, even if it is in several hits.
type Filler struct {
	Node  int // number of the node, from 1, in the order of the text
	Value string
	association.Table
}

// Expected returns what O11 would be if value and construction were independent.
func (f *Filler) Expected() float64 {
	return (f.O11 + f.O12) * (f.O11 + f.O21) / (f.O11 + f.O12 + f.O21 + f.O22)
}

// FillerOptions say which fillers to count.
type FillerOptions struct {
	Options
	// Nodes are the numbers, from 1, of the nodes whose fillers are counted. If it is nil, they are the nodes
	// written as `_`.
	Nodes []int
	// By is the field that is counted as the value:
	//   - tokens: pattern.Form, Lemma, UPOS, XPOS or Relation
	//   - brackets: pattern.Label (the node's label or word) or pattern.Form (the words below the node)
	By pattern.Field
}

// Fillers compares what fills a construction's nodes with what fills other nodes under the same conditions
// (collostructional analysis; Stefanowitsch & Gries 2003). Two constructions are compared node by node
// (distinctive collexemes; Gries & Stefanowitsch 2004). Fillers are sorted by node, then by value.
func (x *Trees) Fillers(ctx context.Context, all []*Construction, o FillerOptions) ([]Filler, error) {
	counts, err := x.newCounts(all)
	if err != nil {
		return nil, err
	}
	f := &fillers{x: x, by: o.By}
	for _, c := range counts {
		slots, err := c.Construction.slots(o.Nodes)
		if err != nil {
			return nil, err
		}
		f.slots = append(f.slots, slots)
	}
	if len(all) == 1 {
		f.slots = append(f.slots, nil)
	} else if a, b := len(f.slots[0]), len(f.slots[1]); a != b {
		return nil, index.Usagef("%s has %s, and %s %d: they are compared in their order", all[0].Text, index.Plural(a, "_"), all[1].Text, b)
	}
	return f.find(ctx, counts, o.Options)
}

// slots returns the indexes of nodes from their numbers: node 1 has the index 0. If `nodes` is nil, it takes
// the nodes written _.
func (c *Construction) slots(nodes []int) (slots []int, err error) {
	names := c.Pattern.Nodes()
	if nodes == nil {
		if slots = c.Pattern.Slots(); len(slots) == 0 {
			return nil, index.Usagef("%s has no _: write one, or name a node by its number", c.Text)
		}
		return slots, nil
	}
	for _, n := range nodes {
		if n < 1 || n > len(names) {
			return nil, index.Usagef("%s has no node %d: it has %s", c.Text, n, strings.Join(names, ", "))
		}
		slots = append(slots, n-1)
	}
	return slots, nil
}

type fillers struct {
	x     *Trees
	by    pattern.Field
	slots [][]int // by construction: its slots; nil stands for all nodes elsewhere
	total [][]map[string]float64
}

// find counts the values of each slot in the construction and elsewhere, or in both constructions.
func (f *fillers) find(ctx context.Context, counts []*Counts, o Options) ([]Filler, error) {
	isElsewhere := f.slots[1] == nil
	read := counts
	if isElsewhere {
		read = []*Counts{{Bound: &Bound{}}}
	}
	f.total = f.empty()
	err := f.x.each(ctx, read, o, func() visitor {
		w := &fillerFinder{fillers: f}
		for _, c := range counts {
			w.finders = append(w.finders, c.Construction.Finder(f.x.syms))
			w.bounds = append(w.bounds, c.Bound)
		}
		for _, slot := range f.slots[0] {
			if isElsewhere {
				alone, at := counts[0].Construction.Pattern.Alone(slot)
				w.alone, w.at = append(w.alone, pattern.NewMatcher(alone, f.x.syms)), append(w.at, at)
			}
		}
		return func(int) (func(id uint32, t *index.Tree) error, func()) {
			w.part = f.empty()
			return w.visit, func() { f.add(w.part) }
		}
	})
	if err != nil {
		return nil, err
	}
	return f.tables(isElsewhere), nil
}

func (f *fillers) empty() [][]map[string]float64 {
	all := make([][]map[string]float64, 2)
	for side := range all {
		for range f.slots[0] {
			all[side] = append(all[side], map[string]float64{})
		}
	}
	return all
}

func (f *fillers) add(part [][]map[string]float64) {
	for side := range part {
		for k := range part[side] {
			for value, n := range part[side][k] {
				f.total[side][k][value] += n
			}
		}
	}
}

// tables returns a Filler for each value. If isElsewhere is true, f.total[1] also has the nodes in hits, and
// tables subtracts them.
func (f *fillers) tables(isElsewhere bool) (all []Filler) {
	for k, node := range f.slots[0] {
		in, other := f.total[0][k], f.total[1][k]
		values := slices.Collect(maps.Keys(in))
		inSum, otherSum := 0.0, 0.0
		for value, n := range in {
			inSum += n
			if isElsewhere {
				other[value] -= n
			}
		}
		for value, n := range other {
			otherSum += n
			if in[value] == 0 && !isElsewhere { // a value that only occurs elsewhere is no filler
				values = append(values, value)
			}
		}
		for _, value := range values {
			a, b := in[value], other[value]
			all = append(all, Filler{node + 1, value, association.Table{O11: a, O12: b, O21: inSum - a, O22: otherSum - b}})
		}
	}
	slices.SortFunc(all, func(a, b Filler) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), strings.Compare(a.Value, b.Value))
	})
	return all
}

// fillerFinder is the state of one goroutine that counts fillers.
type fillerFinder struct {
	*fillers
	finders []Finder // by construction: its finder
	bounds  []*Bound
	alone   []Finder // by slot: finds its node anywhere; nil if two constructions are compared
	at      []int    // the index of the slot's node in the hits of alone
	part    [][]map[string]float64
	nodes   []map[int32]bool
	text    []byte
}

// visit counts the values of the slots in one tree.
func (w *fillerFinder) visit(id uint32, t *index.Tree) error {
	for side, finder := range w.finders {
		if !w.bounds[side].has(id) {
			continue
		}
		if err := w.values(w.part[side], finder, w.slots[side], t); err != nil {
			return err
		}
	}
	for k, finder := range w.alone {
		if err := w.values(w.part[1][k:k+1], finder, w.at[k:k+1], t); err != nil {
			return err
		}
	}
	return nil
}

// values adds to counts[k] the values of all nodes of t that match node nodeIndexes[k] of the construction.
func (w *fillerFinder) values(counts []map[string]float64, finder Finder, nodeIndexes []int, t *index.Tree) error {
	for len(w.nodes) < len(nodeIndexes) {
		w.nodes = append(w.nodes, map[int32]bool{})
	}
	err := eachHit(finder, t, func(row []int32) {
		for k, i := range nodeIndexes {
			w.nodes[k][row[i]] = true
		}
	})
	if err != nil {
		return err
	}
	for k := range nodeIndexes {
		for i := range w.nodes[k] {
			w.text = appendValue(w.text[:0], t, i, w.by, w.x.syms)
			counts[k][string(w.text)]++
		}
		clear(w.nodes[k])
	}
	return nil
}
