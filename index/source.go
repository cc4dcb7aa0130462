package index

import (
	"slices"
	"strconv"
	"strings"
)

// Source is a stream of samples. Next refills t and returns nil, or io.EOF after
// the last, or an *InputError for one bad sample: after that the next call
// resynchronises at the following sample. Any other error ends the stream.
type Source interface{ Next(t *Tree) error }

// Ahead is implemented by sources that may be read ahead of whoever uses the trees, by another
// goroutine.
type Ahead interface {
	// Ahead says whether a tree stays as it is while the next ones are read into other trees.
	Ahead() bool
}

// KnowLabels tells src the labels that there are already: one of its labels that is the
// same number as one of them is that one.
func KnowLabels(src Source, labels []string) {
	if s, ok := src.(interface{ KnowLabels(labels []string) }); ok {
		s.KnowLabels(labels)
	}
}

// FindLabel returns the label that is written so, or else the one that is the same number, as
// 1 is of +1: what asks for labels takes them as inputs do. ok is false where there is none.
func FindLabel(label string, labels []string) (found string, ok bool) {
	if slices.Contains(labels, label) {
		return label, true
	}
	for _, found := range labels {
		if SameLabel(found, label) {
			return found, true
		}
	}
	return "", false
}

// SameLabel says whether two labels are the same: as text or, as +1 and 1, as numbers.
func SameLabel(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// SplitLabels calls f for each of a sample's labels, which are joined by commas.
func SplitLabels(joined string, f func(label string)) {
	for label := range strings.SplitSeq(joined, ",") {
		if label != "" {
			f(label)
		}
	}
}
