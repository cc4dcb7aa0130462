package read

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"fstore/decode/format"
	"fstore/index"
)

// spelling replaces labels that are the same number, such as 1, 01 and 1e0, by the first of them: tools that
// read numbers cannot tell them apart. A spelling is for one goroutine.
type spelling struct {
	first map[float64]string // number → the first label with that value
	known map[string]string  // label, or several labels joined by commas → the text that replaces it
	said  []string           // messages about the first few changes of labels
	more  int                // number of changes without a message
	parts []string

	nfc   map[string]string // text in NFC → the first label with that text; not for ASCII
	forms string            // a message about two labels that differ only in their form of Unicode
}

// maxKnown limits the map `nfc`, and also `known` in the method `spell`. The map `first` must be complete:
// otherwise a number could get a second spelling.
const maxKnown = 1 << 16

// know records the labels that a store already has. Their spelling does not change.
func (s *spelling) know(labels []string) {
	for _, label := range labels {
		s.known[label] = label
		s.lookForForms(label)
		if x, ok := format.Decimal([]byte(label)); ok {
			if _, ok := s.first[x]; !ok {
				s.first[x] = label
			}
		}
	}
}

func newSpelling() spelling {
	return spelling{first: map[float64]string{}, known: map[string]string{}, nfc: map[string]string{}}
}

// spell returns the labels of a sample in the spelling that came first.
func (s *spelling) spell(joined string) string {
	if joined == "" || !strings.ContainsAny(joined, "0123456789") && isASCII([]byte(joined)) {
		return joined
	}
	if spelled, ok := s.known[joined]; ok {
		return spelled
	}
	s.parts = s.parts[:0]
	index.SplitLabels(joined, func(label string) {
		if label = s.spellOne(label); !slices.Contains(s.parts, label) {
			s.parts = append(s.parts, label)
		}
	})
	spelled := strings.Join(s.parts, ",")
	if len(s.known) < maxKnown {
		s.known[joined] = spelled
	}
	return spelled
}

func (s *spelling) spellOne(label string) string {
	if spelled, ok := s.known[label]; ok {
		return spelled
	}
	x, ok := format.Decimal([]byte(label))
	if !ok {
		s.lookForForms(label)
		return label
	}
	first, ok := s.first[x]
	if !ok {
		s.first[x] = label
		return label
	}
	if first != label {
		if len(s.said) < maxSaid {
			s.said = append(s.said, fmt.Sprintf("label %s is %s", label, first))
		} else {
			s.more++
		}
		s.known[label] = first
	}
	return first
}

// lookForForms reports a label that differs from an earlier one only in its form of Unicode.
func (s *spelling) lookForForms(label string) {
	if s.forms != "" || isASCII([]byte(label)) || len(s.nfc) >= maxKnown {
		return
	}
	composed := norm.NFC.String(label)
	switch first, ok := s.nfc[composed]; {
	case !ok:
		s.nfc[composed] = label
	case first != label:
		s.forms = fmt.Sprintf("label %s is there as %+q and as %+q (NFC and NFD), which count as two labels; --normalize-unicode nfc makes them one", label, first, label)
	}
}

// maxSaid is the maximum number of changes that a message lists.
const maxSaid = 10

// message returns a message about the labels that have changed, or "".
func (s *spelling) message() string {
	if len(s.said) == 0 {
		return ""
	}
	text := strings.Join(s.said, ", ")
	if s.more > 0 {
		text += fmt.Sprintf(", and %d others", s.more)
	}
	return text + ": labels that are the same number are one"
}
