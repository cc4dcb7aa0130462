package index

import "strings"

// Source is a stream of samples. Next refills t and returns nil, or io.EOF after
// the last, or an *InputError for one bad sample: after that the next call
// resynchronises at the following sample. Any other error ends the stream.
type Source interface{ Next(t *Tree) error }

// KnowLabels tells src the labels that there are already: one of its labels that is the
// same number as one of them is that one.
func KnowLabels(src Source, labels []string) {
	if s, ok := src.(interface{ KnowLabels(labels []string) }); ok {
		s.KnowLabels(labels)
	}
}

// SplitLabels calls f for each of a sample's labels, which are joined by commas.
func SplitLabels(joined string, f func(label string)) {
	for label := range strings.SplitSeq(joined, ",") {
		if label != "" {
			f(label)
		}
	}
}
