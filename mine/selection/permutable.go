package selection

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/association"
)

// permutable divides the samples into units, for example documents. A permutation shuffles the labels among
// the units.
type permutable struct {
	own     []uint16   // the label set of each sample
	unit    []int32    // the unit of each sample; -1: the sample keeps its labels
	sets    []uint16   // the label set of each unit
	classes [][]uint32 // the classes of each label set

	// If documents are the units, these fields count the documents and samples that keep their labels.
	mixed int // documents whose samples differ in their labels
	alone int // samples without a document
}

func (r *run) permutable(x *ChiSquared, unit Permuted) (*permutable, error) {
	samples := r.st.Meta().Samples
	u := &permutable{own: make([]uint16, samples), unit: make([]int32, samples)}
	if err := u.group(x); err != nil {
		return nil, err
	}
	if unit == PermuteDocuments {
		return u, u.ofDocuments(r)
	}
	u.ofSamples(r.o.Without)
	return u, nil
}

// checkLabellings returns an error if permutations of the units' labels cannot show the level alpha.
func (u *permutable) checkLabellings(unit Permuted, alpha float64) error {
	count := make([]int, len(u.classes))
	for _, set := range u.sets {
		count[set]++
	}
	ways, _ := math.Lgamma(float64(len(u.sets) + 1)) // the logarithm of the multinomial coefficient
	for _, n := range count {
		x, _ := math.Lgamma(float64(n + 1))
		ways -= x
	}
	switch most := slices.Max(count); {
	case most == len(u.sets):
		return index.Usagef("test %s: all have the same labels, and there is nothing to permute%s", unit, u.unpermuted())
	case most == 1:
		return index.Usagef("test %s: no two have the same labels, so that permutations only rename them", unit)
	case ways < -math.Log(alpha*(1+association.Slack)):
		return index.Usagef("test %s: their labels have %.0f permutations, too few to show a level below %.3g", unit, math.Exp(ways), math.Exp(-ways))
	}
	return nil
}

// group gives each different label set of the samples a number, and fills u.own and u.classes.
func (u *permutable) group(x *ChiSquared) error {
	known := map[string]uint16{}
	var key []byte
	for s := range u.own {
		classes := x.classesOf(uint32(s))
		key = key[:0]
		for _, k := range classes {
			key = fmt.Appendf(key, "%d ", k)
		}
		set, ok := known[string(key)]
		if !ok {
			if len(known) > math.MaxUint16 {
				return index.Usagef("westfall-young: more than %s different sets of labels", index.Thousands(math.MaxUint16+1))
			}
			set = uint16(len(known))
			known[string(key)] = set
			u.classes = append(u.classes, slices.Clone(classes))
		}
		u.own[s] = set
	}
	return nil
}

// ofSamples makes each sample a unit, except the samples in leftOut.
func (u *permutable) ofSamples(leftOut *roaring.Bitmap) {
	for s, set := range u.own {
		u.unit[s] = -1
		if leftOut == nil || !leftOut.Contains(uint32(s)) {
			u.unit[s] = int32(len(u.sets))
			u.sets = append(u.sets, set)
		}
	}
}

// ofDocuments makes a document a unit if all its samples have the same label set.
func (u *permutable) ofDocuments(r *run) error {
	if r.st.Meta().Documents == 0 {
		return index.Usagef("the store has no documents: build it with --document-from")
	}
	const mixed = -1
	numbers := map[string]int{}
	var sets []int // label set of each document
	// While samples are read, u.unit holds the document of each sample.
	err := r.st.SampleHeads(0, uint32(len(u.own)), func(id uint32, t *index.Tree) error {
		if id&0xFFF == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		u.unit[id] = -1
		if r.o.Without != nil && r.o.Without.Contains(id) {
			return nil
		}
		if t.Document == "" {
			u.alone++
			return nil
		}
		d, ok := numbers[t.Document]
		if !ok {
			d = len(sets)
			numbers[t.Document] = d
			sets = append(sets, int(u.own[id]))
		}
		if sets[d] != int(u.own[id]) {
			sets[d] = mixed
		}
		u.unit[id] = int32(d)
		return nil
	})
	if err != nil {
		return err
	}
	units := make([]int32, len(sets))
	for d, set := range sets {
		units[d] = -1
		if set == mixed {
			u.mixed++
			continue
		}
		units[d] = int32(len(u.sets))
		u.sets = append(u.sets, uint16(set))
	}
	for s, d := range u.unit {
		if d >= 0 {
			u.unit[s] = units[d]
		}
	}
	return nil
}

// unpermuted says in words which samples or documents keep their labels. It is "" if all labels are permuted.
func (u *permutable) unpermuted() string {
	var kept []string
	if u.mixed > 0 {
		kept = append(kept, index.Plural(u.mixed, "document")+" of mixed labels")
	}
	if u.alone > 0 {
		kept = append(kept, index.Plural(u.alone, "sample")+" without a document")
	}
	if kept == nil {
		return ""
	}
	return "; " + strings.Join(kept, " and ") + " left as they are"
}

// countLayout says what one row of counts is for: one set of labels or, if there are too many sets, one
// class.
type countLayout struct {
	bySet  bool
	rows   int     // at most 2·classes + 2
	rowsOf [][]int // the rows of each tested class
}

// layoutOf returns a layout with a row for each label set, or for each class if there are many sets.
func layoutOf(x *ChiSquared, units *permutable) countLayout {
	tested := x.testedClasses()
	l := countLayout{bySet: true, rows: len(units.classes), rowsOf: make([][]int, len(tested))}
	pairs := 0
	for set, classes := range units.classes {
		for _, k := range classes {
			if int(k) < len(tested) {
				l.rowsOf[k] = append(l.rowsOf[k], set)
				pairs++
			}
		}
	}
	if pairs > 2*len(tested) {
		l.bySet, l.rows = false, len(x.classes)
		for k := range l.rowsOf {
			l.rowsOf[k] = []int{k}
		}
	}
	return l
}
