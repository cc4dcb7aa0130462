// Package pcfg is a probabilistic context-free grammar with its k best trees of a sentence: rules
// and their counts from trees, as in Collins & Duffy (2001, §4). It is for experiments with
// rerankers, which need lists of a weak parser; it is no parser to use.
//
// Start reading: grammar.go has the counts, chart.go the items of a sentence (CKY), and kbest.go
// the k best derivations of them (Huang & Chiang 2005, algorithm 3).
package pcfg

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Tree is a node: a tag has a Word and no Kids.
type Tree struct {
	Label, Word string
	Kids        []*Tree
}

// Append appends the tree in brackets.
func (t *Tree) Append(dst []byte) []byte {
	dst = append(append(dst, '('), t.Label...)
	if len(t.Kids) == 0 {
		dst = append(append(dst, ' '), t.Word...)
	}
	for _, k := range t.Kids {
		dst = k.Append(append(dst, ' '))
	}
	return append(dst, ')')
}

// walk calls f for each node.
func (t *Tree) walk(f func(*Tree)) {
	f(t)
	for _, k := range t.Kids {
		k.walk(f)
	}
}

// completion is a rule that ends in a node of the trie: the label it rewrites.
type completion struct {
	label int
	log   float64
}

// prefix is a node of the trie of right sides.
type prefix struct {
	next map[int]int // by label
	ends []completion
}

// unary rewrites a label to another.
type unary struct {
	from int
	log  float64
}

// Grammar has logarithms of relative frequencies.
type Grammar struct {
	labels  []string
	number  map[string]int
	trie    []prefix        // 0 is the root
	unaries map[int][]unary // by the label below
	root    map[int]float64
	words   map[string][]completion // tags of known words and of classes
}

// Words of at most rareWord occurrences also count for their classes, of whose tags those with
// leastShare are looked at. A wider class counts as widerWeight words of a class, and a class as
// classWeight occurrences of a rare word.
const (
	rareWord    = 5
	leastShare  = 0.02
	widerWeight = 3
	classWeight = 0.3
)

// New makes the grammar of trees.
func New(trees []*Tree) *Grammar {
	g := &Grammar{number: map[string]int{}, trie: []prefix{{next: map[int]int{}}}, unaries: map[int][]unary{}, root: map[int]float64{}, words: map[string][]completion{}}
	rules, root, words := map[string]float64{}, map[int]float64{}, map[string]float64{}
	sums := map[int]float64{}
	for _, t := range trees {
		root[g.label(t.Label)]++
		t.walk(func(t *Tree) {
			sums[g.label(t.Label)]++
			if len(t.Kids) == 0 {
				words[t.Word]++
				return
			}
			right := []string{t.Label}
			for _, k := range t.Kids {
				right = append(right, k.Label)
			}
			rules[strings.Join(right, " ")]++
		})
	}
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		parts := strings.Fields(rule)
		left := g.label(parts[0])
		g.add(left, parts[1:], math.Log(rules[rule]/sums[left]))
	}
	for label, n := range root {
		g.root[label] = math.Log(n / float64(len(trees)))
	}
	g.count(trees, words, sums)
	return g
}

// label numbers a label.
func (g *Grammar) label(name string) int {
	n, ok := g.number[name]
	if !ok {
		n = len(g.labels)
		g.number[name] = n
		g.labels = append(g.labels, name)
	}
	return n
}

// add adds a rule. Rules that rewrite a label to itself are in no best tree.
func (g *Grammar) add(left int, right []string, log float64) {
	if len(right) == 1 {
		if below := g.label(right[0]); below != left {
			g.unaries[below] = append(g.unaries[below], unary{left, log})
		}
		return
	}
	at := 0
	for _, name := range right {
		x := g.label(name)
		next, ok := g.trie[at].next[x]
		if !ok {
			next = len(g.trie)
			g.trie = append(g.trie, prefix{next: map[int]int{}})
			g.trie[at].next[x] = next
		}
		at = next
	}
	g.trie[at].ends = append(g.trie[at].ends, completion{left, log})
}

