package selection

import (
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/judge"
	"fstore/mine/query"
)

// Class is a label that a fragment is tested against, and the samples that have it. A
// sample may be in several, or in none.
type Class struct {
	Label   string
	Samples *roaring.Bitmap
}

// ChiSquared scores a fragment by the χ² of the 2×2 table of samples with and without
// it, and with and without a label (Suzuki & Isozaki 2005): of several labels, each
// against the rest, the largest.
//
// Below a fragment with Ouc samples with the label and O = Ou-Ouc without it, χ² is at
// most that of Ouc samples with it alone, or of O without it alone: so neither a
// fragment nor any below it reaches τ unless, of N samples, Nc with the label,
//
//	Ouc ≥ τ·N·Nc/(N(N-Nc)+τ·Nc)  or  O ≥ τ·N(N-Nc)/(N·Nc+τ(N-Nc))
//
// (ALGORITHMS.md §3). χ² itself is computed for these only.
type ChiSquared struct {
	classes []chiClass
	n       float64 // samples
	tests   float64

	only   []uint8  // where there is one class: index.Weights.Class
	starts []uint32 // where there are several, the classes of sample s:
	of     []uint32 // of[starts[s]:starts[s+1]]
}

// chiClass is a class in numbers.
type chiClass struct {
	label   string
	samples float64
}

// NewChiSquared tests against each of classes, of which there is at least one, among
// this many samples, but for those of without, which may be nil: no fragment occurs in them.
func NewChiSquared(samples uint32, without *roaring.Bitmap, classes []Class) *ChiSquared {
	x := &ChiSquared{n: float64(samples), tests: float64(len(classes))}
	if without != nil {
		x.n -= float64(without.GetCardinality())
		classes = slices.Clone(classes)
		for i, c := range classes {
			classes[i].Samples = roaring.AndNot(c.Samples, without)
		}
	}
	for _, c := range classes {
		x.classes = append(x.classes, chiClass{c.Label, float64(c.Samples.GetCardinality())})
	}
	if len(classes) == 1 {
		x.only = make([]uint8, samples)
		for i := range x.only {
			x.only[i] = 2
		}
		for it := classes[0].Samples.Iterator(); it.HasNext(); {
			x.only[it.Next()] = 1
		}
		return x
	}
	x.group(samples, classes)
	// Of two labels of which every sample has one, the two tests are one.
	if a, b := classes[0].Samples, classes[1].Samples; len(classes) == 2 && !a.Intersects(b) && float64(roaring.Or(a, b).GetCardinality()) == x.n {
		x.tests = 1
	}
	return x
}

// group lists the classes of each sample.
func (x *ChiSquared) group(samples uint32, classes []Class) {
	x.starts = make([]uint32, samples+1)
	for _, c := range classes {
		for it := c.Samples.Iterator(); it.HasNext(); {
			x.starts[it.Next()+1]++
		}
	}
	for s := range samples {
		x.starts[s+1] += x.starts[s]
	}
	x.of = make([]uint32, x.starts[samples])
	next := append([]uint32(nil), x.starts[:samples]...)
	for k, c := range classes {
		for it := c.Samples.Iterator(); it.HasNext(); {
			s := it.Next()
			x.of[next[s]] = uint32(k)
			next[s]++
		}
	}
}

// Name implements Objective.
func (*ChiSquared) Name() string { return "chi2" }

// Columns implements Objective: the number of the label with the largest χ², of those
// tested in their order from 0; the samples with the fragment and that label, and what
// chance would make them; and the probability of such a χ² by chance in this one test.
func (*ChiSquared) Columns() []string {
	return []string{query.LabelColumn, query.ObservedColumn, "expected", "pvalue"}
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
	observed := v.Room[2*n:]
	for i, support := range b.Support {
		if x.only != nil {
			observed[0] = uint32(b.A[i])
		} else {
			x.count(observed, b, i)
		}
		best, label := -1.0, 0
		for k, o := range observed {
			if o < with[k] && support-o < without[k] {
				continue
			}
			b.Descend[i] = true
			if chi2 := x.chi2(k, o, support); chi2 > best || chi2 == best && x.over(k, o, support) && !x.over(label, observed[label], support) {
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

// count counts the samples of extension i in each class.
func (x *ChiSquared) count(observed []uint32, b *index.Batch, i int) {
	clear(observed)
	samples := b.SamplesOf(i)
	for j, s := range samples {
		if j > 0 && samples[j-1] == s {
			continue
		}
		for _, k := range x.of[x.starts[s]:x.starts[s+1]] {
			observed[k]++
		}
	}
}

// thresholds are, for each class, the samples with and without it that a fragment needs
// one of; they are put into room.
func (x *ChiSquared) thresholds(least float64, room []uint32) (with, without []uint32) {
	n := len(x.classes)
	with, without = room[:n], room[n:2*n]
	for k, c := range x.classes {
		rest := x.n - c.samples
		with[k] = least32(x.leastOf(least, c.samples, rest))
		without[k] = least32(x.leastOf(least, rest, c.samples))
	}
	return with, without
}

// leastOf is how many of nc samples, and no other, have a χ² of at least tau.
func (x *ChiSquared) leastOf(tau, nc, rest float64) float64 {
	switch {
	case tau <= 0:
		return 0
	case nc == 0:
		return math.Inf(1)
	}
	return tau * nc / (rest + tau*nc/x.n)
}

// least32 is the least count that is not below x.
func least32(x float64) uint32 {
	x = math.Ceil(x * judge.BoundSlack)
	if !(x < math.MaxUint32) { // no count of samples is
		return math.MaxUint32
	}
	return uint32(max(x, 0))
}

func (x *ChiSquared) chi2(class int, observed, support uint32) float64 {
	o, c := float64(observed), x.classes[class].samples
	u := float64(support)
	return association.Table{O11: o, O12: u - o, O21: c - o, O22: x.n - c - u + o}.ChiSquared()
}

// statistics are those of Columns.
func (x *ChiSquared) statistics(class int, observed, support uint32) [4]float64 {
	return [4]float64{float64(class), float64(observed), x.expected(class, support), association.PValue(x.chi2(class, observed, support))}
}

// has says whether a sample is in a class.
func (x *ChiSquared) has(sample, class uint32) bool {
	if x.only != nil {
		return class == 0 && x.only[sample] == 1
	}
	return slices.Contains(x.of[x.starts[sample]:x.starts[sample+1]], class)
}

func (x *ChiSquared) expected(class int, support uint32) float64 {
	return x.classes[class].samples / x.n * float64(support)
}

// over says whether a fragment goes with a class, and not against it.
func (x *ChiSquared) over(class int, observed, support uint32) bool {
	return float64(observed) > x.expected(class, support)
}
