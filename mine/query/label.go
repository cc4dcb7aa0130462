package query

import (
	"slices"
	"strconv"
	"strings"

	"fstore/index"
)

// unknownLabel returns the error for a label that no sample has. The error suggests other labels.
func unknownLabel(label string, labels []string) error {
	text := "the store has no label " + label
	if label == "" {
		text = "an empty label"
	}
	few := nearest(label, labels)
	switch form := index.FormHint(label, labels); {
	case form != "":
		return index.Usagef("%s%s", text, form)
	case len(few) > 0:
		return index.Usagef("%s: did you mean %s?", text, strings.Join(few, " or "))
	case len(labels) == 0:
		return index.Usagef("%s: it has none", text)
	case len(labels) <= maxListed:
		return index.Usagef("%s: it has %s", text, strings.Join(labels, ", "))
	}
	return index.Usagef("%s: it has %d others (fstore info lists them)", text, len(labels))
}

const maxListed = 12 // how many labels a message names

// FindLabel returns the label of the store that a user means (see index.FindLabel). A label that no sample
// has is a usage error.
func (t *Table) FindLabel(label string) (string, error) { return FindLabel(label, t.Labels) }

// FindLabel does what Table.FindLabel does, for a store with these labels.
func FindLabel(label string, labels []string) (string, error) {
	found, ok := index.FindLabel(label, labels)
	if !ok {
		return "", unknownLabel(label, labels)
	}
	return found, nil
}

// FindUnion calls FindLabel for each label in text, where commas separate the labels. It returns each label
// once.
func (t *Table) FindUnion(text string) (labels []string, err error) {
	for part := range strings.SplitSeq(text, ",") {
		label, err := t.FindLabel(part)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return labels, nil
}

// nearest returns labels that are similar to an unknown label. For a number it returns none, because another
// number is another class.
func nearest(label string, labels []string) []string {
	if _, err := strconv.ParseFloat(label, 64); err == nil {
		return nil
	}
	return index.Nearest(label, labels)
}
