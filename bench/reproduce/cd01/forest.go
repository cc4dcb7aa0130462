package main

import (
	"encoding/binary"
	"slices"

	"fstore/bench/pcfg"
	"fstore/index"
)

// forest is the nodes of many trees, each subtree once. What a kernel of Collins & Duffy compares
// is a sum over pairs of nodes: all trees of a split are put here once, for all kernels.
//
// For stk, a node is a production with what is below. For tag, it is a word of a sentence with its
// tag and all words that follow: the tagging kernel compares runs of neighbours as stk compares
// chains of productions.
type forest struct {
	known  index.Table
	labels index.Table // productions, or tags
	label  []int32     // by node
	word   []int32     // by node: 0 for stk
	kids   [][]int32   // by node: -1 is a child without a production
}

// node returns the number of a node.
func (f *forest) node(label string, word int32, kids []int32) int32 {
	l, _ := f.labels.Intern([]byte(label))
	key := binary.AppendUvarint(nil, uint64(l))
	key = binary.AppendVarint(key, int64(word))
	for _, k := range kids {
		key = binary.AppendVarint(key, int64(k))
	}
	n, isNew := f.known.Intern(key)
	if isNew {
		f.label, f.word, f.kids = append(f.label, int32(l)), append(f.word, word), append(f.kids, slices.Clone(kids))
	}
	return int32(n - 1)
}

// productions returns the nodes of a tree, ascending: each production with what is below. seen has
// the numbers of the nodes of the sentence's other trees, which share some.
func (f *forest) productions(t *pcfg.Tree, seen map[*pcfg.Tree]int32) []int32 {
	var all []int32
	var add func(t *pcfg.Tree) int32
	add = func(t *pcfg.Tree) int32 {
		if n, ok := seen[t]; ok {
			all = append(all, n)
			for _, k := range t.Kids {
				add(k)
			}
			return n
		}
		label := t.Label + "\n" + t.Word
		var kids []int32
		for _, k := range t.Kids {
			label += "\n" + k.Label
			kids = append(kids, add(k))
		}
		n := f.node(label, 0, kids)
		all, seen[t] = append(all, n), n
		return n
	}
	add(t)
	slices.Sort(all)
	return all
}

// suffixes returns the nodes of a tree's tags, ascending: each tag with its word and all that
// follow.
func (f *forest) suffixes(t *pcfg.Tree, _ map[*pcfg.Tree]int32) []int32 {
	words, tags := words(t), tags(t)
	var all, next []int32
	for i := len(words) - 1; i >= 0; i-- {
		w, _ := f.labels.Intern([]byte("\n" + words[i]))
		next = []int32{f.node(tags[i], int32(w), next)}
		all = append(all, next[0])
	}
	slices.Sort(all)
	return all
}

// kernel is the kernels of Collins & Duffy (2001) over a forest: with words, that of taggers (§3,
// figure 1), else that of trees (§3 and §4).
type kernel struct {
	*forest
	lambda float64
	depth  int // of a fragment at most, in nodes; 0 is any
}

// pair is C(a, b): the number of fragments that both nodes have at the root, those of n nodes
// weighed by λⁿ.
func (k *kernel) pair(a, b int32, depth int) float64 {
	if k.label[a] != k.label[b] {
		return 0
	}
	c := k.lambda
	if w := k.word[a]; w != 0 && w == k.word[b] {
		c *= 2 // with the word, or without
	}
	if depth == 1 {
		return c
	}
	others := k.kids[b]
	for i, x := range k.kids[a] {
		if i < len(others) { // the last word of a sentence has none
			c *= 1 + k.pair(x, others[i], depth-1)
		}
	}
	return c
}

// counted is a node, and how often: below 0 where it is taken away.
type counted struct {
	node int32
	n    float64
}

// difference is the nodes of one tree less those of another, both ascending.
func difference(a, b []int32) (all []counted) {
	for len(a) > 0 || len(b) > 0 {
		var x counted
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			x, a = counted{a[0], 1}, a[1:]
		case len(a) == 0 || b[0] < a[0]:
			x, b = counted{b[0], -1}, b[1:]
		default:
			a, b = a[1:], b[1:]
			continue
		}
		if n := len(all); n > 0 && all[n-1].node == x.node {
			all[n-1].n += x.n
		} else {
			all = append(all, x)
		}
	}
	return all
}

// group is the nodes of the trees of a list that have one label.
type group struct {
	label int32
	nodes []packedNode
}

// packedNode is a node, and the trees that have it.
type packedNode struct {
	node  int32
	trees []occurrence
}

// occurrence says how often a tree has a node.
type occurrence struct {
	tree int
	n    float64
}

// pack makes the trees of a list ready to be compared with others. Nodes that all of them have as
// often are left out, as they add the same to all scores.
func (f *forest) pack(trees [][]int32) (groups []group) {
	at := map[int32]int{}
	var nodes []int32
	var having [][]occurrence
	for t, all := range trees {
		for _, x := range all {
			k, ok := at[x]
			if !ok {
				k = len(nodes)
				at[x] = k
				nodes, having = append(nodes, x), append(having, nil)
			}
			if n := len(having[k]); n > 0 && having[k][n-1].tree == t {
				having[k][n-1].n++
			} else {
				having[k] = append(having[k], occurrence{t, 1})
			}
		}
	}
	place := map[int32]int{}
	for k, x := range nodes {
		h := having[k]
		if len(h) == len(trees) && !slices.ContainsFunc(h, func(o occurrence) bool { return o.n != h[0].n }) {
			continue
		}
		g, ok := place[f.label[x]]
		if !ok {
			g = len(groups)
			place[f.label[x]] = g
			groups = append(groups, group{label: f.label[x]})
		}
		groups[g].nodes = append(groups[g].nodes, packedNode{x, h})
	}
	return groups
}
