package decode

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fstore/decode/format"
	"fstore/store"
)

// LabelNumbers is the numbering of a store's labels: numbers stay, others are
// numbered from 1 in byte order (past what is taken), no label is 0.
type LabelNumbers struct {
	Names  []string // in byte order
	number map[string]string
}

// NumberLabels numbers labels.
func NumberLabels(names []string) *LabelNumbers {
	l := &LabelNumbers{Names: slices.Sorted(slices.Values(names)), number: map[string]string{}}
	taken := map[float64]bool{}
	for _, name := range l.Names {
		if x, ok := format.Decimal([]byte(name)); ok {
			l.number[name] = name
			taken[x] = true
		}
	}
	next := 1
	for _, name := range l.Names {
		if l.number[name] != "" {
			continue
		}
		for taken[float64(next)] {
			next++
		}
		l.number[name] = strconv.Itoa(next)
		next++
	}
	return l
}

// Number returns the number of one label; ok is false where the store has no such
// label.
func (l *LabelNumbers) Number(label string) (number string, ok bool) {
	if label == "" {
		return "0", true
	}
	number, ok = l.number[label]
	return number, ok
}

// NumberSamples numbers the labels of samples, which are joined by commas.
func NumberSamples(labels ...[]string) *LabelNumbers {
	names := labelNames{}
	for _, some := range labels {
		for _, joined := range some {
			names.add(joined)
		}
	}
	return names.number()
}

// labelNames are the labels of some samples.
type labelNames map[string]bool

// add adds the labels of a sample, which are joined by commas.
func (n labelNames) add(joined string) {
	store.SplitLabels(joined, func(name string) { n[name] = true })
}

func (n labelNames) number() *LabelNumbers { return NumberLabels(slices.Collect(maps.Keys(n))) }

// ErrUnknownLabel says that an input has a label that the store has not.
var ErrUnknownLabel = errors.New("the store has no such label")

// Numbers returns the numbers of a sample's labels, which are joined by commas, each
// once: "0" where it has none. A label that is not numbered is unknown, or
// ErrUnknownLabel where that is "".
func (l *LabelNumbers) Numbers(joined, unknown string) (string, error) {
	if n, ok := l.Number(joined); ok {
		return n, nil
	}
	var numbers []string
	var err error
	store.SplitLabels(joined, func(name string) {
		n, ok := l.Number(name)
		if !ok {
			if n = unknown; n == "" && err == nil {
				err = fmt.Errorf("label %q: %w", name, ErrUnknownLabel)
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
		return "0", nil
	}
	return strings.Join(numbers, ","), nil
}
