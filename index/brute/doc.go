// Package brute finds the fragments of one sample in the obvious way. It tries every set of nodes, arcs or
// words, and writes each fragment as text. Tests compare the spaces with this package. It shares no code with
// the spaces. Samples must be small, as the number of sets is exponential.
//
// Each family of spaces has a file, and a function named after its fragments. Package brute imports only
// index.
package brute

import "fstore/index"

// Match says how a fragment matches a sample.
type Match struct {
	Order        int
	Count, Value float64
	Where        []string // the nodes or tokens of each match, see Place
	Places       float64  // the distinct nodes at which matches begin

	roots map[int32]bool
}

// Place writes the nodes or tokens of a match, ascending, in the form of Match.Where.
func Place(o index.Occurrence) string {
	var b []byte
	for _, i := range o {
		b = append(b, byte('0'+i))
	}
	return string(b)
}

// matches has the matches in a sample, by the text of the fragment.
type matches map[string]*Match

// add adds one match. No other match of the fragment in this sample may begin at the same node.
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

// addAt adds one match at the given root, where other matches can begin too.
func (all matches) addAt(root int32, text string, order int, value float64, where index.Occurrence) {
	all.add(text, order, value, where)
	m := all[text]
	if m.roots == nil {
		m.roots = map[int32]bool{}
	}
	m.roots[root] = true
	m.Places = float64(len(m.roots))
}

// column returns the form, lemma, upos or xpos of a token, whichever the option `unit` of a space names.
func column(k *index.Token, unit string) uint32 {
	return map[string]uint32{"form": k.Form, "lemma": k.Lemma, "upos": k.UPOS, "xpos": k.XPOS}[unit]
}
