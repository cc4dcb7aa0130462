package stk

import (
	"errors"
	"fmt"
	"slices"

	"fstore/index"
)

// AppendText appends the fragment in brackets: `(NP (DT the) (NN))`, a childless
// bracket being a nonterminal that is not expanded. c must be valid.
func (Space) AppendText(dst []byte, c index.Code, s *index.Symbols) []byte {
	// stack holds what is still to be printed, the next last: children, and closing
	// brackets. Both start in memory of this call: listings print millions.
	type item struct {
		index.Child
		close bool
	}
	var stackMem [64]item
	var kidsMem [32]index.Child
	stack, kids := stackMem[:0], kidsMem[:0]
	st, rest, ok := c.Next()
	given := uint32(0)
	if !ok {
		return dst
	}
	label, _ := s.Production(st.Sym, kids)
	stack = append(stack, item{Child: index.Child{Sym: label}})
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x.close {
			dst = append(dst, ')')
			continue
		}
		if n := len(dst); n > 0 && dst[n-1] != ' ' && len(stack) > 0 {
			dst = append(dst, ' ')
		}
		if x.Word {
			dst = index.AppendEscaped(dst, s.Bytes(index.Words, x.Sym))
			continue
		}
		dst = append(dst, '(')
		dst = index.AppendEscaped(dst, s.Bytes(index.Labels, x.Sym))
		if !ok || given < st.Off {
			given++
			dst = append(dst, ')')
			continue
		}
		_, kids = s.Production(st.Sym, kids[:0])
		stack = append(stack, item{close: true})
		for k := len(kids) - 1; k >= 0; k-- {
			stack = append(stack, item{Child: kids[k]})
		}
		given = 0
		st, rest, ok = rest.Next()
	}
	return dst
}

// ParseText reads what AppendText writes, and a bare word for a childless
// bracket where the symbols hold no words (one alphabet). A label or word that
// is unknown, or a production that never occurs, is index.ErrAbsent.
func (Space) ParseText(text string, s *index.Symbols) (index.Code, error) {
	t, err := ParseTree(text, s)
	if err != nil {
		return nil, err
	}
	if t.absent {
		return nil, index.ErrAbsent
	}
	return t.code()
}

// FragmentTree is a fragment as text spells it: nodes in preorder.
type FragmentTree struct {
	nodes  []fragmentNode
	absent bool // a symbol of it is unknown
	s      *index.Symbols
}

type fragmentNode struct {
	sym   uint32
	word  bool
	size  int
	depth int
}

// ErrNoFragment says that a single node is no fragment.
var ErrNoFragment = errors.New("a single node is no fragment: expand it, as in (NP (DT) (NN))")

// ParseTree reads a fragment's brackets.
func ParseTree(text string, s *index.Symbols) (*FragmentTree, error) {
	p := &FragmentTree{s: s}
	oneAlphabet := s.Len(index.Words) == 0
	var open []int
	var name []byte
	for i := 0; i < len(text); {
		switch ch := text[i]; {
		case ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r':
			i++
		case ch == '(':
			if len(open) == 0 && len(p.nodes) > 0 {
				return nil, errors.New("a fragment has one root: text after its closing bracket")
			}
			end, err := readName(&name, text, i+1)
			if err != nil {
				return nil, err
			}
			if end == i+1 {
				return nil, errors.New(`a bracket without a label (\e is the empty one)`)
			}
			open = append(open, len(p.nodes))
			p.add(name, false, len(open)-1)
			i = end
		case ch == ')':
			if len(open) == 0 {
				return nil, errors.New("a closing bracket too many")
			}
			n := open[len(open)-1]
			p.nodes[n].size = len(p.nodes) - n
			open = open[:len(open)-1]
			i++
		default:
			end, err := readName(&name, text, i)
			if err != nil {
				return nil, err
			}
			if len(open) == 0 {
				return nil, fmt.Errorf("%q stands outside the brackets: a fragment looks like (NP (DT the) (NN))", text[i:end])
			}
			p.add(name, !oneAlphabet, len(open))
			i = end
		}
	}
	if len(open) > 0 {
		return nil, errors.New("a closing bracket is missing")
	}
	if len(p.nodes) == 0 {
		return nil, errors.New("no fragment: it looks like (NP (DT the) (NN))")
	}
	if len(p.nodes) == 1 {
		return nil, ErrNoFragment
	}
	return p, nil
}

// readName reads an escaped name that starts at i, and returns where it ends.
func readName(dst *[]byte, text string, i int) (end int, err error) {
	for end = i; end < len(text); end++ {
		switch text[end] {
		case '\\':
			end++
			continue
		case '(', ')', ' ', '\t', '\n', '\r':
		default:
			continue
		}
		break
	}
	end = min(end, len(text))
	*dst, err = index.AppendUnescaped((*dst)[:0], []byte(text[i:end]))
	return end, err
}

func (p *FragmentTree) add(name []byte, word bool, depth int) {
	class := index.Labels
	if word {
		class = index.Words
	}
	sym := p.s.Lookup(class, name)
	p.absent = p.absent || sym == 0
	p.nodes = append(p.nodes, fragmentNode{sym: sym, word: word, size: 1, depth: depth})
}

// code returns the code of the fragment.
func (p *FragmentTree) code() (index.Code, error) {
	var c index.Code
	var kids []index.Child
	given := uint32(0)
	for i := range p.nodes {
		n := &p.nodes[i]
		switch {
		case n.word:
			continue
		case n.size == 1:
			given++
			continue
		}
		kids = kids[:0]
		for k := i + 1; k < i+n.size; k += p.nodes[k].size {
			kids = append(kids, index.Child{Sym: p.nodes[k].sym, Word: p.nodes[k].word})
		}
		prod := p.s.LookupProduction(n.sym, slices.Clone(kids))
		if prod == 0 {
			return nil, index.ErrAbsent
		}
		c = index.AppendStep(c, index.Step{Off: given, Sym: prod})
		given = 0
	}
	return c, nil
}
