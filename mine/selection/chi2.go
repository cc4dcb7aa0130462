package selection

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/judge"
	"fstore/mine/query"
	"fstore/store"
)

// ChiSquared scores a fragment by χ² (Suzuki & Isozaki 2005). The 2×2 table counts the samples with and
// without the fragment, and with and without a label. With several labels, each label is tested against the
// rest, and the largest χ² counts.
//
// Let a fragment occur in Ouc samples with the label and in O = Ou-Ouc samples without the label. A fragment
// below it has the largest possible χ² if it occurs in exactly the Ouc samples, or in exactly the O samples.
// Let Nc of N samples have the label. Then the fragment, or a fragment below it, can reach τ only if
//
//	Ouc ≥ τ·N·Nc/(N(N-Nc)+τ·Nc)  or  O ≥ τ·N(N-Nc)/(N·Nc+τ(N-Nc))
//
// (mine/README.md, "Bounds"). χ² itself is computed only for these fragments.
//
// If a level is set, a fragment also needs a p-value of at most the level, for some label. If the label is
// more frequent with the fragment than expected by chance, the p-value is at least the probability that Ouc
// samples all have the label. If it is less frequent, the p-value is at least the probability that O samples
// all lack it. So the level gives two thresholds of support as well, see within.
type ChiSquared struct {
	classes []chiClass
	n       float64 // number of samples
	tests   int     // the first classes, for which a fragment is a hypothesis
	level   float64 // the largest p-value that is kept; 1 keeps all, noLevel none

	only   []uint8  // if there is one class: index.Weights.Class
	starts []uint32 // if there are several: the classes of sample s are
	of     []uint32 // of[starts[s]:starts[s+1]]
}

// chiClass holds the numbers of one class.
type chiClass struct {
	samples float64
	// To reach the level, a fragment needs this many samples with the label, or that many without the label.
	with, without uint32
}

// NewChiSquared returns the test of a fragment against each of one or more classes. A class is the set of
// samples that have a label. A sample can be in several classes, or in no class. The samples in the set
// without, which can be nil, are left out.
func NewChiSquared(samples uint32, without *roaring.Bitmap, classes []*roaring.Bitmap) *ChiSquared {
	x := &ChiSquared{n: float64(samples), tests: len(classes), level: 1}
	if without != nil {
		x.n -= float64(without.GetCardinality())
		classes = slices.Clone(classes)
		for i, c := range classes {
			classes[i] = roaring.AndNot(c, without)
		}
	}
	for _, c := range classes {
		x.classes = append(x.classes, chiClass{samples: float64(c.GetCardinality())})
	}
	if len(classes) == 1 {
		x.only = make([]uint8, samples)
		for i := range x.only {
			x.only[i] = 2
		}
		for it := classes[0].Iterator(); it.HasNext(); {
			x.only[it.Next()] = 1
		}
		return x
	}
	x.starts, x.of = grouped(samples, func(put func(sample, class uint32)) {
		for k, c := range classes {
			for it := c.Iterator(); it.HasNext(); {
				put(it.Next(), uint32(k))
			}
		}
	})
	// If every sample has exactly one of two labels, both tests are the same test.
	if a, b := classes[0], classes[1]; len(classes) == 2 && !a.Intersects(b) && float64(roaring.Or(a, b).GetCardinality()) == x.n {
		x.tests = 1
	}
	return x
}

// grouped distributes values to n rows. It calls the function each, which must call put for each row and
// value. Row i is then all[starts[i]:starts[i+1]], in the order of the calls of put. grouped runs each twice.
func grouped[T any](n uint32, each func(put func(row uint32, x T))) (starts []uint32, all []T) {
	starts = make([]uint32, n+1)
	each(func(row uint32, _ T) { starts[row+1]++ })
	for i := range n {
		starts[i+1] += starts[i]
	}
	all = make([]T, starts[n])
	next := slices.Clone(starts[:n])
	each(func(row uint32, x T) {
		all[next[row]] = x
		next[row]++
	})
	return starts, all
}

// within returns a copy of x that keeps only p-values of at most level.
func (x *ChiSquared) within(level float64) *ChiSquared {
	y := *x
	y.level, y.classes = level, slices.Clone(x.classes)
	for k := range y.classes {
		c := &y.classes[k]
		c.with, c.without = y.leastAlike(c.samples), y.leastAlike(y.n-c.samples)
	}
	return &y
}

// leastAlike returns a threshold of support for the level: the least number of samples that can reach it if
// all are in one class. The parameter among is the size of the class.
func (x *ChiSquared) leastAlike(among float64) uint32 {
	return leastCount(uint32(among), func(o uint32) bool {
		return association.AtMost(association.AllLabelled(float64(o), among, x.n), x.level)
	})
}

// leastCount returns the smallest count, up to most, for which the function enough returns true. The function
// must return true for all larger counts too. If there is no such count, leastCount returns the largest
// uint32.
func leastCount(most uint32, enough func(uint32) bool) uint32 {
	if n := sort.Search(int(most)+1, func(o int) bool { return enough(uint32(o)) }); n <= int(most) {
		return uint32(n)
	}
	return math.MaxUint32
}

// Columns implements Objective. The columns are (1) the label with the largest χ², as its number from 0, (2)
// the number of samples with the label and the fragment, (3) the number expected by chance, (4) the exact
// p-value of this one test.
func (*ChiSquared) Columns() []string {
	return []string{query.LabelColumn, query.ObservedColumn, "expected", query.PValueColumn}
}

// Weights implements Objective.
func (x *ChiSquared) Weights() index.Weights { return index.Weights{Class: x.only} }

