package selection

import (
	"math"

	"fstore/index"
	"fstore/mine/judge"
	"fstore/mine/learn/svm"
)

// Relevance scores a fragment f by its weight in the gradient of a kernel machine, a sum over the vectors xᵢ
// with the signs yᵢ (Pighin & Moschitti 2010, eq. 6; mine/README.md, "Relevance"):
//
//	w(f) = Σ αᵢ yᵢ φ(f, xᵢ)/‖xᵢ‖
//
// φ(f, x) is the value of f in the vector x, and t(f, x) is the number of its occurrences. In most spaces, φ
// is t times a value that depends only on the order of f, such as λ^(order/2) (see index.Value). An extension
// of f has no more occurrences than f, so the |weight| of the extension is at most
//
//	max(P, N) · the largest value of a higher order
//
// P is the sum of αᵢ t(f, xᵢ)/‖xᵢ‖ over the vectors with a positive sign, and N over those with a negative
// sign. In an index.Valued space, growth computes the values and their bounds.
//
// The fragments grow from the components of the model (svm.Gradient). If the kernel merges its trees, a
// subtree that many vectors share is one component with the sum of their weights. This makes the bound
// tighter.
type Relevance struct {
	judge.Plain
	g       *svm.Gradient
	kernel  svm.Config
	weights index.Weights
	values  [tabled]float64 // value of one occurrence of a fragment, by order
	above   [tabled]float64 // largest value of any larger order
	count   bool            // support and occurrences are wanted, and differ from those in the components

	starts []uint32 // the vectors of component c are in[starts[c]:starts[c+1]]
	in     []vectorTimes
	most   uint32 // number of vectors in the model
}

// vectorTimes says how many times a component is in a vector.
type vectorTimes struct{ vector, times uint32 }

// tabled is how many orders have their values in a table. Higher orders have smaller values, usually 0.
const tabled = 128

// NewRelevance returns an objective for the gradient g of a machine with kernel k. If `count` is set, the
// objective counts support and occurrences in the vectors of the model.
func NewRelevance(k svm.Config, g *svm.Gradient, count bool) *Relevance {
	x := &Relevance{g: g, kernel: k, weights: index.Weights{Occ: g.Weights}, count: count && g.Merged != nil}
	if _, ok := k.Space.(index.Valued); ok {
		x.weights.Lambda = k.Lambda
	}
	most := x.valueOf(tabled)
	for order := tabled - 1; order >= 0; order-- {
		x.values[order], x.above[order] = x.valueOf(order), most
		most = max(most, x.values[order])
	}
	if x.count {
		x.starts, x.in = grouped(uint32(g.Merged.Components()), func(put func(component uint32, in vectorTimes)) {
			for _, v := range g.Vectors {
				components, counts := g.Merged.Of(v)
				for i, c := range components {
					put(c, vectorTimes{uint32(v), counts[i]})
				}
				x.most = max(x.most, uint32(v)+1)
			}
		})
	}
	return x
}

// plain returns a copy of x that does not count support and occurrences.
func (x *Relevance) plain() *Relevance {
	p := *x
	p.count = false
	return &p
}

// valueOf computes the value of one occurrence of a fragment in the kernel's space.
func (x *Relevance) valueOf(order int) float64 {
	return index.Value(x.kernel.Space, order, index.Match{Count: 1}, x.kernel.Lambda)
}

// value returns what valueOf returns, but looks up orders below `tabled` in a table.
func (x *Relevance) value(order int) float64 {
	if order < tabled {
		return x.values[order]
	}
	return x.valueOf(order)
}

// valueAbove returns the largest value that a fragment of a higher order can have.
func (x *Relevance) valueAbove(order int) float64 {
	if order < tabled {
		return x.above[order]
	}
	return x.valueOf(order + 1)
}

// Weights implements Objective.
func (x *Relevance) Weights() index.Weights { return x.weights }

// Samples implements Objective.
func (x *Relevance) Samples() bool { return x.count }

// Judge implements Objective.
func (x *Relevance) Judge(b *index.Batch, least float64, v *judge.Verdicts) {
	for i := range b.Support {
		var score, most float64
		if x.weights.Lambda != 0 {
			score, most = b.A[i]-b.B[i], b.Most[i]
		} else {
			order := b.OrderOf(i)
			score = x.value(order) * (b.A[i] - b.B[i])
			most = x.valueAbove(order) * max(b.A[i], b.B[i])
		}
		b.Descend[i] = !(most < least*judge.BoundSlack) // also true if most is no number
		if math.Abs(score) < least || score == 0 {
			continue
		}
		v.Keep[i], v.Score[i], v.Weight[i] = true, score, score
		if x.count {
			b.Support[i], b.Occ[i] = x.counts(b.SamplesOf(i), v)
		}
	}
}

// sums returns the sum of the positive weights of the given components (svm.Gradient), and that of the
// absolute values of the negative ones.
func (x *Relevance) sums(components []uint32) (a, b float64) {
	for _, c := range components {
		if w := x.g.Weights[c]; w > 0 {
			a += w
		} else {
			b -= w
		}
	}
	return a, b
}

// counts returns in how many vectors of the model a fragment with these components occurs, and how many
// times. v.Room marks the vectors that are counted already.
func (x *Relevance) counts(components []uint32, v *judge.Verdicts) (support, occ uint32) {
	if len(v.Room) != int(x.most)+1 || v.Room[x.most] == math.MaxUint32 {
		v.Room = judge.Zeroed(v.Room, int(x.most)+1)
	}
	v.Room[x.most]++
	call := v.Room[x.most]
	for _, c := range components {
		for _, in := range x.in[x.starts[c]:x.starts[c+1]] {
			if occ += in.times; v.Room[in.vector] != call {
				v.Room[in.vector] = call
				support++
			}
		}
	}
	return support, occ
}

// wholeShare is what Share returns for a fragment to which all of ‖w‖² belongs.
const wholeShare = 1 << 62

// Share returns the part of ‖w‖² that belongs to a fragment with this score, in units of 2⁻⁶². Whole numbers
// have the same sum in any order.
func (x *Relevance) Share(score float64) uint64 {
	s := score * score / x.g.Norm * wholeShare
	if !(s < wholeShare) {
		return wholeShare
	}
	return uint64(s)
}
