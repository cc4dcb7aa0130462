package pcfg

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// commonPair is how often a label must occur below a parent's label to become a category of its own (Johnson
// 1998).
const commonPair = 100

// category is a label, with the label of its parent if the two are a common pair.
type category struct{ label, parent string }

// role says what a symbol stands for in a tree.
type role byte

const (
	whole  role = iota // a category: its node and everything below
	branch             // the node at the end of a unary chain: a tag, or a node with several children
	rest               // the children that follow the first children of a node
)

// symbol is a symbol of the grammar. In the role `rest`, `label` is the label of the node, and `parent` is
// the label of the previous child.
type symbol struct {
	role role
	category
}

// chain is a rule for a unary chain of any length. Each chain is a single rule, so a tree has only one
// derivation, and no derivation has a cycle.
type chain struct {
	from, to int32
	text     string // label, parent, label, parent … of the categories, from the top down
	log      float64
}

// binary is a rule that splits off the next child of a node. Its right symbol stands for the children after
// that child.
type binary struct {
	from, left, right int32
	log               float64
}

// Grammar holds rules with the logarithms of their relative frequencies. Goroutines may share a Grammar.
type Grammar struct {
	symbols []symbol
	number  map[symbol]int32
	pairs   map[category]int // how often a label occurs below a parent

	chainsOf, chainsTo     [][]chain  // by chain.from, by chain.to
	binariesOf, binariesAt [][]binary // by binary.from, by binary.left
	lexicon
}

// goal is the index of the start symbol: a node without a label, above the root.
const goal = 0

// ruleCounts says how often each rule occurs, and how often each symbol is rewritten.
type ruleCounts struct {
	chains    map[chain]float64
	binaries  map[binary]float64
	rewritten map[int32]float64
}

// New reads a grammar off trees.
func New(trees []*Tree) *Grammar {
	g := &Grammar{number: map[symbol]int32{}, pairs: map[category]int{}}
	for _, t := range trees {
		t.walk("", func(t *Tree, parent string) { g.pairs[category{t.Label, parent}]++ })
	}
	c := &ruleCounts{map[chain]float64{}, map[binary]float64{}, map[int32]float64{}}
	g.symbol(whole, category{})
	for _, t := range trees {
		g.count(c, &Tree{Kids: []*Tree{t}}, category{})
	}
	g.rules(c)
	g.learn(trees)
	return g
}

// learn fills the lexicon with the counts of the tags of words and of their classes.
func (g *Grammar) learn(trees []*Tree) {
	type leaf struct {
		word string
		tag  int
	}
	var leaves []leaf
	words, number := map[string]int{}, map[int32]int{} // number: the index of a tag in tags
	for _, t := range trees {
		t.walk("", func(t *Tree, parent string) {
			if len(t.Kids) > 0 {
				return
			}
			tag := g.symbol(branch, g.category(t, parent))
			n, ok := number[tag]
			if !ok {
				n = len(g.tags)
				number[tag] = n
				g.tags, g.share = append(g.tags, tag), append(g.share, 0)
			}
			g.share[n]++
			words[t.Word]++
			leaves = append(leaves, leaf{t.Word, n})
		})
	}
	for i := range g.share {
		g.share[i] /= float64(len(leaves))
	}
	g.lexicon.counts = map[string][]float64{}
	for _, x := range leaves {
		names := classes(x.word)
		if words[x.word] > rareWord {
			names = names[:1]
		}
		for _, name := range names {
			if g.lexicon.counts[name] == nil {
				g.lexicon.counts[name] = make([]float64, len(g.tags))
			}
			g.lexicon.counts[name][x.tag]++
		}
	}
}

// symbol returns the index of a symbol in g.symbols. If the symbol is new, symbol adds it.
func (g *Grammar) symbol(r role, c category) int32 {
	s := symbol{r, c}
	n, ok := g.number[s]
	if !ok {
		n = int32(len(g.symbols))
		g.number[s] = n
		g.symbols = append(g.symbols, s)
	}
	return n
}

// category returns the category of a node below a parent with this label.
func (g *Grammar) category(t *Tree, parent string) category {
	c := category{t.Label, parent}
	if g.pairs[c] < commonPair {
		c.parent = ""
	}
	return c
}

// count counts the rules of the tree t, and adds the counts to n. The root of t has category c.
func (g *Grammar) count(n *ruleCounts, t *Tree, c category) {
	x := chain{from: g.symbol(whole, c), text: c.label + " " + c.parent}
	for len(t.Kids) == 1 {
		c = g.category(t.Kids[0], t.Label)
		t = t.Kids[0]
		x.text += " " + c.label + " " + c.parent
	}
	x.to = g.symbol(branch, c)
	n.chains[x]++
	n.rewritten[x.from]++

	kids := make([]category, len(t.Kids))
	for i, k := range t.Kids {
		kids[i] = g.category(k, t.Label)
		g.count(n, k, kids[i])
	}
	from := x.to
	for i := 0; i+1 < len(kids); i++ {
		b := binary{from: from, left: g.symbol(whole, kids[i])}
		if i+2 == len(kids) {
			b.right = g.symbol(whole, kids[i+1])
		} else {
			b.right = g.symbol(rest, category{t.Label, kids[i].label})
		}
		n.binaries[b]++
		n.rewritten[from]++
		from = b.right
	}
}

// rules fills the grammar's rules from their counts c.
func (g *Grammar) rules(c *ruleCounts) {
	n := len(g.symbols)
	g.chainsOf, g.chainsTo = make([][]chain, n), make([][]chain, n)
	for _, x := range slices.SortedFunc(maps.Keys(c.chains), func(a, b chain) int { return strings.Compare(a.text, b.text) }) {
		x.log = math.Log(c.chains[x] / c.rewritten[x.from])
		g.chainsOf[x.from] = append(g.chainsOf[x.from], x)
		g.chainsTo[x.to] = append(g.chainsTo[x.to], x)
	}
	g.binariesOf, g.binariesAt = make([][]binary, n), make([][]binary, n)
	for _, x := range slices.SortedFunc(maps.Keys(c.binaries), func(a, b binary) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.left, b.left), cmp.Compare(a.right, b.right))
	}) {
		x.log = math.Log(c.binaries[x] / c.rewritten[x.from])
		g.binariesOf[x.from] = append(g.binariesOf[x.from], x)
		g.binariesAt[x.left] = append(g.binariesAt[x.left], x)
	}
}
