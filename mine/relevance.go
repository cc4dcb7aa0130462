package mine

import (
	"math"

	"fstore/index"
	"fstore/mine/svm"
)

// Relevance scores a fragment by its weight in the gradient of a kernel machine (Pighin &
// Moschitti 2010, eq. 6; ALGORITHMS.md §3.1):
//
//	w(f) = λ^(s/2) · (A − B),  A, B = Σ αᵢ t/‖xᵢ‖ over positive and negative vectors
//
// Extensions have fewer occurrences and lower values, so that of what is strictly below f
// nothing exceeds λ^((s+1)/2)·max(A, B).
//
// What it judges grows from the components of the model (svm.Gradient): a subtree that
// many vectors share is one sample, whose weight is the sum of theirs, which makes the
// bound the tighter. Judge sets the support and the occurrences of what it keeps to those
// in the vectors.
type Relevance struct {
	g      *svm.Gradient
	values []float64 // of one occurrence of a fragment of each order
	count  bool      // whether support and occurrences are wanted

	starts []uint32 // component c is in vectors[starts[c]:starts[c+1]],
	vector []uint32
	times  []uint32 // so many times
	most   uint32   // vectors of the model
}

// NewRelevance scores by the gradient of a machine whose kernel is k. Without count,
// support and occurrences are those in its components.
func NewRelevance(k svm.Kernel, g *svm.Gradient, count bool) *Relevance {
	x := &Relevance{g: g, count: count}
	for order := range g.Nodes + 2 { // no fragment has more building blocks than there are nodes
		v := k.Space.Value(order, index.Match{Count: 1}, k.Lambda)
		x.values = append(x.values, v)
		if v == 0 {
			break
		}
	}
	if count {
		x.invert()
	}
	return x
}

// invert lists the vectors of each component.
func (x *Relevance) invert() {
	x.starts = make([]uint32, x.g.Merged.Components()+1)
	for _, v := range x.g.Vectors {
		components, _ := x.g.Merged.Of(v)
		for _, c := range components {
			x.starts[c+1]++
		}
		x.most = max(x.most, uint32(v)+1)
	}
	for c := 1; c < len(x.starts); c++ {
		x.starts[c] += x.starts[c-1]
	}
	n := x.starts[len(x.starts)-1]
	x.vector, x.times = make([]uint32, n), make([]uint32, n)
	next := append([]uint32(nil), x.starts...)
	for _, v := range x.g.Vectors {
		components, counts := x.g.Merged.Of(v)
		for i, c := range components {
			x.vector[next[c]], x.times[next[c]] = uint32(v), counts[i]
			next[c]++
		}
	}
}

// value is that of one occurrence of a fragment.
func (x *Relevance) value(order int) float64 {
	if order < len(x.values) {
		return x.values[order]
	}
	return 0
}

// Name implements Objective.
func (*Relevance) Name() string { return "relevance" }

// Columns implements Objective: none beside support and occurrences in the vectors.
func (*Relevance) Columns() []string { return nil }

// Weights implements Objective.
func (x *Relevance) Weights() index.Weights { return index.Weights{Occ: x.g.Weights} }

// Samples implements Objective.
func (x *Relevance) Samples() bool { return x.count }

// Judge implements Objective.
func (x *Relevance) Judge(b *index.Batch, least float64, v *Verdicts) {
	for i := range b.Support {
		order := b.OrderOf(i)
		score := x.value(order) * (b.A[i] - b.B[i])
		b.Descend[i] = x.value(order+1)*max(b.A[i], b.B[i]) >= least*boundSlack
		if math.Abs(score) < least || score == 0 {
			continue
		}
		v.Keep[i], v.Score[i], v.Weight[i] = true, score, score
		if x.count {
			b.Support[i], b.Occ[i] = x.counts(b.SamplesOf(i), v)
		}
	}
}

// sums are A and B of what occurs in these components.
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

// counts are the vectors that have an extension, and its occurrences in them; components
// are where it occurs. The last element of v.room is the number of calls so far, and
// those before it say in which of them a vector was last counted.
func (x *Relevance) counts(components []uint32, v *Verdicts) (support, occ uint32) {
	if len(v.room) != int(x.most)+1 || v.room[x.most] == math.MaxUint32 {
		v.room = zeroed(v.room, int(x.most)+1)
	}
	v.room[x.most]++
	call := v.room[x.most]
	for _, c := range components {
		for n := x.starts[c]; n < x.starts[c+1]; n++ {
			if occ += x.times[n]; v.room[x.vector[n]] != call {
				v.room[x.vector[n]] = call
				support++
			}
		}
	}
	return support, occ
}

// wholeShare is what share makes of all of ‖w‖².
const wholeShare = 1 << 62

// share is the part of ‖w‖² that a fragment of this score is, as a whole number of
// 2⁻⁶²: these add up the same in any order.
func (x *Relevance) share(score float64) uint64 {
	s := score * score / x.g.Norm * wholeShare
	if !(s < wholeShare) {
		return wholeShare
	}
	return uint64(s)
}
