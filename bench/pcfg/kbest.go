package pcfg

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"
)

// constituent is a symbol that spans words[from:to] of a sentence.
type constituent struct {
	from, to int
	sym      int32
}

// item is a constituent of the chart with its best derivations, as many as were needed so far.
type item struct {
	constituent
	opened bool // edges has been filled
	edges  []edge
	best   []derivation // the best first
	next   candidates   // the candidates for the next derivation in best
}

// edge is one way to derive an item: by a rule from other items (tails), or as the tag of a word.
type edge struct {
	tails []*item
	log   float64
	chain string // chain.text
	word  string
}

// derivation is an edge with one derivation for each tail: tail.best[which[k]] for tail k.
type derivation struct {
	edge  int
	which [2]int
	log   float64
	nodes []*Tree // filled when they are first needed
}

// candidates are a heap with the most probable derivation on top. Between equals the earlier edge wins.
type candidates []derivation

func (c candidates) Len() int      { return len(c) }
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *candidates) Push(x any)   { *c = append(*c, x.(derivation)) }

func (c candidates) Less(i, j int) bool {
	a, b := &c[i], &c[j]
	return cmp.Or(cmp.Compare(b.log, a.log), cmp.Compare(a.edge, b.edge), slices.Compare(a.which[:], b.which[:])) < 0
}

func (c *candidates) Pop() any {
	last := len(*c) - 1
	d := (*c)[last]
	*c = (*c)[:last]
	return d
}

// item returns the item for the words [from, to) and a symbol, and makes it if necessary.
func (p *Parser) item(from, to int, sym int32) *item {
	at := constituent{from, to, sym}
	if p.items[at] == nil {
		p.items[at] = &item{constituent: at}
	}
	return p.items[at]
}

// open fills x.edges. The best derivation of each edge becomes a candidate.
func (p *Parser) open(x *item) {
	x.opened = true
	add := func(e edge, log float64) {
		x.next = append(x.next, derivation{edge: len(x.edges), log: log})
		x.edges = append(x.edges, e)
	}
	best := p.over(x.from, x.to)
	for _, c := range p.g.chainsOf[x.sym] {
		if best[c.to] != none {
			add(edge{[]*item{p.item(x.from, x.to, c.to)}, c.log, c.text, ""}, best[c.to]+c.log)
		}
	}
	if x.to == x.from+1 {
		for _, t := range p.tags[x.from] {
			if t.tag == x.sym {
				add(edge{nil, t.log, "", p.words[x.from]}, t.log)
			}
		}
	}
	for mid := x.from + 1; mid < x.to; mid++ {
		lefts, rights := p.over(x.from, mid), p.over(mid, x.to)
		for i := range p.g.binariesOf[x.sym] {
			r := &p.g.binariesOf[x.sym][i]
			if log := lefts[r.left] + rights[r.right] + r.log; log != none {
				add(edge{[]*item{p.item(x.from, mid, r.left), p.item(mid, x.to, r.right)}, r.log, "", ""}, log)
			}
		}
	}
	heap.Init(&x.next)
}

// get finds up to k best derivations of an item: LazyKthBest of Huang & Chiang (2005, figure 3).
func (p *Parser) get(x *item, k int) {
	if !x.opened {
		p.open(x)
	}
	for len(x.best) < k {
		if n := len(x.best); n > 0 {
			p.after(x, &x.best[n-1])
		}
		if len(x.next) == 0 {
			return
		}
		x.best = append(x.best, heap.Pop(&x.next).(derivation))
	}
}

// after adds successors of a derivation to the candidates. No candidate is added twice.
func (p *Parser) after(x *item, d *derivation) {
	e := &x.edges[d.edge]
next:
	for i := range e.tails {
		if i == 1 && d.which[0] > 0 {
			break
		}
		n := derivation{edge: d.edge, which: d.which, log: e.log}
		n.which[i]++
		for k, tail := range e.tails {
			if p.get(tail, n.which[k]+1); len(tail.best) <= n.which[k] {
				continue next
			}
			n.log += tail.best[n.which[k]].log
		}
		heap.Push(&x.next, n)
	}
}

// Parse is a tree with the logarithm of its probability, minus the same constant for all trees of a sentence.
type Parse struct {
	Tree *Tree
	Log  float64
}

// Parse returns up to k trees of a sentence, the most probable first, and whether the grammar has any. If it
// has none, the only tree has all words below one node. The time grows with the cube of the number of words.
func (p *Parser) Parse(words []string, k int) (trees []Parse, found bool) {
	p.chart(words)
	p.items = map[constituent]*item{}
	x := p.item(0, len(words), goal)
	p.get(x, k)
	if len(x.best) == 0 {
		return []Parse{{p.flat(), 0}}, false
	}
	for i := range x.best {
		trees = append(trees, Parse{p.nodes(x, i)[0], x.best[i].log})
	}
	return trees, true
}

// nodes returns the topmost nodes of derivation i of an item.
func (p *Parser) nodes(x *item, i int) []*Tree {
	p.get(x, i+1)
	d := &x.best[i]
	if d.nodes != nil {
		return d.nodes
	}
	e := &x.edges[d.edge]
	for k, tail := range e.tails {
		d.nodes = append(d.nodes, p.nodes(tail, d.which[k])...)
	}
	if s := p.g.symbols[x.sym]; s.role == branch {
		d.nodes = []*Tree{{Kids: d.nodes, Word: e.word, Label: s.label}}
	}
	labels := strings.Split(e.chain, " ")
	for k := len(labels) - 4; k >= 0; k -= 2 { // the last pair is the branch, which has its node already
		if labels[k] != "" {
			d.nodes = []*Tree{{Kids: d.nodes, Label: labels[k]}}
		}
	}
	return d.nodes
}

// flat returns a tree with all words below one node. Each word has its likeliest tag.
func (p *Parser) flat() *Tree {
	t := &Tree{}
	likeliest := none
	for _, c := range p.g.chainsOf[goal] {
		if c.log > likeliest && len(p.g.binariesOf[c.to]) > 0 {
			likeliest, t.Label = c.log, p.g.symbols[c.to].label
		}
	}
	for i, w := range p.words {
		tag := slices.MaxFunc(p.tags[i], func(a, b tagged) int { return cmp.Or(cmp.Compare(a.log, b.log), cmp.Compare(b.tag, a.tag)) }).tag
		t.Kids = append(t.Kids, &Tree{Label: p.g.symbols[tag].label, Word: w})
	}
	return t
}
