package read

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"fstore/index"
)

// miscKeys are the keys of MISC that a space reads, and those of them that no word had so far:
// a misspelt key gives every word the same value, and no error.
type miscKeys struct {
	wanted, unseen []string
	there          []string // the keys that words have instead, while there are unseen ones
}

// add sets the values that t has.
func (m *miscKeys) add(t *index.Tree, s *index.Symbols) {
	t.AddMisc(m.wanted, s)
	for i := range t.Tokens {
		if len(m.unseen) == 0 {
			return
		}
		for item := range bytes.SplitSeq(s.Bytes(index.Words, t.Tokens[i].Misc), []byte{'|'}) {
			key, _, ok := bytes.Cut(item, []byte{'='})
			if !ok {
				continue
			}
			if at := slices.Index(m.unseen, string(key)); at >= 0 {
				m.unseen = slices.Delete(m.unseen, at, at+1)
			}
			if len(m.there) < maxSeen && !slices.Contains(m.there, string(key)) {
				m.there = append(m.there, string(key))
			}
		}
	}
}

// missing says, of each key that no word has, which may be meant.
func (m *miscKeys) missing() (lines []string) {
	for _, key := range m.unseen {
		line := fmt.Sprintf("no word has the key %s in MISC: misc[%s] is _ throughout", key, key)
		switch few := index.Nearest(key, m.there); {
		case len(few) > 0:
			line += "; did you mean " + strings.Join(few, " or ") + "?"
		case len(m.there) > 0:
			line += "; there are " + strings.Join(m.there[:min(len(m.there), maxListed)], ", ")
		}
		lines = append(lines, line)
	}
	return lines
}
