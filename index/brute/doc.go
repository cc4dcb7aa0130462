// Package brute finds the fragments of one sample the obvious way: it tries every set of
// nodes, arcs or words, and writes what is a fragment as text. It is for tests, which
// compare everything else with it, and shares no code with the spaces; samples must be
// small, as there are exponentially many sets.
//
// Each family of spaces has a file and a function that is named after what its fragments
// are. package brute imports index only.
package brute

import "fstore/index"

// Match is how a fragment matches a sample.
type Match struct {
	Order        int
	Count, Value float64
	Where        []string // the nodes or tokens of each match, see Place
	Places       float64  // the distinct nodes at which matches begin

	roots map[int32]bool
}

// Place writes the nodes or tokens of a match, which ascend, as Match.Where has them.
func Place(o index.Occurrence) string {
	var b []byte
	for _, i := range o {
		b = append(b, byte('0'+i))
	}
	return string(b)
}

// matches are the matches in a sample, by the text of the fragment.
type matches map[string]*Match

// add adds one match.
func (all matches) add(text string, order int, value float64, where index.Occurrence) {
	m := all[text]
	if m == nil {
		m = &Match{Order: order}
		all[text] = m
	}
	m.Count++
	m.Places++
	m.Value += value
	m.Where = append(m.Where, Place(where))
}

// addAt adds one match that begins at a node; add is for those of which each has its own.
func (all matches) addAt(root int32, text string, order int, value float64, where index.Occurrence) {
	all.add(text, order, value, where)
	m := all[text]
	if m.roots == nil {
		m.roots = map[int32]bool{}
	}
	m.roots[root] = true
	m.Places = float64(len(m.roots))
}

// column returns the word of a token that a space's option unit names: form, lemma, upos
// or xpos.
func column(k *index.Token, unit string) uint32 {
	return map[string]uint32{"form": k.Form, "lemma": k.Lemma, "upos": k.UPOS, "xpos": k.XPOS}[unit]
}
