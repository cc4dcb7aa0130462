package draw

import (
	"fmt"
	"slices"

	"fstore/index"
)

// deepestWord is the maximum number of levels that are drawn as lines. In deeper trees, each row has the
// number of the head instead.
const deepestWord = 60

// rows draws a dependency tree, one row for each word:
//
//	    ┌── The     DET   det
//	  ┌─┴── dog     NOUN  nsubj
//	──┴──── barked  VERB  root
//
// A vertical line leads from each head to its dependents. Where lines cross, the vertical line is drawn.
func rows(t *index.Tree, s *index.Symbols, marked []int32) *sketch {
	k := &sketch{}
	if len(t.Tokens) == 0 {
		return empty()
	}
	words := eachWord(t, word, func(i int) []byte { return s.Bytes(index.Words, t.Tokens[i].Form) })
	for _, i := range marked {
		words[i].name = words[i].name.mark()
	}
	b := branchesOf(t)
	if b.most > deepestWord {
		numbers := eachWord(t, faint, func(i int) []byte { return fmt.Append(nil, i+1) })
		heads := eachWord(t, faint, func(i int) []byte { return fmt.Append(nil, "← ", t.Tokens[i].Head) })
		k.columns(0, numbers, words, column(t, s, upos), heads, column(t, s, relation))
		return k
	}
	right := 2*b.most + 3
	for i := range t.Tokens {
		from := 2 * b.level[t.Tokens[i].Head]
		k.horizontal(i, from, from+1, false)
		if at := 2 * b.level[i+1]; b.hasDependents(i + 1) {
			k.horizontal(i, from+1, at-1, true)
			k.horizontal(i, at-1, at+1, false)
			from = at
		}
		k.horizontal(i, from+1, right, true)
	}
	for h := range b.level {
		k.vertical(2*b.level[h], b.first[h], b.last[h])
	}
	k.columns(right+2, words, column(t, s, upos), column(t, s, relation))
	return k
}

// branches are the vertical lines of the heads. Line h is the line of word h, and line 0 belongs to the
// artificial root.
type branches struct {
	level       []int // level of the line, which is its column from the left
	first, last []int // first and last row of the line, including the row of the head
	most        int   // highest level of a head with dependents
}

func (b *branches) hasDependents(h int) bool { return b.first[h] < b.last[h] }

// mostChecked is the maximum length, in words, of a sentence in which crossing lines are moved apart.
const mostChecked = 2000

func branchesOf(t *index.Tree) *branches {
	n := len(t.Tokens)
	b := &branches{first: make([]int, n+1), last: make([]int, n+1)}
	for h := range b.first {
		b.first[h], b.last[h] = h-1, h-1
	}
	b.first[0] = n
	for i := range t.Tokens {
		h := t.Tokens[i].Head
		b.first[h], b.last[h] = min(b.first[h], i), max(b.last[h], i)
	}
	b.level = append([]int{0}, depths(t)...)
	if n <= mostChecked && !b.noneMeet() {
		b.separate(t)
	}
	for h, l := range b.level {
		if b.hasDependents(h) {
			b.most = max(b.most, l)
		}
	}
	return b
}

// overlap says whether the vertical lines of two heads share a row.
func (b *branches) overlap(g, h int) bool { return b.first[g] <= b.last[h] && b.first[h] <= b.last[g] }

// noneMeet says whether vertical lines on the same level never share a row, as in every projective tree.
func (b *branches) noneMeet() bool {
	reached := map[int]int{} // level → last row, so far, in which a line has that level
	for _, h := range b.sorted(b.first) {
		if last, ok := reached[b.level[h]]; ok && b.first[h] <= last {
			return false
		}
		reached[b.level[h]] = b.last[h]
	}
	return true
}

// sorted returns the words that have dependents, by ascending value[word].
func (b *branches) sorted(value []int) (words []int) {
	for h := range b.level {
		if b.hasDependents(h) {
			words = append(words, h)
		}
	}
	slices.SortStableFunc(words, func(g, h int) int { return value[g] - value[h] })
	return words
}

// separate moves vertical lines to the right until no two lines meet.
func (b *branches) separate(t *index.Tree) {
	taken := map[int][]int{} // level → heads whose lines have that level
	for _, h := range b.sorted(b.level) {
		if h > 0 {
			b.level[h] = b.level[t.Tokens[h-1].Head] + 1
		}
		for slices.ContainsFunc(taken[b.level[h]], func(g int) bool { return b.overlap(g, h) }) {
			b.level[h]++
		}
		taken[b.level[h]] = append(taken[b.level[h]], h)
	}
}

// depths returns the number of heads above each word, the artificial root included.
func depths(t *index.Tree) []int {
	depth := make([]int, len(t.Tokens))
	var path []int
	for i := range t.Tokens {
		path = path[:0]
		j := i
		for ; j >= 0 && depth[j] == 0; j = int(t.Tokens[j].Head) - 1 {
			path = append(path, j)
		}
		d := 0
		if j >= 0 {
			d = depth[j]
		}
		for n := len(path) - 1; n >= 0; n-- {
			d++
			depth[path[n]] = d
		}
	}
	return depth
}

type cell struct {
	name name
	kind kind
}

// columns adds columns of labels to the sketch, side by side. The first column begins at col.
func (k *sketch) columns(col int, columns ...[]cell) {
	for _, c := range columns {
		if c == nil {
			continue
		}
		width := 0
		for row := range c {
			if c[row].name.text == "" {
				continue
			}
			k.label(row, col, c[row].name, c[row].kind)
			width = max(width, c[row].name.width)
		}
		col += width + 2
	}
}

// eachWord returns a column in which the cell of each word i is text(i).
func eachWord(t *index.Tree, kind kind, text func(i int) []byte) (c []cell) {
	for i := range t.Tokens {
		c = append(c, cell{nameOf(text(i)), kind})
	}
	return c
}

func upos(t *index.Token) uint32     { return t.UPOS }
func relation(t *index.Token) uint32 { return t.Rel }

// column returns a column with one field of each word, or nil if no word has a value in that field.
func column(t *index.Tree, s *index.Symbols, field func(*index.Token) uint32) (c []cell) {
	some := false
	for i := range t.Tokens {
		var x cell
		if text := s.Bytes(index.Words, field(&t.Tokens[i])); string(text) != "_" {
			some, x = true, cell{nameOf(text), faint}
		}
		c = append(c, x)
	}
	if !some {
		return nil
	}
	return c
}
