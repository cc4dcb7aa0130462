package pcfg

import (
	"math"
	"strings"
)

// Words of at most rareWord occurrences count for their classes too.
const (
	rareWord   = 10
	mostSuffix = 3 // bytes of the longest suffix of a class
	// What is known of a wider class counts as much as so many words.
	widerThanWord  = 0.3
	widerThanClass = 10
	leastShare     = 0.002 // rarer tags of a word are not looked at
)

// lexicon has the tags of words.
type lexicon struct {
	tags   []int32              // their symbols
	share  []float64            // by tag, of all words
	counts map[string][]float64 // by word or class, and tag
}

// tagged is a tag of a word.
type tagged struct {
	tag int32
	log float64
}

// learn counts words, their classes and their tags.
func (g *Grammar) learn(trees []*Tree) {
	words := map[string]int{}
	number := map[int32]int{} // by symbol
	all := 0.0
	each := func(f func(word string, tag int32)) {
		for _, t := range trees {
			t.walk("", func(t *Tree, parent string) {
				if len(t.Kids) == 0 {
					f(t.Word, g.symbol(branch, g.category(t, parent)))
				}
			})
		}
	}
	each(func(word string, tag int32) {
		words[word]++
		n, ok := number[tag]
		if !ok {
			n = len(g.tags)
			number[tag] = n
			g.tags, g.share = append(g.tags, tag), append(g.share, 0)
		}
		g.share[n]++
		all++
	})
	for i := range g.share {
		g.share[i] /= all
	}
	g.lexicon.counts = map[string][]float64{}
	each(func(word string, tag int32) {
		names := classes(word)
		if words[word] > rareWord {
			names = names[:1]
		}
		for _, name := range names {
			if g.lexicon.counts[name] == nil {
				g.lexicon.counts[name] = make([]float64, len(g.tags))
			}
			g.lexicon.counts[name][number[tag]]++
		}
	})
}

// classes returns a word and the classes that it is in, from the narrowest: the kind of its
// characters and its last ones, then the kind, then all rare words. The name of a class has a blank,
// so that it is no word.
func classes(word string) []string {
	kind := "lower"
	switch {
	case strings.ContainsAny(word, "0123456789"):
		kind = "digit"
	case word[0] >= 'A' && word[0] <= 'Z':
		kind = "upper"
	}
	all := []string{word}
	for n := min(mostSuffix, len(word)); n >= 0; n-- {
		all = append(all, kind+" "+strings.ToLower(word[len(word)-n:]))
	}
	return append(all, " ")
}

// of returns the tags of a word with log P(word | tag), less log P(word), which is the same for all
// trees of a sentence: log P(tag | word) - log P(tag). P(tag | word) is by the counts of the word
// and of its classes, each smoothed by the wider one. The first word of a sentence is looked up in
// small letters if it is not known otherwise.
func (l *lexicon) of(word string, first bool) (all []tagged) {
	if small := strings.ToLower(word); first && l.counts[word] == nil && l.counts[small] != nil {
		word = small
	}
	shares := append([]float64(nil), l.share...)
	names := classes(word)
	for i := len(names) - 1; i >= 0; i-- {
		counts, wider := l.counts[names[i]], float64(widerThanClass)
		if i == 0 {
			wider = widerThanWord
		}
		sum := wider
		for _, n := range counts {
			sum += n
		}
		for k, n := range counts {
			shares[k] = (n + wider*shares[k]) / sum
		}
	}
	for k, x := range shares {
		if x >= leastShare {
			all = append(all, tagged{l.tags[k], math.Log(x / l.share[k])})
		}
	}
	return all
}
