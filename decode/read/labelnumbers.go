package read

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fstore/decode/format"
	"fstore/index"
)

// LabelNumbers numbers the labels of a store. A label that is a number keeps that number. The other labels
// get the free numbers from 1, in byte order of the labels.
type LabelNumbers struct {
	Names  []string // the labels in byte order
	ByName map[string]string
	// None is the number for a sample without a label. It is the first of 0, -1, -2, … that is not a label.
	None string
}

// NumberLabels numbers the labels of samples. Each string has the labels of one sample, joined by commas.
func NumberLabels(samples ...string) *LabelNumbers {
	names := map[string]bool{}
	for _, joined := range samples {
		index.SplitLabels(joined, func(name string) { names[name] = true })
	}
	l := &LabelNumbers{Names: slices.Sorted(maps.Keys(names)), ByName: map[string]string{}}
	taken := map[float64]bool{}
	for _, name := range l.Names {
		if x, ok := format.Decimal([]byte(name)); ok {
			l.ByName[name] = name
			taken[x] = true
		}
	}
	next := 1
	for _, name := range l.Names {
		if l.ByName[name] != "" {
			continue
		}
		for taken[float64(next)] {
			next++
		}
		l.ByName[name] = strconv.Itoa(next)
		next++
	}
	none := 0
	for taken[float64(none)] {
		none--
	}
	l.None = strconv.Itoa(none)
	return l
}

// Number returns the number of a label, and whether the store has the label.
func (l *LabelNumbers) Number(label string) (number string, ok bool) {
	if label == "" {
		return l.None, true
	}
	number, ok = l.ByName[label]
	return number, ok
}

// LabelOf returns the label of the store with this text, or else the label with this number (see Number).
func (l *LabelNumbers) LabelOf(text string) (label string, ok bool) {
	if slices.Contains(l.Names, text) {
		return text, true
	}
	for _, name := range l.Names {
		if index.SameLabel(l.ByName[name], text) {
			return name, true
		}
	}
	return "", false
}

var errUnknownLabel = errors.New("the store has no such label")

// Numbers returns the numbers of a sample's labels, each once, joined by commas. A sample without a label
// gets None. A label that the store does not have gets unknownNumber, or is an error if unknownNumber is "".
func (l *LabelNumbers) Numbers(joined, unknownNumber string) (string, error) {
	if n, ok := l.Number(joined); ok {
		return n, nil
	}
	var numbers []string
	var err error
	index.SplitLabels(joined, func(name string) {
		n, ok := l.Number(name)
		if !ok {
			if n = unknownNumber; n == "" && err == nil {
				err = fmt.Errorf("label %q: %w%s", name, errUnknownLabel, index.FormHint(name, l.Names))
			}
		}
		if !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	})
	if err != nil {
		return "", err
	}
	if len(numbers) == 0 {
		return l.None, nil
	}
	return strings.Join(numbers, ","), nil
}
