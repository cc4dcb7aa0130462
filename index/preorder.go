package index

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"fstore/index/glob"
)

// In emb and ptk, a fragment is a tree of labelled nodes. Its code has one step for each node, in preorder:
// Off is the depth, and Sym is a packed Child. The text is in brackets: `(NP (DT the) (NN))`. If words and
// labels are two classes, words have no brackets.

// Preorder has the methods that emb and ptk share. Their Space types embed it.
type Preorder struct{}

// AppendText implements Space: `(S (NP) (VP (V)))`, `(S (DT the) dog)`. c must be valid.
func (Preorder) AppendText(dst []byte, c Code, s *Symbols) []byte {
	bracketed, _ := bracketClasses(s)
	open := uint32(0) // brackets
	for st := range c.All() {
		for ; open > st.Off; open-- {
			dst = append(dst, ')')
		}
		if st.Off > 0 {
			dst = append(dst, ' ')
		}
		sym := UnpackChild(st.Sym)
		if sym.Class() == bracketed {
			dst = append(dst, '(')
			open++
		}
		dst = AppendEscaped(dst, s.Bytes(sym.Class(), sym.Sym))
	}
	for ; open > 0; open-- {
		dst = append(dst, ')')
	}
	return dst
}

// ParseText implements Space. With one alphabet, it also accepts a childless node without brackets.
func (Preorder) ParseText(text string, s *Symbols) (Code, error) {
	nodes, err := ParseBrackets(text)
	if err != nil {
		return nil, err
	}
	var c Code
	for i := range nodes {
		sym, err := nodes[i].Symbol(s)
		if err != nil {
			return nil, err
		}
		c = AppendStep(c, Step{Off: uint32(nodes[i].Depth), Sym: sym.Packed()})
	}
	return c, nil
}

// Check implements Space. The steps of a code must make one tree, and s must have their symbols.
func (Preorder) Check(c Code, s *Symbols) error {
	if len(c) == 0 {
		return errors.New("an empty code")
	}
	bracketed, _ := bracketClasses(s)
	deepest := uint32(0) // the largest depth that the next node may have
	for rest := c; len(rest) > 0; {
		st, next, ok := rest.Next()
		if !ok || st.Off > deepest || (st.Off == 0) != (len(rest) == len(c)) {
			return fmt.Errorf("code %x: not the nodes of a tree", []byte(c))
		}
		rest = next
		sym := UnpackChild(st.Sym)
		if !s.Has(sym) {
			return fmt.Errorf("code %x: no %s %d", []byte(c), sym.Class(), sym.Sym)
		}
		if deepest = st.Off; sym.Class() == bracketed {
			deepest++
		}
	}
	return nil
}

// ParsePattern implements Patterned, see ParseBracketPattern. A pattern's children match children in the
// fragment, not in the sample.
func (Preorder) ParsePattern(text string, s *Symbols) (*glob.Pattern, error) {
	p, nodes, syms, err := ParseBracketPattern(text, s)
	for i := range nodes {
		if nodes[i].IsWild() || nodes[i].IsRest() {
			break
		}
		p.Prefix = AppendStep(p.Prefix, Step{Off: uint32(nodes[i].Depth), Sym: syms[i].Packed()})
	}
	return p, err
}

// Implied implements Implying. The field Same is false, because in emb a child can match any descendant.
func (Preorder) Implied() (Implied, bool) { return Implied{}, true }

// Tree implements Patterned. The label of a node is two numbers: the class of its symbol, and the symbol.
func (Preorder) Tree(t *glob.Tree, c Code, _ *Symbols) error {
	t.Reset()
	for rest := c; len(rest) > 0; {
		st, next, ok := rest.Next()
		if !ok || uint64(st.Off) > uint64(t.Depth()) || (st.Off == 0) != (len(rest) == len(c)) {
			return fmt.Errorf("code %x: not the nodes of a tree", []byte(c))
		}
		rest = next
		for t.Depth() > int(st.Off) {
			t.Close()
		}
		sym := UnpackChild(st.Sym)
		t.Open(uint32(sym.Class()), sym.Sym)
	}
	if t.Depth() == 0 {
		return errors.New("an empty code")
	}
	for t.Depth() > 0 {
		t.Close()
	}
	return nil
}

// PatternOf returns a valid code as a pattern. If withRest is set, every node may have any further children.
func (Preorder) PatternOf(c Code, withRest bool) *glob.Node {
	var path []*glob.Node // by depth
	for st := range c.All() {
		sym := UnpackChild(st.Sym)
		node := &glob.Node{Label: []uint32{uint32(sym.Class()), sym.Sym}}
		if path = append(path[:st.Off], node); st.Off > 0 {
			above := path[st.Off-1]
			above.Kids = append(above.Kids, node)
			if withRest {
				above.Kids = append(above.Kids, nil)
			}
		}
		if withRest {
			node.Kids = append(node.Kids, nil)
		}
	}
	return path[0]
}

// PreorderNode is a node of a fragment, see Preorder.Unfold.
type PreorderNode struct {
	Sym    uint32 // packed
	Depth  int
	Parent int // -1 for the root
	Size   int // nodes in the subtree, this one included
}

