package index

import (
	"strings"
)

// SplitLabels calls f for each of a sample's labels, which are joined by commas.
func SplitLabels(joined string, f func(label string)) {
	for label := range strings.SplitSeq(joined, ",") {
		if label != "" {
			f(label)
		}
	}
}
