// Package classes turns labels into binary problems: each label against all others, or a single problem for
// two labels. The package imports index only.
package classes

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fstore/index"
)

// mostListed is the largest number of labels that a message lists.
const mostListed = 12

// MachineOf returns the index of the machine for a label. The labels come from Plan. The label "" stands for
// the only machine.
func MachineOf(label string, labels []string, machines int) (int, error) {
	if label == "" && machines > 1 {
		return 0, index.Usagef("the model has a machine for each of %d labels: name one with --positive (%s)", len(labels), List(labels))
	}
	labels = labels[:machines]
	found, ok := index.FindLabel(label, labels)
	switch form := index.FormHint(label, labels); {
	case label == "":
		return 0, nil
	case ok:
		return slices.Index(labels, found), nil
	case form != "":
		return 0, index.Usagef("the model has no machine for the label %s%s", label, form)
	}
	return 0, index.Usagef("the model has no machine for the label %s: it has one for %s", label, List(labels))
}

// List returns the labels as text for a message: the first mostListed of them, and how many more there are.
func List(labels []string) string {
	more := ""
	if n := len(labels) - mostListed; n > 0 {
		labels, more = labels[:mostListed], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(labels, ", ") + more
}

// Plan returns the labels that machines tell apart, and the number of machines. The names must be sorted.
//   - two labels: one machine, with positive scores for labels[0]: the given `positive`, or the larger of two
//     numbers, or the first name
//   - more labels: a machine for each, in the order of names
//   - more labels and a positive one: one machine; labels[1] is "" and stands for any other label
func Plan(names []string, positive string) (labels []string, machines int, err error) {
	asked := positive
	positive, found := index.FindLabel(asked, names)
	switch {
	case len(names) < 2:
		if len(names) == 0 {
			return nil, 0, index.Usagef("no sample has a label: there is nothing to learn")
		}
		return nil, 0, index.Usagef("the samples have no label but %s: there is nothing to tell it from", names[0])
	case asked != "" && !found:
		return nil, 0, index.Usagef("no sample has the label %s%s", asked, cmp.Or(index.FormHint(asked, names), ": there are "+List(names)))
	case positive != "" && len(names) > 2:
		return []string{positive, ""}, 1, nil
	case len(names) > 2:
		return names, len(names), nil
	}
	labels = slices.Clone(names)
	a, errA := strconv.ParseFloat(labels[0], 64)
	b, errB := strconv.ParseFloat(labels[1], 64)
	if positive == labels[1] || positive == "" && errA == nil && errB == nil && b > a {
		slices.Reverse(labels)
	}
	return labels, 1, nil
}

// Names returns the labels that the samples have, each once, in byte order.
func Names(samples [][]string) []string {
	seen := map[string]bool{}
	var names []string
	for _, labels := range samples {
		for _, l := range labels {
			if !seen[l] {
				seen[l] = true
				names = append(names, l)
			}
		}
	}
	slices.Sort(names)
	return names
}

// Signs returns 1 for each sample with the label and −1 for each other sample.
func Signs(samples [][]string, label string) []float64 {
	y := make([]float64, len(samples))
	for i, labels := range samples {
		y[i] = -1
		if slices.Contains(labels, label) {
			y[i] = 1
		}
	}
	return y
}

// Prices returns what an error of machine k costs on each sample. A label has the weight 1 if the map lacks
// it.
//   - sign 1: c times the weight of labels[k]
//   - sign −1, if there are two labels: c times the weight of labels[1]
//   - sign −1 otherwise: c
func Prices(signs []float64, labels []string, k int, c float64, weight map[string]float64) []float64 {
	of := func(label string) float64 {
		if w, ok := weight[label]; ok {
			return c * w
		}
		return c
	}
	positive, negative := of(labels[k]), c
	if len(labels) == 2 && labels[1] != "" {
		negative = of(labels[1])
	}
	prices := make([]float64, len(signs))
	for i, y := range signs {
		if prices[i] = negative; y > 0 {
			prices[i] = positive
		}
	}
	return prices
}

// Predict returns the label that the scores predict. The labels come from Plan.
//   - one score: labels[0] if the score is above 0, else labels[1]
//   - several scores: the label with the largest score, of equal ones the first
func Predict(labels []string, scores []float64) string {
	if len(scores) == 1 {
		if scores[0] > 0 {
			return labels[0]
		}
		return labels[1]
	}
	best := 0
	for k, s := range scores {
		if s > scores[best] {
			best = k
		}
	}
	return labels[best]
}

// Gold returns a sample's own labels. With a labels[1] of "" (any other label), it returns "" for samples
// without labels[0].
func Gold(labels, ownLabels []string) []string {
	if len(labels) != 2 || labels[1] != "" || slices.Contains(ownLabels, labels[0]) {
		return ownLabels
	}
	return []string{""}
}
