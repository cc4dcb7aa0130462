package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// LabelError says that no sample has a label: wrong usage.
type LabelError struct {
	Label  string
	Labels []string // that there are
}

// Error names the labels that Label may be a slip for, else all, where they are few.
func (e *LabelError) Error() string {
	text := fmt.Sprintf("the store has no label %s", e.Label)
	few := nearest(e.Label, e.Labels)
	switch {
	case len(few) > 0:
		return text + ": did you mean " + strings.Join(few, " or ") + "?"
	case len(e.Labels) == 0:
		return text + ": it has none"
	case len(e.Labels) <= maxListed:
		return text + ": it has " + strings.Join(e.Labels, ", ")
	}
	return fmt.Sprintf("%s: it has %d others (fstore info lists them)", text, len(e.Labels))
}

const (
	maxListed  = 12 // labels in a message
	maxNearest = 3  // suggestions
)

// CheckLabel returns a *LabelError where no sample has the label.
func (t *Table) CheckLabel(label string) error {
	if _, ok := slices.BinarySearch(t.Labels, label); !ok {
		return &LabelError{label, t.Labels}
	}
	return nil
}

// nearest returns the labels that differ from one in case or in a third of its
// letters at most, the nearest first.
func nearest(label string, labels []string) []string {
	type candidate struct {
		label    string
		distance int
	}
	var all []candidate
	for _, l := range labels {
		a, b := []rune(strings.ToLower(label)), []rune(strings.ToLower(l))
		if d := editDistance(a, b); d <= (len(a)+2)/3 && d < len(b) {
			all = append(all, candidate{l, d})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.label, b.label))
	})
	var names []string
	for _, c := range all[:min(len(all), maxNearest)] {
		names = append(names, c.label)
	}
	return names
}

// editDistance is Levenshtein's.
func editDistance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0]++
		for j := range b {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
