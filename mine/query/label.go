package query

import (
	"fmt"
	"slices"
	"strings"

	"fstore/index"
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

const maxListed = 12 // labels in a message

// CheckLabel returns a *LabelError where no sample has the label.
func (t *Table) CheckLabel(label string) error {
	if _, ok := slices.BinarySearch(t.Labels, label); !ok {
		return &LabelError{label, t.Labels}
	}
	return nil
}

// nearest returns the labels that a slip may have meant.
func nearest(label string, labels []string) []string { return index.Nearest(label, labels) }
