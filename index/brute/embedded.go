package brute

import (
	"math"
	"slices"

	"fstore/index"
)

type node struct {
	name  string
	word  bool
	at    int32
	above int // its parent, or -1
}

// nodes returns the nodes of a sample: parents before children, and siblings from left to right.
func nodes(unit string, t *index.Tree, syms *index.Symbols) (all []node) {
	if t.Kind == index.Constituency {
		for i := range t.Nodes {
			n := &t.Nodes[i]
			all = append(all, node{syms.Text(n.Child().Class(), n.Sym), n.Word, int32(i), int(n.Parent)})
		}
		return all
	}
	var down func(head int32, above int)
	down = func(head int32, above int) {
		for i := range t.Tokens {
			k := &t.Tokens[i]
			if k.Head != head {
				continue
			}
			all = append(all, node{syms.Text(index.Words, column(k, unit)), false, int32(i), above})
			down(int32(i)+1, len(all)-1)
		}
	}
	down(0, -1)
	return all
}

// EmbeddedTrees lists the matches of the space `emb`: every set of nodes that has one root.
func EmbeddedTrees(unit string, t *index.Tree, syms *index.Symbols, lambda float64) map[string]*Match {
	nodes := nodes(unit, t, syms)
	all := matches{}
	for set := 1; set < 1<<len(nodes); set++ {
		kids := map[int][]int{} // children within the set; those of -1 are the roots
		order, skipped := 0, map[int]bool{}
		var where []int32
		for i := range nodes {
			if set>>i&1 == 0 {
				continue
			}
			order++
			where = append(where, nodes[i].at)
			up := nodes[i].above
			for ; up >= 0 && set>>up&1 == 0; up = nodes[up].above {
			}
			kids[up] = append(kids[up], i)
			for between := nodes[i].above; between != up; between = nodes[between].above {
				skipped[between] = true
			}
		}
		if len(kids[-1]) != 1 {
			continue
		}
		root := kids[-1][0]
		for up := nodes[root].above; up >= 0; up = nodes[up].above {
			delete(skipped, up)
		}
		slices.Sort(where)
		all.addAt(nodes[root].at, embeddedText(nodes, kids, root), order, math.Pow(lambda, float64(len(skipped))), where)
	}
	return all
}

// embeddedText writes node i with the chosen nodes below it.
func embeddedText(nodes []node, kids map[int][]int, i int) string {
	name := names.Replace(nodes[i].name)
	if nodes[i].word {
		return name
	}
	out := "(" + name
	for _, k := range kids[i] {
		out += " " + embeddedText(nodes, kids, k)
	}
	return out + ")"
}
