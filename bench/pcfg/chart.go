package pcfg

import "math"

// Parser parses sentences with a grammar. It reuses its memory, so only one goroutine may use it at a time.
type Parser struct {
	g     *Grammar
	words []string
	tags  [][]tagged // by word
	best  []float64  // by span and symbol: log probability of the best tree, or none
	found [][]int32  // by span: the symbols that have a tree
	items map[constituent]*item
}

// none is the log probability if there is no tree.
var none = math.Inf(-1)

// NewParser returns a parser. Several parsers may share a grammar.
func NewParser(g *Grammar) *Parser { return &Parser{g: g} }

// span returns the index in p.found for the words [from, to).
func (p *Parser) span(from, to int) int { return from*len(p.words) + to - 1 }

// over returns the best log probability of each symbol over the words [from, to).
func (p *Parser) over(from, to int) []float64 {
	n := len(p.g.symbols)
	return p.best[p.span(from, to)*n:][:n]
}

// chart finds the best tree of each symbol over each span: the inside algorithm with maxima in place of sums.
func (p *Parser) chart(words []string) {
	p.words, p.tags = words, p.tags[:0]
	n := len(words)
	if need := n * n * len(p.g.symbols); len(p.best) < need {
		p.best = make([]float64, need)
	}
	for i := range p.best[:n*n*len(p.g.symbols)] {
		p.best[i] = none
	}
	p.found = make([][]int32, n*n)
	for i, w := range words {
		p.tags = append(p.tags, p.g.tagsOf(w, i == 0))
	}
	for length := 1; length <= n; length++ {
		for from := 0; from+length <= n; from++ {
			p.fill(from, from+length)
		}
	}
}

// fill finds the best trees over the words [from, to). All shorter spans must have been filled.
func (p *Parser) fill(from, to int) {
	best := p.over(from, to)
	var found []int32
	put := func(sym int32, log float64) {
		if best[sym] == none {
			found = append(found, sym)
		}
		best[sym] = log
	}
	if to == from+1 {
		for _, t := range p.tags[from] {
			put(t.tag, t.log)
		}
	}
	for mid := from + 1; mid < to; mid++ {
		lefts, rights := p.over(from, mid), p.over(mid, to)
		for _, l := range p.found[p.span(from, mid)] {
			rules := p.g.binariesAt[l]
			for i := range rules {
				r := &rules[i]
				if log := lefts[l] + rights[r.right] + r.log; log > best[r.from] {
					put(r.from, log)
				}
			}
		}
	}
	for _, sym := range found { // without symbols that the loop adds: a chain ends in a branch
		for i := range p.g.chainsTo[sym] {
			c := &p.g.chainsTo[sym][i]
			if log := best[sym] + c.log; log > best[c.from] {
				put(c.from, log)
			}
		}
	}
	p.found[p.span(from, to)] = found
}
