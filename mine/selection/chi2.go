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
// without the fragment, and with and without a label. With several labels, each label is tested against all
// other samples, and the largest χ² is the score.
//
// Let Nc of the N samples have the label. A fragment occurs in Ouc of these samples, and in O of the others.
// Its extensions occur in no further samples. So the fragment or an extension can reach a χ² of τ only if
//
//	Ouc ≥ τ·N·Nc/(N(N-Nc)+τ·Nc)  or  O ≥ τ·N(N-Nc)/(N·Nc+τ(N-Nc))
//
// (mine/README.md, "Bounds"). χ² itself is computed only for these fragments.
//
// With a level, a fragment also needs a p-value of at most the level for some label. Only fragments with a
// large enough Ouc or O can have one (see atLevel).
type ChiSquared struct {
	classes []chiClass
	n       float64 // number of samples
	tests   int     // how many classes are tested: the first of classes
	level   float64 // the largest p-value that is kept; 1 keeps all, noLevel none

	only   []uint8  // if there is one class: index.Weights.Class
	starts []uint32 // if there are several: the classes of sample s are
	of     []uint32 // of[starts[s]:starts[s+1]]
}

type chiClass struct {
	samples float64
	// To reach the level, a fragment needs support `with` in the class, or support `without` outside it.
	with, without uint32
}

