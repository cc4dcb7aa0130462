package stk

import (
	"errors"
	"fmt"

	"fstore/index"
	"fstore/index/glob"
)

// unfolding reads a code, and goes along the nonterminals of its fragment in preorder.
type unfolding struct {
	s     *index.Symbols
	step  index.Step // the next step
	rest  index.Code // the code after the next step
	ok    bool       // there is a next step
	bad   bool       // bytes that are not a step come next
	given uint32     // nonterminals given up since the last step
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

// next goes to the next nonterminal, and returns the production that expands it, if there is one.
func (u *unfolding) next() (prod uint32, ok bool) {
	if !u.ok || u.given < u.step.Off {
		u.given++
		return 0, false
	}
	prod, u.given = u.step.Sym, 0
	u.advance()
	return prod, true
}

// Check returns an error if c is not the code of a fragment over s, or if the fragment is deeper than
// MaxDepth.
func (x Space) Check(c index.Code, s *index.Symbols) error { return x.layOut(nil, c, s) }

// Tree implements index.Patterned. A nonterminal that is not expanded has no children.
func (x Space) Tree(t *glob.Tree, c index.Code, s *index.Symbols) error {
	t.Reset()
	return x.layOut(t, c, s)
}

// layOut checks c. If t is not nil, it also adds the fragment to t.
func (x Space) layOut(t *glob.Tree, c index.Code, s *index.Symbols) error {
	if len(c) == 0 {
		return errors.New("an empty code")
	}
	u := newUnfolding(c, s)
	err := u.layOut(t, 0, 1, x.MaxDepth)
	switch {
	case err != nil:
	case u.bad:
		err = errors.New("not a list of steps")
	case u.ok && !isProduction(u.step.Sym, s):
		err = fmt.Errorf("no production %d", u.step.Sym)
	case u.ok:
		err = fmt.Errorf("no frontier position %d", u.step.Off)
	default:
		return nil
	}
	return fmt.Errorf("code %x: %w", []byte(c), err)
}

// layOut checks the next nonterminal and all below it, and adds them to t unless t is nil. A `label` of 0
// means any label, a `maxDepth` of 0 any depth.
func (u *unfolding) layOut(t *glob.Tree, label uint32, depth, maxDepth int) error {
	var mem [8]index.Child // on the stack, because a scan lays out millions of nonterminals
	kids := mem[:0]
	if prod, ok := u.next(); ok {
		if !isProduction(prod, u.s) {
			return fmt.Errorf("no production %d", prod)
		}
		var lhs uint32
		lhs, kids = u.s.Production(prod, kids)
		switch {
		case maxDepth > 0 && depth > maxDepth:
			return fmt.Errorf("deeper than %d productions", maxDepth)
		case label != 0 && lhs != label:
			return fmt.Errorf("production %d does not fit its place", prod)
		}
		label = lhs
	}
	if t != nil {
		t.Open(uint32(index.Labels), label)
	}
	for _, k := range kids {
		if !k.Word {
			if err := u.layOut(t, k.Sym, depth+1, maxDepth); err != nil {
				return err
			}
		} else if t != nil {
			t.Open(uint32(index.Words), k.Sym)
			t.Close()
		}
	}
	if t != nil {
		t.Close()
	}
	return nil
}

// Parts appends the fragments that are c without one of its lowest expanded nodes. If the root has only one
// expanded child, it also appends c without its root.
func (Space) Parts(dst []index.Code, c index.Code, s *index.Symbols) []index.Code {
	first := len(dst)
	steps, _ := c.Steps(nil)
	for i := 1; i < len(steps); i++ {
		part, rest := index.EncodeSteps(nil, steps[:i]), steps[i+1:]
		if len(rest) > 0 {
			children := uint32(s.Arity(steps[i].Sym))
			if rest[0].Off < children { // a child is expanded
				continue
			}
			// Without step i, the next step passes over one unexpanded node, not over its children.
			part = index.AppendStep(part, index.Step{Off: steps[i].Off + 1 + rest[0].Off - children, Sym: rest[0].Sym})
			part = index.EncodeSteps(part, rest[1:])
		}
		dst = index.AppendPart(dst, first, part)
	}
	if below := BelowRoot(c, s); len(below) == 1 {
		dst = index.AppendPart(dst, first, below[0])
	}
	return dst
}

// BelowRoot returns a code for each expanded child of c's root: the child with all nodes below.
func BelowRoot(c index.Code, s *index.Symbols) (all []index.Code) {
	steps, _ := c.Steps(nil)
	for i := 1; i < len(steps); {
		code := index.AppendStep(nil, index.Step{Sym: steps[i].Sym})
		open := s.Arity(steps[i].Sym) // the nonterminals below the child that the next steps can still expand
		for i++; i < len(steps) && int(steps[i].Off) < open; i++ {
			code = index.AppendStep(code, steps[i])
			open += s.Arity(steps[i].Sym) - int(steps[i].Off) - 1
		}
		all = append(all, code)
	}
	return all
}

// Covers implements index.Covering. It says whether the code `small` is a part of the code `big` with the
// same root.
func (Space) Covers(big, small index.Code, s *index.Symbols) bool {
	return newUnfolding(big, s).covers(newUnfolding(small, s))
}

// covers says whether the next subtree of u expands all that the next subtree of `sub` expands. A nil `sub`
// expands nothing.
func (u *unfolding) covers(sub *unfolding) bool {
	prod, ok := u.next()
	if sub != nil {
		switch want, expands := sub.next(); {
		case !expands:
			sub = nil
		case !ok || want != prod:
			return false
		}
	}
	if ok {
		for range u.s.Arity(prod) {
			if !u.covers(sub) {
				return false
			}
		}
	}
	return true
}

// Locate returns the matches of c in t, at most one for each root. A match has all nodes of the fragment,
// ascending, also words and unexpanded nodes.
func (Space) Locate(t *index.Tree, c index.Code, s *index.Symbols) (found []index.Occurrence) {
	for root := range t.Nodes {
		if o, ok := newUnfolding(c, s).locate(nil, t, root); ok {
			found = append(found, o)
		}
	}
	return found
}

// locate matches the next nonterminal, and all below it, with node i of t. It appends the matched nodes to
// dst.
func (u *unfolding) locate(dst index.Occurrence, t *index.Tree, i int) (o index.Occurrence, ok bool) {
	prod, expands := u.next()
	if expands && t.Nodes[i].Prod != prod {
		return dst, false
	}
	if dst = append(dst, int32(i)); !expands {
		return dst, true
	}
	for k := i + 1; k < i+int(t.Nodes[i].Size); k += int(t.Nodes[k].Size) {
		if t.Nodes[k].Word {
			dst = append(dst, int32(k))
		} else if dst, ok = u.locate(dst, t, k); !ok {
			return dst, false
		}
	}
	return dst, true
}

// Above implements index.Patterned. The pattern is c with any nodes below its unexpanded nodes.
func (Space) Above(c index.Code, s *index.Symbols) *glob.Pattern {
	return &glob.Pattern{Root: PatternNode(c, s, true)}
}

// PatternNode returns the root of the pattern that matches the fragment with the code c, which must be valid.
// If anyBelow is set, its unexpanded nodes match expanded nodes too.
func PatternNode(c index.Code, s *index.Symbols, anyBelow bool) *glob.Node {
	u := newUnfolding(c, s)
	label, _ := s.Production(u.step.Sym, nil)
	return u.pattern(label, anyBelow)
}

// pattern returns the pattern of the next nonterminal with all below it. If anyBelow is set, unexpanded
// nonterminals can have any children.
func (u *unfolding) pattern(label uint32, anyBelow bool) *glob.Node {
	n := &glob.Node{Label: []uint32{uint32(index.Labels), label}}
	prod, ok := u.next()
	if !ok {
		if anyBelow {
			n.Kids = []*glob.Node{nil}
		}
		return n
	}
	_, kids := u.s.Production(prod, nil)
	for _, k := range kids {
		if k.Word {
			n.Kids = append(n.Kids, &glob.Node{Label: []uint32{uint32(index.Words), k.Sym}})
		} else {
			n.Kids = append(n.Kids, u.pattern(k.Sym, anyBelow))
		}
	}
	return n
}
