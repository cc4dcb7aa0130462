// Package poly is the space of conjunctions of basic features (Qian & Liu 2015, §3.1; index/README.md,
// "poly"). It is the feature space of the polynomial kernel over binary features. A fragment is a set of at
// most `degree` basic features that are all on in a sample. Its order is the size of the set.
//
// In a dependency tree the basic features are the features of its arcs, as in the space `dep`. The options of
// dep choose them. A feature is on if at least one arc has it. In a constituency tree the basic features are
// the indices of nonzero values in the sample's own sparse vectors (svmtk |BV|).
//
// A set occurs once in each sample that has it, so support and occurrences are equal.
//
// A step of a code is (0, symbol). The symbols are those of index.Features, ascending.
//
// Where to start reading: this file has the options, and basic.go the basic features. Package projection
// grows and matches samples; packgrow.go and packfollow.go grow and match the candidates of lists.
package poly

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"fstore/index"
	"fstore/index/dep"
	"fstore/index/internal/option"
)

const (
	defaultDegree = 2
	// maxDegree keeps the values of fragments within a float64.
	maxDegree = 64
)

// Space is the poly space with some options.
type Space struct {
	degree int
	arcs   *dep.ArcFeatures
	value  []float64 // the value of a set by its size, see valuesOf
}

// New makes a space from its options, see Options. It calls values(name) to get the values given for an
// option.
func New(values func(name string) []string) (*Space, error) {
	s := &Space{degree: defaultDegree}
	text, ok, err := option.Values(values).One("degree")
	if err != nil {
		return nil, err
	}
	if ok {
		if s.degree, err = strconv.Atoi(text); err != nil || s.degree < 1 || s.degree > maxDegree {
			return nil, fmt.Errorf("option degree=%s: a number from 1 to %d", text, maxDegree)
		}
	}
	if s.arcs, err = dep.NewArcFeatures(values); err != nil {
		return nil, err
	}
	s.value = valuesOf(s.degree)
	return s, nil
}

// valuesOf returns the value √N(d,r) of a set of r features, for each r, in the kernel of degree d. N(d,r) is
// the number of products of d factors in which each feature occurs. A factor is 1 or a feature:
//
//	N(d,r) = (r+1)·N(d-1,r) + r·N(d-1,r-1)
//
// In the first term, the first d-1 factors have all r features. In the second, they lack one, which is the
// last factor.
func valuesOf(degree int) []float64 {
	n := make([]float64, degree+1)
	n[0] = 1
	for range degree {
		for r := degree; r >= 1; r-- {
			n[r] = float64(float64(r+1)*n[r]) + float64(float64(r)*n[r-1])
		}
	}
	for r, x := range n {
		n[r] = math.Sqrt(x)
	}
	return n
}

// Relations implements index.Relating.
func (s *Space) Relations() bool { return s.arcs.Relations() }

// ID implements index.Space.
func (s *Space) ID() string {
	all := s.arcs.Options()
	if s.degree != defaultDegree {
		all = append([]string{"degree=" + strconv.Itoa(s.degree)}, all...)
	}
	if len(all) == 0 {
		return "poly"
	}
	return "poly:" + strings.Join(all, ",")
}

// ValueOf implements index.Sized, see valuesOf.
func (s *Space) ValueOf(order int) float64 {
	if order >= len(s.value) {
		return 0
	}
	return s.value[order]
}

// Parts appends, for each feature of c, the set c without this feature.
func (s *Space) Parts(dst []index.Code, c index.Code, _ *index.Symbols) []index.Code {
	steps, ok := c.Steps(nil)
	if !ok || len(steps) < 2 {
		return dst
	}
	for i := range steps {
		p := index.EncodeSteps(nil, steps[:i])
		dst = append(dst, index.EncodeSteps(p, steps[i+1:]))
	}
	return dst
}

var errEmpty = errors.New("the empty set is no fragment")

func (s *Space) checkSize(n int) error {
	switch {
	case n == 0:
		return errEmpty
	case n > s.degree:
		return fmt.Errorf("%d features: the space %s has sets of up to %d (option degree)", n, s.ID(), s.degree)
	}
	return nil
}

// Options describes what New reads.
var Options = append([]option.Doc{
	{Name: "degree", Values: []string{"D"}, Default: strconv.Itoa(defaultDegree), Help: "of the kernel, and the largest size of a set, at most " + strconv.Itoa(maxDegree) + "; of arcs, the features are chosen as in dep"},
}, dep.ArcOptions...)

// Columns implements index.ColumnReading.
func (s *Space) Columns() []string { return s.arcs.Columns() }
