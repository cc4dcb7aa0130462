package ptk

import (
	"math"
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// node is a node of a sample, as growth and matching read it.
//
// Nodes are numbered sample by sample, breadth first. So the children of a node lie side by side, in order. A
// list of ascending nodes stays ascending when each node is replaced by its parent.
type node struct {
	up          int32  // the parent; -1 if it has none in the forest
	kid, kidEnd uint32 // the children are the nodes kid..kidEnd-1
	end         uint32 // its siblings end before this node
	label       uint32 // see labelOf; in Items and in a Matcher, the label's number
	sample      uint32
}

// labelOf returns a node's label as codes have it: one number, which also says whether the node is a word.
func labelOf(n *index.Node) uint32 { return n.Child().Packed() }

// forest has the nodes of one or more samples.
type forest struct{ nodes []node }

// none stands for a label that occurs in no code.
const none = math.MaxUint32

// invert lists the nodes of each label, ascending. Labels are numbers below n.
func (f *forest) invert(with *growth.Inverted[int32], n int) {
	with.Fill(n, func() {
		for i := range f.nodes {
			if l := f.nodes[i].label; l != none {
				with.Put(l, int32(i))
			}
		}
	})
}

// planter lays out one tree at a time, and reuses its memory.
type planter struct {
	queue  []int32 // the tree's nodes, breadth first
	number []int32 // by node of the tree: its number in the forest; -1 if it is left out
	left   []int32 // by node of the tree: how many levels below it are kept; -1: it is left out
}

func (p *planter) keepAll(t *index.Tree) {
	p.left = slices.Grow(p.left[:0], len(t.Nodes))[:len(t.Nodes)]
	clear(p.left)
}

// add appends the nodes of t that p keeps.
func (f *forest) add(t *index.Tree, p *planter, sample uint32) {
	p.number = slices.Grow(p.number[:0], len(t.Nodes))[:len(t.Nodes)]
	p.queue = p.queue[:0]
	f.family(t, p, 0, len(t.Nodes), -1, sample)
	for i := 0; i < len(p.queue); i++ {
		if v := p.queue[i]; t.Nodes[v].Size > 1 {
			f.family(t, p, int(v)+1, int(v)+int(t.Nodes[v].Size), p.number[v], sample)
		}
	}
}

// family appends the siblings whose subtrees lie side by side in the nodes [first, end) of t. `up` is the
// number of their parent in the forest, or -1.
func (f *forest) family(t *index.Tree, p *planter, first, end int, up int32, sample uint32) {
	begin := uint32(len(f.nodes))
	for k := first; k < end; k += int(t.Nodes[k].Size) {
		p.queue = append(p.queue, int32(k))
		p.number[k] = -1
		if p.left[k] < 0 {
			continue
		}
		p.number[k] = int32(len(f.nodes))
		f.nodes = append(f.nodes, node{up: up, label: labelOf(&t.Nodes[k]), sample: sample})
	}
	last := uint32(len(f.nodes))
	for n := begin; n < last; n++ {
		f.nodes[n].end = last
	}
	if up >= 0 {
		f.nodes[up].kid, f.nodes[up].kidEnd = begin, last
	}
}

// above returns the node that is this many levels above node n.
func (f *forest) above(n int32, levels int) int32 {
	for ; levels > 0; levels-- {
		n = f.nodes[n].up
	}
	return n
}
