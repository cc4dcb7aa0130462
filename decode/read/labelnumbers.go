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

// LabelNumbers is the numbering of a store's labels: numbers stay, others are
// numbered from 1 in byte order (past what is taken).
type LabelNumbers struct {
	Names  []string // in byte order
	ByName map[string]string
	// None is the number of no label: 0, or where that is a label, the first of -1, -2, … that is none.
	None string
}

// NumberLabels numbers the labels of samples, each of which may have several, joined by commas.
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

// Number returns the number of one label; ok is false where the store has no such
// label.
func (l *LabelNumbers) Number(label string) (number string, ok bool) {
	if label == "" {
		return l.None, true
	}
	number, ok = l.ByName[label]
	return number, ok
}

// LabelOf returns the label that is written so, or else the one whose number this is.
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

// errUnknownLabel says that an input has a label that the store has not.
var errUnknownLabel = errors.New("the store has no such label")

// Numbers returns the numbers of a sample's labels, which are joined by commas, each
// once: None where it has none. A label that is not numbered is unknown, or
// an error where that is "".
func (l *LabelNumbers) Numbers(joined, unknown string) (string, error) {
	if n, ok := l.Number(joined); ok {
		return n, nil
	}
	var numbers []string
	var err error
	index.SplitLabels(joined, func(name string) {
		n, ok := l.Number(name)
		if !ok {
			if n = unknown; n == "" && err == nil {
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
