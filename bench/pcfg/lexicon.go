package pcfg

import (
	"math"
	"strings"
)

const (
	rareWord   = 10 // words that occur more often are not counted for their classes
	mostSuffix = 3  // longest suffix in a class, in bytes
	// Smoothing: the next wider class counts as much as this number of occurrences.
	widerThanWord  = 0.3
	widerThanClass = 10
	leastShare     = 0.002 // a word does not have tags with a smaller share
)

// lexicon counts the tags of words, and of classes of words.
type lexicon struct {
	tags   []int32              // the symbols of the tags
	share  []float64            // by tag: its share of all words
	counts map[string][]float64 // by word or class: the count of each tag
}

// tagged is a tag of a word, with log P(tag | word) - log P(tag).
type tagged struct {
	tag int32
	log float64
}

// classes returns a word and its classes, the narrowest first. The name of a class contains a space, so it
// differs from any word.
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

// tagsOf returns the tags of a word, each with log P(tag | word) - log P(tag). This value differs from log
// P(word | tag) by a constant.
func (l *lexicon) tagsOf(word string, first bool) (all []tagged) {
	if small := strings.ToLower(word); first && l.counts[word] == nil && l.counts[small] != nil {
		word = small
	}
	shares := append([]float64(nil), l.share...)
	names := classes(word)
	for i := len(names) - 1; i >= 0; i-- {
		sum := float64(widerThanClass)
		if i == 0 {
			sum = widerThanWord
		}
		wider, counts := sum, l.counts[names[i]]
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
