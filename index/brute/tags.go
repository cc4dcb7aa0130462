package brute

import (
	"math"
	"strings"

	"fstore/index"
)

// TaggedWord is a word of a sample with its tag, as fragments print them, and its node or
// token. One without a tag stands between two sequences.
type TaggedWord struct {
	Tag, Word string
	At        int32
}

// TagRuns lists the matches of the space tag: every run of words, each with every choice of
// its tag alone or with the word.
func TagRuns(words []TaggedWord, lambda float64) map[string]*Match {
	all := matches{}
	for from := range words {
		texts := []string{""}
		var where index.Occurrence
		for i := from; i < len(words) && words[i].Tag != ""; i++ {
			where = append(where, words[i].At)
			var next []string
			for _, text := range texts {
				state := strings.TrimLeft(text+" "+words[i].Tag, " ")
				next = append(next, state, state+"/"+words[i].Word)
			}
			texts = next
			for _, text := range texts {
				all.add(text, len(where), math.Pow(math.Sqrt(lambda), float64(len(where))), where)
			}
		}
	}
	return all
}
