package glob

import (
	"strings"
	"testing"
)

// Trees and patterns are written in brackets. The letter after a bracket is the label of a node. A `<` stands
// before a node to the left of its head. In patterns, `_` is any label, `.` is any further children, and a
// label with `+` also fits longer labels.

func read(text string) *Tree {
	t := &Tree{}
	left := false
	for _, c := range text {
		switch c {
		case '<':
			left = true
		case ')':
			t.Close()
		case '(':
		default:
			if left {
				t.OpenLeft(uint32(c), uint32(c)+1)
			} else {
				t.Open(uint32(c), uint32(c)+1)
			}
			left = false
		}
	}
	return t
}

func readPattern(text string) *Pattern {
	p := &Pattern{}
	var path []*Node
	left := false
	for i, c := range text {
		add := func(n *Node) {
			if len(path) == 0 {
				p.Root = n
				return
			}
			kids := &path[len(path)-1].Kids
			if left {
				kids = &path[len(path)-1].Left
			}
			*kids = append(*kids, n)
			left = false
		}
		switch c {
		case '<':
			left = true
		case '.':
			add(nil)
		case ')':
			path = path[:len(path)-1]
		case '(', '+':
		default:
			n := &Node{Label: []uint32{uint32(c), uint32(c) + 1}}
			if c == '_' {
				n.Label = []uint32{Any, Any}
			}
			if strings.HasPrefix(text[i+1:], "+") {
				n.Label, n.More = n.Label[:1], true
			}
			add(n)
			path = append(path, n)
		}
	}
	return p
}

func TestMatcher(t *testing.T) {
	for _, c := range []struct {
		pattern, tree              string
		ordered, unordered, within bool
	}{
		{"(a)", "(a)", true, true, true},
		{"(a)", "(a(b))", false, false, false},
		{"(a.)", "(a)", true, true, true},
		{"(a.)", "(a(b)(c(d)))", true, true, true},
		{"(_(b))", "(a(b))", true, true, true},
		{"(a+(b))", "(a(b))", true, true, true},
		{"(b.)", "(a(b(c)))", false, false, true},
		{"(a(b)(c))", "(a(c)(b))", false, true, false},
		{"(a(b).)", "(a(c)(b))", false, true, false},
		{"(a.(b))", "(a(c)(b))", true, true, true},
		{"(a.(b)(c).)", "(a(b)(d)(b)(c)(d))", true, true, true}, // the rest goes back to the first b
		{"(a.(b).(c))", "(a(b)(c)(d))", false, true, false},
		{"(a(b)(b))", "(a(b))", false, false, false},
		{"(a(_)(b))", "(a(b)(c))", false, true, false}, // _ has to leave b to the other
		{"(a(_)(b(_)))", "(a(b(d))(c(d)))", false, false, false},
		{"(a(_.)(b(_)))", "(a(b(d))(c(d)))", false, true, false},
		{"(a<.(b))", "(a<(b)(b))", true, true, true},
		{"(a.(b))", "(a<(b)(b))", false, false, false}, // the rest is right of it
		{"(a<(c)<.(b))", "(a<(c)<(d)(b))", true, true, true},
	} {
		p, tree := readPattern(c.pattern), read(c.tree)
		m := NewMatcher(p)
		if got := m.Fits(tree); got != c.ordered {
			t.Errorf("%s fits %s: %v", c.pattern, c.tree, got)
		}
		if got := m.FitsSomewhere(tree); got != c.within {
			t.Errorf("%s fits somewhere in %s: %v", c.pattern, c.tree, got)
		}
		p.Unordered = true
		if got := m.Fits(tree); got != c.unordered {
			t.Errorf("%s fits %s in some order: %v", c.pattern, c.tree, got)
		}
	}
	if NewMatcher(readPattern("(a.)")).Fits(&Tree{}) {
		t.Error("a pattern fits nothing")
	}
}

// A pattern that could be tried in very many ways does not take long.
func TestMatcherDoesNotExplode(t *testing.T) {
	tree := read("(a" + strings.Repeat("(b(b)(b)(b))", 300) + "(c))")
	p := readPattern("(a" + strings.Repeat(".(b.(b).(b).)", 100) + ".(d))")
	for _, p.Unordered = range []bool{false, true} {
		if NewMatcher(p).Fits(tree) {
			t.Error("it fits")
		}
	}
}

func TestEmbedded(t *testing.T) {
	for _, c := range []struct {
		pattern, tree string
		want          bool
	}{
		{"(a(d))", "(a(b(c(d))))", true},
		{"(a(c)(d))", "(a(b(c)(e))(d))", true},
		{"(a(d)(c))", "(a(b(c)(e))(d))", false},
		{"(a(b)(c))", "(a(b(c)))", false},   // not side by side
		{"(a(b)(c))", "(a(b(b)(c)))", true}, // the lower b
		{"(a(b(c))(b))", "(a(b(b(c)))(b))", true},
		{"(a)", "(b(a))", false},
	} {
		p := readPattern(c.pattern)
		p.Embedded = true
		if got := NewMatcher(p).Fits(read(c.tree)); got != c.want {
			t.Errorf("%s is embedded in %s: %v", c.pattern, c.tree, got)
		}
	}
	chain := func(n int, end string) string { return strings.Repeat("(a", n) + end + strings.Repeat(")", n) }
	p := readPattern(chain(60, "(b)"))
	p.Embedded = true
	if m := NewMatcher(p); m.FitsSomewhere(read(chain(200, ""))) || !m.FitsSomewhere(read(chain(200, "(b)"))) {
		t.Error("a long chain")
	}
}
