package read

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"fstore/decode/format"
	"fstore/index"
)

// spelling makes one label of labels that are the same number, as tools that read numbers
// do: +1, 1, 01 and 1e0 become whichever came first. It is for one goroutine.
type spelling struct {
	first map[float64]string // the first label that is this number
	known map[string]string  // what a label becomes; memory of joined labels too
	said  []string           // what became what, the first
	more  int                // that are not in said
	parts []string

	nfc   map[string]string // the first label that is this text in NFC, of labels beyond ASCII
	forms string            // what to say of two labels that differ in their form of Unicode
}

// maxKnown bounds the memory of labels that have been looked at, but for those that are numbers: each
// different number is kept, as a later spelling of it must become the first.
const maxKnown = 1 << 16

// know takes in labels that there are already: those of a store. Each stays as it is.
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

// of returns the labels of a sample, which are joined by commas, as they are spelled.
func (s *spelling) of(joined string) string {
	if joined == "" || !strings.ContainsAny(joined, "0123456789") && isASCII([]byte(joined)) {
		return joined
	}
	if spelled, ok := s.known[joined]; ok {
		return spelled
	}
	s.parts = s.parts[:0]
	index.SplitLabels(joined, func(label string) {
		if label = s.one(label); !slices.Contains(s.parts, label) {
			s.parts = append(s.parts, label)
		}
	})
	spelled := strings.Join(s.parts, ",")
	if len(s.known) < maxKnown {
		s.known[joined] = spelled
	}
	return spelled
}

// one returns how a label is spelled.
func (s *spelling) one(label string) string {
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

// lookForForms looks for an earlier label that is the same text in another form of Unicode:
// they are two labels, and that is said.
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

// maxSaid is how many spellings a message lists.
const maxSaid = 10

// say says which labels became others, "" where none did.
func (s *spelling) say() string {
	if len(s.said) == 0 {
		return ""
	}
	text := strings.Join(s.said, ", ")
	if s.more > 0 {
		text += fmt.Sprintf(", and %d others", s.more)
	}
	return text + ": labels that are the same number are one"
}
