package brute

import (
	"maps"
	"strconv"
	"strings"

	"fstore/index"
)

// Trees returns the fragments of stk, st or sstbow with node i of t as root, and their orders. The fragments
// of stk:max-depth=D are at most D deep.
func Trees(space string, t *index.Tree, s *index.Symbols, i int) map[string]int {
	if most, ok := strings.CutPrefix(space, "stk:max-depth="); ok {
		all := Trees("stk", t, s, i)
		maps.DeleteFunc(all, func(f string, _ int) bool { return strconv.Itoa(depth(f)) > most }) // most is below 10
		return all
	}
	n := &t.Nodes[i]
	all := map[string]int{}
	if n.Prod != 0 {
		for _, h := range ofProduction(space, t, s, i) {
			all[h.text+")"] = h.order
		}
	}
	if space == "sstbow" && t.IsWord(i) {
		if n.Word {
			all[s.Text(index.Words, n.Sym)] = 1
		} else {
			all["("+s.Text(index.Labels, n.Sym)+")"] = 1
		}
	}
	return all
}

// depth returns the number of expanded nodes on the longest way down a fragment.
func depth(fragment string) (most int) {
	var open []bool // by open node: whether it has children
	for _, c := range fragment {
		switch c {
		case '(':
			open = append(open, false)
		case ')':
			open = open[:len(open)-1]
		case ' ':
			open[len(open)-1] = true
			most = max(most, len(open))
		}
	}
	return most
}

// partial is the beginning of a fragment's text, and its order so far.
type partial struct {
	text  string
	order int
}

// ofProduction returns the fragments that begin with the production of node i. Their texts lack the last
// bracket.
func ofProduction(space string, t *index.Tree, s *index.Symbols, i int) []partial {
	n := &t.Nodes[i]
	heads := []partial{{"(" + s.Text(index.Labels, n.Sym), 1}}
	for k := i + 1; k < i+int(n.Size); k += int(t.Nodes[k].Size) {
		c := &t.Nodes[k]
		var next []partial
		for _, h := range heads {
			if c.Word {
				next = append(next, partial{h.text + " " + s.Text(index.Words, c.Sym), h.order})
				continue
			}
			if space != "st" || c.Prod == 0 {
				next = append(next, partial{h.text + " (" + s.Text(index.Labels, c.Sym) + ")", h.order})
			}
			below := space
			if space == "sstbow" {
				below = "stk"
			}
			for f, o := range Trees(below, t, s, k) {
				next = append(next, partial{h.text + " " + f, h.order + o})
			}
		}
		heads = next
	}
	return heads
}
