package stk

import (
	"fstore/index"
)

// Fragment is a code unfolded: its expanded nodes in preorder.
type Fragment struct {
	Nodes []FragmentPart
}

// FragmentPart is one expanded node. Kids holds, for each nonterminal child of
// its production in order, the index of that child where it is expanded, else -1.
type FragmentPart struct {
	Prod   uint32
	Parent int // -1 at the root
	Slot   int // which nonterminal child of the parent it is
	Kids   []int
}

// unfolding goes along a code and the nonterminals of its fragment, in preorder.
type unfolding struct {
	s     *index.Symbols
	step  index.Step // the next one
	rest  index.Code // what follows it
	ok    bool       // there is a next one
	bad   bool       // something else follows
	given uint32     // the nonterminals that were given up since the last step
}

func newUnfolding(c index.Code, s *index.Symbols) *unfolding {
	u := &unfolding{s: s, rest: c}
	u.advance()
	return u
}

func (u *unfolding) advance() {
	more := len(u.rest) > 0
	u.step, u.rest, u.ok = u.rest.Next()
	u.bad = more && !u.ok
}

// next returns the production that expands the next nonterminal; ok is false if none does.
func (u *unfolding) next() (prod uint32, ok bool) {
	if !u.ok || u.given < u.step.Off {
		u.given++
		return 0, false
	}
	prod, u.given = u.step.Sym, 0
	u.advance()
	return prod, true
}

// Unfold returns the expanded nodes of a valid code.
func Unfold(c index.Code, s *index.Symbols) *Fragment {
	f := &Fragment{}
	f.unfold(newUnfolding(c, s), -1, 0)
	return f
}

// unfold adds the next nonterminal, which is a child of a parent, and all below it, and returns its
// index; -1 if it is not expanded.
func (f *Fragment) unfold(u *unfolding, parent, slot int) int {
	prod, ok := u.next()
	if !ok {
		return -1
	}
	i, kids := len(f.Nodes), make([]int, u.s.Arity(prod))
	f.Nodes = append(f.Nodes, FragmentPart{prod, parent, slot, kids})
	for k := range kids {
		kids[k] = f.unfold(u, i, k)
	}
	return i
}

// Code is the code of the fragment without the nodes that skip names; at is the
// root. Skipped nodes must come with all that is below them.
func (f *Fragment) Code(at int, skip func(int) bool) index.Code {
	var c index.Code
	given := uint32(0)
	stack := []int{at}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if i < 0 || skip(i) {
			given++
			continue
		}
		c = index.AppendStep(c, index.Step{Off: given, Sym: f.Nodes[i].Prod})
		given = 0
		for k := len(f.Nodes[i].Kids) - 1; k >= 0; k-- {
			stack = append(stack, f.Nodes[i].Kids[k])
		}
	}
	return c
}

// Parts appends c without one of its lowest expanded nodes, for each of them;
// and c without its root, where the root has one expanded child.
func (Space) Parts(dst []index.Code, c index.Code, s *index.Symbols) []index.Code {
	f := Unfold(c, s)
	if len(f.Nodes) < 2 {
		return dst
	}
	first := len(dst)
	for i := 1; i < len(f.Nodes); i++ {
		if f.expanded(i) == 0 {
			dst = index.AppendPart(dst, first, f.Code(0, func(k int) bool { return k == i }))
		}
	}
	if f.expanded(0) == 1 {
		dst = index.AppendPart(dst, first, f.Code(1, func(int) bool { return false }))
	}
	return dst
}

// expanded is the number of expanded children of node i.
func (f *Fragment) expanded(i int) (n int) {
	for _, k := range f.Nodes[i].Kids {
		if k >= 0 {
			n++
		}
	}
	return n
}

// Covers says whether small, laid on the root of big, is a part of big.
func (Space) Covers(big, small index.Code, s *index.Symbols) bool {
	b, f := Unfold(big, s), Unfold(small, s)
	at := make([]int, len(f.Nodes)) // where in b the node of f lies
	for i := range f.Nodes {
		n := &f.Nodes[i]
		if n.Parent >= 0 {
			at[i] = b.Nodes[at[n.Parent]].Kids[n.Slot]
		}
		if at[i] < 0 || b.Nodes[at[i]].Prod != n.Prod {
			return false
		}
	}
	return true
}

// Locate returns the matches of c in t, a root at most one: the nodes of the
// fragment, ascending, its words and unexpanded nodes included.
func (Space) Locate(t *index.Tree, c index.Code, s *index.Symbols) []index.Occurrence {
	f := Unfold(c, s)
	var found []index.Occurrence
	at := make([]int, len(f.Nodes))
roots:
	for r := range t.Nodes {
		for i := range f.Nodes {
			n := &f.Nodes[i]
			at[i] = r
			if n.Parent >= 0 {
				at[i] = child(t, at[n.Parent], n.Slot)
			}
			if t.Nodes[at[i]].Prod != n.Prod {
				continue roots
			}
		}
		found = append(found, cover(t, at))
	}
	return found
}

// child returns the slot-th nonterminal child of node i.
func child(t *index.Tree, i, slot int) int {
	for k := i + 1; ; k += int(t.Nodes[k].Size) {
		if t.Nodes[k].Word {
			continue
		}
		if slot == 0 {
			return k
		}
		slot--
	}
}

// cover returns the expanded nodes (ascending, the root first) and all their children.
func cover(t *index.Tree, expanded []int) index.Occurrence {
	in := make(map[int32]bool)
	end := expanded[0] + int(t.Nodes[expanded[0]].Size)
	in[int32(expanded[0])] = true
	for _, i := range expanded {
		for k := i + 1; k < i+int(t.Nodes[i].Size); k += int(t.Nodes[k].Size) {
			in[int32(k)] = true
		}
	}
	o := make(index.Occurrence, 0, len(in))
	for i := expanded[0]; i < end; i++ {
		if in[int32(i)] {
			o = append(o, int32(i))
		}
	}
	return o
}
