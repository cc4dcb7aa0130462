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
	history    int  // number of entries
	removed    bool // samples were removed, so codes can differ from those of a store built without these samples
}

// sample is a sample that the store should hold.
type sample struct {
	tree        *index.Tree
	name, label string
	input       string
}

// limits say which fragments a space or a selection has.
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
	// check returns an error if the entries of a new selection are wrong. The entries must not change later.
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

// trained is a model that the store should hold. The field bytes is nil until the test has read the model.
type trained struct {
	bytes    []byte
	space    string // the space of a kernel machine
	positive string // the label that the model separates from the other labels
}

// clone returns a copy that can be changed.
func (m *model) clone() *model {
	c := *m
	c.samples = slices.Clone(m.samples)
	c.spaces = slices.Clone(m.spaces)
	c.selections, c.trained = maps.Clone(m.selections), maps.Clone(m.trained)
	return &c
}

// next returns a copy with one more entry in the history.
func (m *model) next() *model {
	c := m.clone()
	c.history++
	return c
}

// labels returns the labels of the samples, in byte order.
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

// row is the data that a store should have for a fragment.
type row struct {
	order           int
	samples, counts []uint32 // the ids of the samples, ascending, and the occurrences in each sample
	roots           string   // all root occurrences, if the space is closable
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

// found keeps the fragments that brute force has found, by space and tree.
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

// closedOnly removes each fragment for which a larger fragment occurs at the same roots.
func closedOnly(all map[string]*row) {
	most := map[string]int{}
	for _, r := range all {
		most[r.roots] = max(most[r.roots], r.order)
	}
	maps.DeleteFunc(all, func(_ string, r *row) bool { return r.order < most[r.roots] })
}

// chi2 returns the largest χ² of a fragment over the labels, each label against all other samples.
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

// checkCounts returns an error if the fragments of a selection are not those of want. It also compares
// support and occurrences, which are the first statistics of every selection.
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

// near reports whether two numbers are equal except for rounding.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }

// sketch describes a model in one line.
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
