package seq

import (
	"math"
	"strings"
	"testing"

	"fstore/index"
	"fstore/index/internal/option"
	"fstore/index/internal/spacetest"
)

// newSpace makes a space from options as they are written after `seq:`.
func newSpace(t testing.TB, options string) *Space {
	t.Helper()
	s, err := New(spacetest.Options(options))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// word is a word of a sample in the obvious way.
type word struct {
	text string
	at   int32
}

// bruteWords are the words that a sample is a sequence of.
func bruteWords(s *Space, t *index.Tree, syms *index.Symbols) (words []word) {
	if t.Kind == index.Dependency {
		for i, k := range t.Tokens {
			id := map[option.Unit]uint32{option.Form: k.Form, option.Lemma: k.Lemma, option.UPOS: k.UPOS, option.XPOS: k.XPOS}[s.unit]
			words = append(words, word{syms.Text(index.Words, id), int32(i)})
		}
		return words
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch {
		case !t.IsWord(i):
		case s.unit != option.Form && n.Parent < 0:
			words = append(words, word{"", int32(i)})
		case s.unit != option.Form:
			words = append(words, word{syms.Text(index.Labels, t.Nodes[n.Parent].Sym), int32(i)})
		case n.Word:
			words = append(words, word{syms.Text(index.Words, n.Sym), int32(i)})
		default:
			words = append(words, word{syms.Text(index.Labels, n.Sym), int32(i)})
		}
	}
	return words
}

// brute lists every subset of the words.
func brute(s *Space, t *index.Tree, syms *index.Symbols, lambda float64) map[string]*spacetest.Match {
	words := bruteWords(s, t, syms)
	all := map[string]*spacetest.Match{}
subsets:
	for set := 1; set < 1<<len(words); set++ {
		var names []string
		var where index.Occurrence
		skipped, last := 0, -1
		for i, w := range words {
			if set>>i&1 == 0 {
				continue
			}
			if last >= 0 {
				gap := i - last - 1
				skipped += gap
				if gap > s.maxGap {
					continue subsets
				}
			}
			last = i
			if w.text == "" {
				continue subsets
			}
			names = append(names, strings.NewReplacer(" ", `\s`, "(", `\(`, ")", `\)`).Replace(w.text))
			where = append(where, w.at)
		}
		if s.maxLength > 0 && len(names) > s.maxLength {
			continue
		}
		f := "[" + strings.Join(names, " ") + "]"
		m := all[f]
		if m == nil {
			m = &spacetest.Match{Order: len(names)}
			all[f] = m
		}
		m.Count++
		m.Value += math.Pow(lambda, float64(skipped))
		m.Where = append(m.Where, spacetest.Place(where))
	}
	return all
}

var variants = []string{"", "max-length=3", "max-gap=0", "max-gap=1,max-length=2", "max-gap=2", "unit=upos", "unit=xpos,max-gap=3", "unit=lemma"}

func TestSpace(t *testing.T) {
	for _, options := range variants {
		space := newSpace(t, options)
		of := func(t *index.Tree, syms *index.Symbols, lambda float64) map[string]*spacetest.Match {
			return brute(space, t, syms, lambda)
		}
		if space.Reads(index.Constituency) {
			// Half of the nodes are words.
			spacetest.EachCorpus(t, space, spacetest.Brackets, 2, 16, of, run)
			spacetest.EachCorpus(t, space, spacetest.OneAlphabet, 2, 16, of, run)
		}
		spacetest.EachCorpus(t, space, spacetest.Dependency, 2, 9, of, run)
	}
}

func run(t *testing.T, c *spacetest.Case) {
	c.Additive = true
	c.Run(t)
}