// Samples implements Objective.
func (x *ChiSquared) Samples() bool { return x.only == nil }

// Judge implements Objective.
func (x *ChiSquared) Judge(b *index.Batch, least float64, v *judge.Verdicts) {
	n := len(x.classes)
	v.Room = judge.Zeroed(v.Room, 3*n)
	with, without := x.thresholds(least, v.Room)
	for i, support := range b.Support {
		observed := x.observe(v.Room[2*n:], b, i)
		best, label := -1.0, 0
		for k, o := range observed {
			if o < with[k] && support-o < without[k] {
				continue
			}
			b.Descend[i] = true
			chi2 := x.chi2(k, o, support)
			better := chi2 > best || chi2 == best && x.over(k, o, support) && !x.over(label, observed[label], support)
			if better && x.reaches(k, o, support) {
				best, label = chi2, k
			}
		}
		if best < least {
			continue
		}
		v.Keep[i], v.Score[i] = true, best
		stats := x.statistics(label, observed[label], support)
		copy(v.Stats[i*len(stats):], stats[:])
	}
}

// observe counts the samples of extension i in each class.
func (x *ChiSquared) observe(observed []uint32, b *index.Batch, i int) []uint32 {
	if x.only != nil {
		observed[0] = uint32(b.A[i])
		return observed
	}
	clear(observed)
	samples := b.SamplesOf(i)
	for j, s := range samples {
		if j > 0 && samples[j-1] == s {
			continue
		}
		for _, k := range x.classesOf(s) {
			observed[k]++
		}
	}
	return observed
}

// thresholds returns two numbers of samples for each class. A fragment can reach the χ² in least, and the
// level, only if it has that many samples with the label (with), or that many samples without the label
// (without). The results are stored in room.
func (x *ChiSquared) thresholds(least float64, room []uint32) (with, without []uint32) {
	n := len(x.classes)
	with, without = room[:n], room[n:2*n]
	for k, c := range x.classes {
		rest := x.n - c.samples
		with[k] = max(c.with, least32(x.leastOf(least, c.samples, rest)))
		without[k] = max(c.without, least32(x.leastOf(least, rest, c.samples)))
	}
	return with, without
}

// leastOf returns the least number of samples with which a fragment can reach a χ² of tau, if it occurs in no
// samples but some of the nc samples.
func (x *ChiSquared) leastOf(tau, nc, rest float64) float64 {
	switch {
	case tau <= 0:
		return 0
	case nc == 0:
		return math.Inf(1)
	}
	return tau * nc / (rest + tau*nc/x.n)
}

// least32 rounds x up to a whole number.
func least32(x float64) uint32 {
	x = math.Ceil(x * judge.BoundSlack)
	if !(x < math.MaxUint32) { // no number of samples is so large
		return math.MaxUint32
	}
	return uint32(max(x, 0))
}

// table returns the 2×2 table of a fragment and a class.
func (x *ChiSquared) table(class int, observed, support uint32) association.Table {
	return association.TableOf(float64(observed), float64(support), x.classes[class].samples, x.n)
}

func (x *ChiSquared) chi2(class int, observed, support uint32) float64 {
	return x.table(class, observed, support).ChiSquared()
}

// reaches says whether the p-value is at most the level.
func (x *ChiSquared) reaches(class int, observed, support uint32) bool {
	return x.level >= 1 || association.AtMost(x.pvalue(class, observed, support), x.level)
}

// pvalue returns the p-value. If the p-value is above the level, the result can be any number above the
// level.
func (x *ChiSquared) pvalue(class int, observed, support uint32) float64 {
	return x.table(class, observed, support).ExactWithin(association.Largest(x.level))
}

// statistics returns the values of Columns.
func (x *ChiSquared) statistics(class int, observed, support uint32) [4]float64 {
	return [4]float64{float64(class), float64(observed), x.expected(class, support), x.table(class, observed, support).Exact()}
}

// has says whether a sample is in a class.
func (x *ChiSquared) has(sample, class uint32) bool {
	return slices.Contains(x.classesOf(sample), class)
}

// firstClass lists the only class.
var firstClass = []uint32{0}

// classesOf returns the classes of a sample.
func (x *ChiSquared) classesOf(sample uint32) []uint32 {
	switch {
	case x.only == nil:
		return x.of[x.starts[sample]:x.starts[sample+1]]
	case x.only[sample] == 1:
		return firstClass
	}
	return nil
}

func (x *ChiSquared) expected(class int, support uint32) float64 {
	return x.classes[class].samples / x.n * float64(support)
}

// The result of over is whether the class is more frequent with the fragment than expected by chance.
func (x *ChiSquared) over(class int, observed, support uint32) bool {
	return float64(observed) > x.expected(class, support)
}

// chiSquaredOf returns the test against labels among the first samples of a store. The samples in the set
// without, which can be nil, are left out.
func chiSquaredOf(st *store.Store, labels []string, samples uint32, without *roaring.Bitmap) (*ChiSquared, error) {
	var classes []*roaring.Bitmap
	for _, label := range labels {
		bm, err := st.LabelBitmap(label)
		if err != nil {
			return nil, err
		}
		if !bm.IsEmpty() && bm.Maximum() >= st.Meta().Samples {
			return nil, &store.Error{Dir: st.Dir(), Kind: store.ErrDamaged, Detail: fmt.Sprintf("label %q names sample %d of %d", label, bm.Maximum(), st.Meta().Samples)}
		}
		bm.RemoveRange(uint64(samples), math.MaxUint32+1)
		classes = append(classes, bm)
	}
	return NewChiSquared(samples, without, classes), nil
}
