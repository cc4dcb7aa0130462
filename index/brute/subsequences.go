package brute

import (
	"math"
	"strings"

	"fstore/index"
)

// names escapes the special bytes that occur in the tests of seq and emb.
var names = strings.NewReplacer(" ", `\s`, "(", `\(`, ")", `\)`)

// word is a word of a sample. If its tag is wanted and it has none, text is empty.
type word struct {
	text string
	at   int32
}

// words returns the words of a sample from left to right: their forms, lemmas or tags.
func words(unit string, t *index.Tree, syms *index.Symbols) (all []word) {
	if t.Kind == index.Dependency {
		for i := range t.Tokens {
			all = append(all, word{syms.Text(index.Words, column(&t.Tokens[i], unit)), int32(i)})
		}
		return all
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch {
		case !t.IsWord(i):
		case unit != "form" && n.Parent < 0:
			all = append(all, word{"", int32(i)})
		case unit != "form":
			all = append(all, word{syms.Text(index.Labels, t.Nodes[n.Parent].Sym), int32(i)})
		case n.Word:
			all = append(all, word{syms.Text(index.Words, n.Sym), int32(i)})
		default:
			all = append(all, word{syms.Text(index.Labels, n.Sym), int32(i)})
		}
	}
	return all
}

// Subsequences lists the matches of the space `seq`: every subset of at most maxLength words (0: any number).
// A match skips at most maxGap words between two of its words.
func Subsequences(unit string, maxGap, maxLength int, t *index.Tree, syms *index.Symbols, lambda float64) map[string]*Match {
	words := words(unit, t, syms)
	all := matches{}
subsets:
	for set := 1; set < 1<<len(words); set++ {
		var chosen []string
		var where index.Occurrence
		skipped, last := 0, -1
		for i, w := range words {
			if set>>i&1 == 0 {
				continue
			}
			if last >= 0 {
				gap := i - last - 1
				skipped += gap
				if gap > maxGap {
					continue subsets
				}
			}
			last = i
			if w.text == "" {
				continue subsets
			}
			chosen = append(chosen, names.Replace(w.text))
			where = append(where, w.at)
		}
		if maxLength > 0 && len(chosen) > maxLength {
			continue
		}
		all.addAt(where[0], "["+strings.Join(chosen, " ")+"]", len(chosen), math.Pow(lambda, float64(skipped)), where)
	}
	return all
}

// TaggedWord is a word with its tag, as fragments print them. The field At is its node or token.
type TaggedWord struct {
	Tag, Word string
	At        int32
}

// TagRuns lists the matches of the space `tag`: every run of words. A word of a run appears as its tag, with
// or without the word.
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