// count counts words with their tags. Of a rare word or another, the tags of its class count a
// little as well: P(word | tag) = (count(word, tag) + classWeight · P(tag | class)) / count(tag).
func (g *Grammar) count(trees []*Tree, words map[string]float64, sums map[int]float64) {
	byWord, byClass := map[string]map[int]float64{}, map[string]map[int]float64{}
	add := func(to map[string]map[int]float64, name string, tag int) {
		if to[name] == nil {
			to[name] = map[int]float64{}
		}
		to[name][tag]++
	}
	for _, t := range trees {
		t.walk(func(t *Tree) {
			if len(t.Kids) > 0 {
				return
			}
			add(byWord, t.Word, g.label(t.Label))
			if words[t.Word] <= rareWord {
				for _, name := range classes(t.Word) {
					add(byClass, name, g.label(t.Label))
				}
			}
		})
	}
	// From the widest class to the closest, each with its own share of what the wider one says.
	for _, name := range slices.SortedFunc(maps.Keys(byClass), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }) {
		tags, all := byClass[name], 0.0
		for _, n := range tags {
			all += n
		}
		wider := byClass[wider(name)]
		for tag, share := range wider {
			tags[tag] += widerWeight * share
		}
		if wider != nil {
			all += widerWeight
		}
		for tag, n := range tags {
			tags[tag] = n / all
		}
	}
	for name, tags := range byClass {
		likely := maps.Clone(tags)
		maps.DeleteFunc(likely, func(_ int, share float64) bool { return share < leastShare })
		g.words[name] = logs(likely, sums)
	}
	for name, tags := range byWord {
		if words[name] <= rareWord {
			for _, class := range classes(name) {
				if more := byClass[class]; more != nil {
					for tag, share := range more {
						if share >= leastShare {
							tags[tag] += classWeight * share
						}
					}
					break
				}
			}
		}
		g.words[name] = logs(tags, sums)
	}
}

// wider is the class that a class is one of, "" of the widest.
func wider(class string) string {
	kind, suffix, _ := strings.Cut(class, " ")
	switch {
	case class == " ":
		return ""
	case suffix == "":
		return " "
	}
	return kind + " " + suffix[1:]
}

// logs are the tags of a word, of which they have so many, in order.
func logs(tags, sums map[int]float64) (all []completion) {
	for _, tag := range slices.Sorted(maps.Keys(tags)) {
		all = append(all, completion{tag, math.Log(tags[tag] / sums[tag])})
	}
	return all
}

// mostSuffix is the length of the longest suffix of a class.
const mostSuffix = 4

// classes are those of a word, from the closest: what its first character is, and its last ones.
// They have a blank, and so are no words.
func classes(word string) (all []string) {
	kind := "lower"
	switch first := word[0]; {
	case strings.ContainsAny(word, "0123456789"):
		kind = "digit"
	case first >= 'A' && first <= 'Z':
		kind = "upper"
	}
	for n := min(mostSuffix, len(word)); n >= 0; n-- {
		all = append(all, kind+" "+strings.ToLower(word[len(word)-n:]))
	}
	return append(all, " ")
}

// tags are those that a word may have: its own, those that it has in small letters where it is the
// first, or else those of the closest class.
func (g *Grammar) tags(word string, first bool) []completion {
	if tags := g.words[word]; tags != nil {
		return tags
	}
	if tags := g.words[strings.ToLower(word)]; tags != nil && first {
		return tags
	}
	for _, c := range classes(word) {
		if tags := g.words[c]; tags != nil {
			return tags
		}
	}
	return nil
}

// flat is a tree of a sentence that the grammar has none of: all words with their likeliest tags
// below the likeliest root.
func (g *Grammar) flat(words []string) *Tree {
	likeliest := func(all []completion) string {
		return g.labels[slices.MaxFunc(all, func(a, b completion) int { return cmp.Or(cmp.Compare(a.log, b.log), cmp.Compare(b.label, a.label)) }).label]
	}
	var roots []completion
	for label, log := range g.root {
		roots = append(roots, completion{label, log})
	}
	t := &Tree{Label: likeliest(roots)}
	for i, w := range words {
		t.Kids = append(t.Kids, &Tree{Label: likeliest(g.tags(w, i == 0)), Word: w})
	}
	return t
}
