package metamorphic

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/brute"
)

// model is what a store should hold.
type model struct {
	kind       index.Kind
	samples    []sample
	spaces     []space
	selections map[string]*selection
	trained    map[string]*trained
	history    int  // entries
	removed    bool // samples were taken out: codes are no longer those of a store without them
}

// sample is a sample that the store should hold.
type sample struct {
	tree        *index.Tree
	name, label string
	input       string
}

// limits are what fragments a space or a selection is of.
type limits struct {
	minSupport uint32
	maxOrder   int // 0: any
	closed     bool
}

type space struct {
	*spaceKind
	limits
}

// selection is a selection that the store should hold.
type selection struct {
	space int
	// check says what is wrong with the entries of a selection that was just made; they
	// must not change from then on.
	check   func(entries map[string]entry) error
	columns []string
	entries map[string]entry // nil: not seen yet
}

// entry is a fragment of a selection.
type entry struct {
	order         int
	score, weight float64
	stats         []float64
}

func (e entry) equal(f entry) bool {
	return e.order == f.order && e.score == f.score && e.weight == f.weight && slices.Equal(e.stats, f.stats)
}

// trained is a model that the store should hold; bytes are nil until they were seen.
type trained struct {
	bytes    []byte
	space    string // of a kernel machine
	positive string // the label that it tells from the others
}

// clone returns a copy to change.
func (m *model) clone() *model {
	c := *m
	c.samples = slices.Clone(m.samples)
	c.spaces = slices.Clone(m.spaces)
	c.selections, c.trained = maps.Clone(m.selections), maps.Clone(m.trained)
	return &c
}

// next is a copy with one more entry of the history.
func (m *model) next() *model {
	c := m.clone()
	c.history++
	return c
}

// labels are those that samples have, in byte order.
func (m *model) labels() (all []string) {
	for i := range m.samples {
		if l := m.samples[i].label; l != "" && !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	slices.Sort(all)
	return all
}

// allHave says whether every sample has a label.
func (m *model) allHave(label string) bool {
	return !slices.ContainsFunc(m.samples, func(s sample) bool { return s.label != label })
}

// row is what a store should say of a fragment.
type row struct {
	order           int
	samples, counts []uint32 // ids, ascending, and the occurrences in each
	roots           string   // all root occurrences, in a space that is closable
}

func (r *row) occurrences() (n uint32) {
	for _, c := range r.counts {
		n += c
	}
	return n
}

// observed is the number of samples with a label.
func (r *row) observed(m *model, label string) (n int) {
	for _, id := range r.samples {
		if m.samples[id].label == label {
			n++
		}
	}
	return n
}

// found keeps what brute force has found, by space and tree.
type found map[string]map[*index.Tree]map[string]*brute.Match

// fragments finds the fragments of a space within limits.
func (w *world) fragments(m *model, kind *spaceKind, l limits) map[string]*row {
	byTree := w.found[kind.arg]
	if byTree == nil {
		byTree = map[*index.Tree]map[string]*brute.Match{}
		w.found[kind.arg] = byTree
	}
	all := map[string]*row{}
	for id := range m.samples {
		tree := m.samples[id].tree
		matches, ok := byTree[tree]
		if !ok {
			matches = kind.find(tree, w.syms)
			byTree[tree] = matches
		}
		for key, x := range matches {
			r := all[key]
			if r == nil {
				r = &row{order: x.Order}
				all[key] = r
			}
			r.samples = append(r.samples, uint32(id))
			r.counts = append(r.counts, uint32(x.Count))
			if l.closed {
				r.roots += fmt.Sprintln(id, x.Where)
			}
		}
	}
	if l.closed {
		closedOnly(all)
	}
	maps.DeleteFunc(all, func(_ string, r *row) bool {
		return len(r.samples) < int(l.minSupport) || l.maxOrder > 0 && r.order > l.maxOrder
	})
	return all
}

// closedOnly drops the fragments that a larger one matches at the same roots.
func closedOnly(all map[string]*row) {
	most := map[string]int{}
	for _, r := range all {
		most[r.roots] = max(most[r.roots], r.order)
	}
	maps.DeleteFunc(all, func(_ string, r *row) bool { return r.order < most[r.roots] })
}

// chi2 is the largest χ² of a fragment with one of labels against all other samples.
func (m *model) chi2(r *row, labels []string) (best float64) {
	n := float64(len(m.samples))
	for _, label := range labels {
		all := 0.0
		for i := range m.samples {
			if m.samples[i].label == label {
				all++
			}
		}
		o, u := float64(r.observed(m, label)), float64(len(r.samples))
		a, b, c, d := o, u-o, all-o, n-all-u+o
		if rest := (a + b) * (c + d) * (a + c) * (b + d); rest > 0 {
			best = max(best, n*(a*d-b*c)*(a*d-b*c)/rest)
		}
	}
	return best
}

// checkCounts says whether support and occurrences, the first statistics of every
// selection, are those of rows, and whether these are all.
func checkCounts(want map[string]*row, got map[string]entry) error {
	for key, e := range got {
		r := want[key]
		if r == nil {
			return fmt.Errorf("%s is selected and should not be", key)
		}
		if e.stats[0] != float64(len(r.samples)) || e.stats[1] != float64(r.occurrences()) || e.order != r.order {
			return fmt.Errorf("%s: %+v, and there are %+v", key, e, *r)
		}
	}
	for key, r := range want {
		if _, ok := got[key]; !ok {
			return fmt.Errorf("%s is not selected: %+v", key, *r)
		}
	}
	return nil
}

// near says whether two numbers that were computed in different ways are the same.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }

// sketch describes a model in a line.
func (m *model) sketch() string {
	if m == nil {
		return "no store"
	}
	var spaces []string
	for _, s := range m.spaces {
		spaces = append(spaces, fmt.Sprintf("%s %+v", s.arg, s.limits))
	}
	return fmt.Sprintf("%d samples, spaces %s, selections %v, models %v, %d entries in the history", len(m.samples),
		strings.Join(spaces, ", "), slices.Sorted(maps.Keys(m.selections)), slices.Sorted(maps.Keys(m.trained)), m.history)
}
