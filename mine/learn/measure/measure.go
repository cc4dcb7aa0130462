// Package measure says how well predicted labels agree with gold ones.
package measure

import (
	"cmp"
	"slices"
	"strconv"

	"fstore/index"
)

// Outcomes counts predictions of samples that have gold labels. The zero value is empty.
type Outcomes struct {
	Samples, Correct uint64
	byLabel          map[string]*Label
}

// Label counts the outcomes of one label.
type Label struct {
	Name                    string
	Right, Wrong, Forgotten uint64 // true positives, false positives, false negatives
}

// Add counts a sample, which has the gold labels, at least one. A prediction is right
// where it is one of them; "" predicts none.
func (o *Outcomes) Add(predicted string, gold []string) {
	o.Samples++
	right := false
	for _, g := range gold {
		l := o.label(g)
		if index.SameLabel(predicted, g) {
			right = true
			l.Right++
		} else {
			l.Forgotten++
		}
	}
	if right {
		o.Correct++
	} else if predicted != "" {
		o.label(predicted).Wrong++
	}
}

// label returns the counts of a label.
func (o *Outcomes) label(name string) *Label {
	key := name
	if x, err := strconv.ParseFloat(name, 64); err == nil {
		key = strconv.FormatFloat(x, 'g', -1, 64)
	}
	l := o.byLabel[key]
	if l == nil {
		if o.byLabel == nil {
			o.byLabel = map[string]*Label{}
		}
		l = &Label{Name: name}
		o.byLabel[key] = l
	}
	return l
}

// Of returns the counts of a label.
func (o *Outcomes) Of(name string) Label { return *o.label(name) }

// Labels returns the labels that were gold or predicted, in byte order.
func (o *Outcomes) Labels() []Label {
	all := make([]Label, 0, len(o.byLabel))
	for _, l := range o.byLabel {
		all = append(all, *l)
	}
	slices.SortFunc(all, func(a, b Label) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Accuracy is the share of samples whose prediction is right.
func (o *Outcomes) Accuracy() float64 { return share(o.Correct, o.Samples-o.Correct) }

// MacroF1 is the mean F1 over the labels that were gold or predicted.
func (o *Outcomes) MacroF1() float64 {
	sum := 0.0
	all := o.Labels()
	for _, l := range all {
		sum += l.F1()
	}
	if len(all) == 0 {
		return 0
	}
	return sum / float64(len(all))
}

// Precision is the share of what was predicted that is right.
func (l Label) Precision() float64 { return share(l.Right, l.Wrong) }

// Recall is the share of what is gold that was predicted.
func (l Label) Recall() float64 { return share(l.Right, l.Forgotten) }

// F1 is the harmonic mean of precision and recall, 0 where nothing is right.
func (l Label) F1() float64 { return share(2*l.Right, l.Wrong+l.Forgotten) }

// share is a / (a+b), 0 where both are 0.
func share(a, b uint64) float64 {
	if a == 0 {
		return 0
	}
	return float64(a) / float64(a+b)
}