// NewChiSquared returns the test of fragments against one or more classes. A class is the set of samples that
// have a label; classes may overlap. The test leaves out the samples in leftOut; nil leaves out none.
func NewChiSquared(samples uint32, leftOut *roaring.Bitmap, classes []*roaring.Bitmap) *ChiSquared {
	x := &ChiSquared{n: float64(samples), tests: len(classes), level: 1}
	if leftOut != nil {
		x.n -= float64(leftOut.GetCardinality())
		classes = slices.Clone(classes)
		for i, c := range classes {
			classes[i] = roaring.AndNot(c, leftOut)
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
	// If every sample has exactly one of two labels, both tests have the same result and count as one.
	if a, b := classes[0], classes[1]; len(classes) == 2 && !a.Intersects(b) && float64(roaring.Or(a, b).GetCardinality()) == x.n {
		x.tests = 1
	}
	return x
}

// grouped sorts values into n rows: row i is values[starts[i]:starts[i+1]]. The function `putAll` must call
// put for every value. It is called twice, and must make the same calls both times.
func grouped[T any](n uint32, putAll func(put func(row uint32, x T))) (starts []uint32, values []T) {
	starts = make([]uint32, n+1)
	putAll(func(row uint32, _ T) { starts[row+1]++ })
	for i := range n {
		starts[i+1] += starts[i]
	}
	values = make([]T, starts[n])
	next := slices.Clone(starts[:n])
	putAll(func(row uint32, x T) {
		values[next[row]] = x
		next[row]++
	})
	return starts, values
}

// atLevel returns a copy of x that keeps only p-values of at most level.
func (x *ChiSquared) atLevel(level float64) *ChiSquared {
	y := *x
	y.level, y.classes = level, slices.Clone(x.classes)
	for k := range y.classes {
		c := &y.classes[k]
		c.with, c.without = y.leastAlike(c.samples), y.leastAlike(y.n-c.samples)
	}
	return &y
}

// leastAlike returns the least support that reaches the level, for a fragment whose samples are all in one
// group of this size.
func (x *ChiSquared) leastAlike(size float64) uint32 {
	return leastCount(uint32(size), func(o uint32) bool {
		return association.AtMost(association.AllLabelled(float64(o), size, x.n), x.level)
	})
}

// leastCount returns the smallest count for which isEnough is true, or the largest uint32 if that count is
// above the limit. isEnough must remain true for all larger counts.
func leastCount(limit uint32, isEnough func(uint32) bool) uint32 {
	if n := sort.Search(int(limit)+1, func(o int) bool { return isEnough(uint32(o)) }); n <= int(limit) {
		return uint32(n)
	}
	return math.MaxUint32
}

// Columns implements Objective. The columns are:
//   - the index of the label with the largest χ²
//   - the number of samples with the label and the fragment
//   - the number expected by chance
//   - the exact p-value of this test alone
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
			better := chi2 > best || chi2 == best && x.enriched(k, o, support) && !x.enriched(label, observed[label], support)
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

// observe fills counts with the number of samples of extension i in each class, and returns counts.
func (x *ChiSquared) observe(counts []uint32, b *index.Batch, i int) []uint32 {
	if x.only != nil {
		counts[0] = uint32(b.A[i])
		return counts
	}
	clear(counts)
	samples := b.SamplesOf(i)
	for j, s := range samples {
		if j > 0 && samples[j-1] == s {
			continue
		}
		for _, k := range x.classesOf(s) {
			counts[k]++
		}
	}
	return counts
}

// thresholds returns two limits for each class k: only fragments with at least with[k] samples in the class,
// or without[k] outside it, can reach the level and a χ² of tau. The results use the memory of `room`.
func (x *ChiSquared) thresholds(tau float64, room []uint32) (with, without []uint32) {
	n := len(x.classes)
	with, without = room[:n], room[n:2*n]
	for k, c := range x.classes {
		rest := x.n - c.samples
		with[k] = max(c.with, least32(x.leastOf(tau, c.samples, rest)))
		without[k] = max(c.without, least32(x.leastOf(tau, rest, c.samples)))
	}
	return with, without
}

// leastOf returns how many samples a fragment needs for a χ² of tau, if it occurs only in a group of nc
// samples.
func (x *ChiSquared) leastOf(tau, nc, rest float64) float64 {
	switch {
	case tau <= 0:
		return 0
	case nc == 0:
		return math.Inf(1)
	}
	return tau * nc / (rest + tau*nc/x.n)
}

// least32 rounds x up to a whole number, with judge.BoundSlack against rounding errors in x.
func least32(x float64) uint32 {
	x = math.Ceil(x * judge.BoundSlack)
	if !(x < math.MaxUint32) { // no number of samples is so large
		return math.MaxUint32
	}
	return uint32(max(x, 0))
}

// table returns the 2×2 table of a class and a fragment.
func (x *ChiSquared) table(class int, observed, support uint32) association.Table {
	return association.TableOf(float64(observed), float64(support), x.classes[class].samples, x.n)
}

func (x *ChiSquared) chi2(class int, observed, support uint32) float64 {
	return x.table(class, observed, support).ChiSquared()
}

func (x *ChiSquared) reaches(class int, observed, support uint32) bool {
	return x.level >= 1 || association.AtMost(x.pvalue(class, observed, support), x.level)
}

// pvalue returns the p-value, or any number above the level if the p-value is above the level.
func (x *ChiSquared) pvalue(class int, observed, support uint32) float64 {
	return x.table(class, observed, support).ExactWithin(association.Largest(x.level))
}

// statistics returns the values of the columns (see Columns).
func (x *ChiSquared) statistics(class int, observed, support uint32) [4]float64 {
	return [4]float64{float64(class), float64(observed), x.expected(class, support), x.table(class, observed, support).Exact()}
}

func (x *ChiSquared) has(sample, class uint32) bool {
	return slices.Contains(x.classesOf(sample), class)
}

// firstClass contains only the class 0, so that classesOf need not allocate a slice.
var firstClass = []uint32{0}

// classesOf returns the classes of a sample, ascending. The caller must not change the list.
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

// enriched says whether the class is more frequent with the fragment than expected by chance.
func (x *ChiSquared) enriched(class int, observed, support uint32) bool {
	return float64(observed) > x.expected(class, support)
}

// chiSquaredOf returns the test of fragments against labels. It takes the samples below the id `samples` that
// are not in leftOut.
func chiSquaredOf(st *store.Store, labels []string, samples uint32, leftOut *roaring.Bitmap) (*ChiSquared, error) {
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
	return NewChiSquared(samples, leftOut, classes), nil
}
