// Package measure computes how well predicted labels agree with gold labels.
package measure

import (
	"cmp"
	"slices"
	"strconv"

	"fstore/index"
)

// Outcomes counts the predictions for samples that have gold labels. The zero value is empty.
type Outcomes struct {
	Samples, Correct uint64
	byLabel          map[string]*Label
}

// Label counts the outcomes of one label.
type Label struct {
	Name                    string
	Right, Wrong, Forgotten uint64 // true positives, false positives, false negatives
}

// Add counts the prediction for a sample with gold labels. The prediction is right if it is a gold label.
// Pass "" if nothing was predicted.
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

// label returns the counts of a label. Names of the same number, such as 1 and 1.0, are one label.
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

// Of returns the counts of the label with this name.
func (o *Outcomes) Of(name string) Label { return *o.label(name) }

// Labels returns the counts of all labels that were gold or predicted, in byte order of the labels.
func (o *Outcomes) Labels() []Label {
	all := make([]Label, 0, len(o.byLabel))
	for _, l := range o.byLabel {
		all = append(all, *l)
	}
	slices.SortFunc(all, func(a, b Label) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Accuracy returns the share of samples whose prediction is right.
func (o *Outcomes) Accuracy() float64 { return share(o.Correct, o.Samples-o.Correct) }

// MacroF1 returns the mean F1 over the labels that were gold or predicted.
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

// Precision returns the share of the label's predictions that are right.
func (l Label) Precision() float64 { return share(l.Right, l.Wrong) }

// Recall returns the share of right predictions among the samples with this gold label.
func (l Label) Recall() float64 { return share(l.Right, l.Forgotten) }

// F1 returns the harmonic mean of precision and recall, or 0 if nothing is right.
func (l Label) F1() float64 { return share(2*l.Right, l.Wrong+l.Forgotten) }

// share returns a / (a+b), or 0 if both are 0.
func share(a, b uint64) float64 {
	if a == 0 {
		return 0
	}
	return float64(a) / float64(a+b)
}