// Unfold returns the nodes of a code in preorder. ok is false if c is not the code of a tree.
func (Preorder) Unfold(c Code) (nodes []PreorderNode, ok bool) {
	var path []int
	for len(c) > 0 {
		st, rest, ok := c.Next()
		n := PreorderNode{Sym: st.Sym, Depth: int(st.Off), Parent: -1, Size: 1}
		if !ok || n.Depth > len(path) || (n.Depth == 0) != (len(nodes) == 0) {
			return nil, false
		}
		if n.Depth > 0 {
			n.Parent = path[n.Depth-1]
		}
		path = append(path[:n.Depth], len(nodes))
		nodes, c = append(nodes, n), rest
	}
	for i := len(nodes) - 1; i > 0; i-- {
		nodes[nodes[i].Parent].Size += nodes[i].Size
	}
	return nodes, len(nodes) > 0
}

// PlacedNodes are the nodes of a sample in preorder, as Preorder.LocateIn reads them.
type PlacedNodes struct {
	Label []uint32 // packed; 0 if there is none
	Size  []int32  // nodes in the subtree, each node included
	At    []int32  // the node or token of the sample
}

// LocateIn returns at most MaxLocated occurrences of a fragment, in the order of their roots. If `direct` is
// true, a child in the fragment is a child in the sample, else any descendant. Siblings match nodes in
// separate subtrees, from left to right.
func (Preorder) LocateIn(t PlacedNodes, c Code, direct bool) (sorted []Occurrence) {
	f, ok := (Preorder{}).Unfold(c)
	if !ok {
		return nil
	}
	l := &locator{PlacedNodes: t, f: f, direct: direct, row: make([]int, len(f))}
	l.findEnds()
	l.place(0, 0, len(t.Label))
	// In dependency trees, preorder is not the order of tokens.
	slices.SortStableFunc(l.found, func(a, b located) int { return cmp.Compare(a.root, b.root) })
	for _, f := range l.found {
		slices.Sort(f.nodes)
		sorted = append(sorted, f.nodes)
	}
	return sorted
}

// locator maps the nodes of a fragment to the nodes of a sample, in preorder.
type locator struct {
	PlacedNodes
	f      []PreorderNode
	direct bool
	// fits[k][i] says whether the subtree of fragment node k matches at sample node i. ends[k][i] is the
	// least end(n) with fits[k][n], for n = i and the nodes that `next` visits after it. It is len(Label)+1
	// without such an n.
	fits  [][]bool
	ends  [][]int
	row   []int
	found []located
}

// located is one match, and the node or token of its root.
type located struct {
	root  int32
	nodes Occurrence
}

func (l *locator) end(i int) int { return i + int(l.Size[i]) }

// next returns which node of the sample to try after node i, for node k of the fragment.
func (l *locator) next(k, i int) int {
	if l.direct && k > 0 {
		return l.end(i)
	}
	return i + 1
}

func (l *locator) findEnds() {
	n := len(l.Label)
	l.fits, l.ends = make([][]bool, len(l.f)), make([][]int, len(l.f))
	for k := len(l.f) - 1; k >= 0; k-- {
		fits, ends := make([]bool, n), make([]int, n+1)
		ends[n] = n + 1
		for i := n - 1; i >= 0; i-- {
			ends[i] = ends[l.next(k, i)]
			if l.Label[i] == l.f[k].Sym && l.placeable(k+1, k+l.f[k].Size, i+1, l.end(i)) {
				fits[i], ends[i] = true, min(ends[i], l.end(i))
			}
		}
		l.fits[k], l.ends[k] = fits, ends
	}
}

// placeable says whether the fragment's siblings [k, endK) have matches in [from, to), one after the other.
func (l *locator) placeable(k, endK, from, to int) bool {
	for ; k < endK; k += l.f[k].Size {
		if from = l.ends[k][from]; from > to {
			return false
		}
	}
	return true
}

// place tries each of the tree nodes [from, to) for node k of the fragment, and then goes on with node k+1.
func (l *locator) place(k, from, to int) {
	later, last := k+l.f[k].Size, len(l.f) // the siblings to come
	if up := l.f[k].Parent; up >= 0 {
		last = up + l.f[up].Size
	}
	for i := from; i < to && len(l.found) < MaxLocated; i = l.next(k, i) {
		if !l.fits[k][i] || !l.placeable(later, last, l.end(i), to) {
			continue
		}
		l.row[k] = i
		switch {
		case k+1 == len(l.f):
			l.keep()
		case l.f[k].Size > 1:
			l.place(k+1, i+1, l.end(i))
		default:
			// Node k+1 is the next sibling of node k, or of an ancestor of node k.
			before, up := k, l.f[k+1].Parent
			for l.f[before].Parent != up {
				before = l.f[before].Parent
			}
			l.place(k+1, l.end(l.row[before]), l.end(l.row[up]))
		}
	}
}

func (l *locator) keep() {
	o := make(Occurrence, len(l.row))
	for i, n := range l.row {
		o[i] = l.At[n]
	}
	l.found = append(l.found, located{o[0], o})
}
