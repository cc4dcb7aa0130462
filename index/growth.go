package index

import "math"

// Items are samples in the flat form that growth reads. After Seal they are read-only, and goroutines
// share them.
type Items interface {
	// Add appends the parts of t that growth in r needs. The ids of samples must ascend.
	Add(sample uint32, t *Tree, r Range, l Limits)
	// Seal must be called after the last Add and before Grow.
	Seal()
	// Grow visits the fragments whose first step lies in r, in code order. Each call of v gets all extensions
	// of one pattern.
	Grow(r Range, w Weights, l Limits, v Visitor) (Counts, error)
	// Bytes is the memory that the items take, in bytes.
	Bytes() int64
	// Reset removes all samples and keeps the memory for other samples.
	Reset()
}

// Tally counts the occurrences and samples of each first step. Callers of Grow use it to divide the first
// steps into ranges.
type Tally struct{ rows [][]tallied } // by Off and Sym

// tallied has the counts of one first step. `last` is the id of the last sample with this step, plus 1.
type tallied struct{ occ, support, last uint32 }

// Add counts one occurrence of s in a sample. The ids of samples must ascend.
func (t *Tally) Add(s Step, sample uint32) {
	for int(s.Off) >= len(t.rows) {
		t.rows = append(t.rows, nil)
	}
	row := &t.rows[s.Off]
	if n := int(s.Sym) + 1; n > len(*row) {
		*row = append(*row, make([]tallied, n+n/2-len(*row))...)
	}
	x := &(*row)[s.Sym]
	x.occ++
	if x.last != sample+1 {
		x.last = sample + 1
		x.support++
	}
}

// Support is the number of samples that have first step s.
func (t *Tally) Support(s Step) uint32 {
	if int(s.Off) >= len(t.rows) || int(s.Sym) >= len(t.rows[s.Off]) {
		return 0
	}
	return t.rows[s.Off][s.Sym].support
}

// Each calls f for every counted first step, ascending.
func (t *Tally) Each(f func(s Step, occ, support uint32)) {
	for off, row := range t.rows {
		for sym, x := range row {
			if x.occ > 0 {
				f(Step{uint32(off), uint32(sym)}, x.occ, x.support)
			}
		}
	}
}

// Range is the interval [Lo, Hi) of packed first steps. If Hi2 is not 0, there is one first step, and the
// second steps lie in [Lo2, Hi2). Only a Splitter gets such a range.
type Range struct{ Lo, Hi, Lo2, Hi2 uint64 }

// All is the range of every fragment.
var All = Range{Hi: math.MaxUint64}

// Contains says whether the packed first step p lies in r.
func (r Range) Contains(p uint64) bool { return r.Lo <= p && p < r.Hi }

// End returns a code above all codes of r, or nil if r has no upper limit.
func (r Range) End() Code {
	if r.Hi == All.Hi {
		return nil
	}
	return EncodeSteps(nil, []Step{Unpack(r.Hi)})
}

// Limits bound growth. The zero value bounds nothing.
type Limits struct {
	MinSupport uint32 // extensions with less support are counted, not visited
	MaxOrder   int    // 0: any
	Closed     bool   // fill Batch.Closed, and skip branches without closed fragments
	NoSamples  bool   // leave Batch.Sample empty
}

// Weights has at most one of two lists:
//   - Class: the class of each sample (1 = A, 2 = B). A sample counts once.
//   - Occ: a signed weight for each sample. Every occurrence counts. Sums add the samples in ascending order.
type Weights struct {
	Class []uint8
	Occ   []float64
	// Lambda, if set, is the decay of the kernel. Weights in Occ are then multiplied by the fragment's value
	// in the sample, not by the number of occurrences. Lambda needs Occ and a Valued space.
	Lambda float64
	// Among says, by sample id, which samples must be counted; nil means all. The other samples do not change
	// the objective.
	Among []bool
}

// Sum returns the sum of the positive weights and the absolute sum of the negative weights, for a fragment
// that occurs counts[i] times in samples[i].
func (w Weights) Sum(samples, counts []uint32) (pos, neg float64) {
	for i, s := range samples {
		if w.Occ != nil {
			if x := float64(w.Occ[s] * float64(counts[i])); x > 0 {
				pos += x
			} else {
				neg -= x
			}
			continue
		}
		switch w.Class[s] {
		case 1:
			pos++
		case 2:
			neg++
		}
	}
	return pos, neg
}

// SumValues is like Sum, with values[i] for the occurrences in samples[i].
func (w Weights) SumValues(samples []uint32, values []float64) (pos, neg float64) {
	for i, s := range samples {
		if x := float64(w.Occ[s] * values[i]); x > 0 {
			pos += x
		} else {
			neg -= x
		}
	}
	return pos, neg
}

// Counts has counts of fragments by order. Candidates are all fragments that growth met, and Below are those
// among them below the support threshold.
type Counts struct{ Candidates, Below []uint64 }

// Count adds candidates of one order. If there are none, it leaves c as it is.
func (c *Counts) Count(order int, candidates, below uint64) {
	if candidates == 0 && below == 0 {
		return
	}
	for order >= len(c.Candidates) {
		c.Candidates = append(c.Candidates, 0)
		c.Below = append(c.Below, 0)
	}
	c.Candidates[order] += candidates
	c.Below[order] += below
}

// Add adds the counts of d, order by order.
func (c *Counts) Add(d Counts) {
	for o := range d.Candidates {
		c.Count(o, d.Candidates[o], d.Below[o])
	}
}

// Batch is all extensions of one pattern within the limits, in code order. Its slices are reused, so a
// Visitor must copy the data that it keeps.
type Batch struct {
	Parent Code // empty for the first steps
	Order  int  // the order of all extensions; 0 if their orders differ, see Orders

	// The code of extension i is Parent + Suffix[SuffixEnd[i-1]:SuffixEnd[i]].
	Suffix    []byte
	SuffixEnd []uint32
	Orders    []int // set if Order is 0

	Support, Occ []uint32
	// Sample[SampleEnd[i-1]:SampleEnd[i]] are the samples of extension i, ascending. Each sample comes once,
	// with its number of occurrences in Count. If Count is nil, it comes once for each occurrence.
	Sample []uint32
	Count  []uint32
	// Places is parallel to Count: the number of different nodes at which the occurrences begin. It is nil if
	// all occurrences begin at different nodes.
	Places    []uint32
	SampleEnd []uint32

	A, B []float64 // sums of the positive and of the negative weights, if there are weights
	// Most[i] is an upper bound of A and B of all fragments that grow from extension i. It is infinite or NaN
	// if no bound is known. Most is set only with Weights.Lambda.
	Most   []float64
	Closed []bool // set with Limits.Closed
	// Descend[i] is false at first. The visitor sets it to true to grow extension i further.
	Descend []bool
}

// Len is the number of extensions.
func (b *Batch) Len() int { return len(b.SuffixEnd) }

// SuffixOf returns the steps that extension i has after the steps of Parent.
func (b *Batch) SuffixOf(i int) []byte { return b.Suffix[from(b.SuffixEnd, i):b.SuffixEnd[i]] }

// SamplesOf returns the samples in which extension i occurs.
func (b *Batch) SamplesOf(i int) []uint32 { return b.of(b.Sample, i) }

// CountsOf returns the number of occurrences in each sample of SamplesOf. It is nil if SamplesOf has an
// element for each occurrence.
func (b *Batch) CountsOf(i int) []uint32 { return b.of(b.Count, i) }

// PlacesOf returns, for each sample of SamplesOf, the number of nodes at which occurrences begin. It is nil
// if all occurrences begin at different nodes.
func (b *Batch) PlacesOf(i int) []uint32 { return b.of(b.Places, i) }

func (b *Batch) of(list []uint32, i int) []uint32 {
	if list == nil {
		return nil
	}
	return list[from(b.SampleEnd, i):b.SampleEnd[i]]
}

// OrderOf is the order of extension i.
func (b *Batch) OrderOf(i int) int {
	if b.Order == 0 {
		return b.Orders[i]
	}
	return b.Order
}

func from(ends []uint32, i int) uint32 {
	if i == 0 {
		return 0
	}
	return ends[i-1]
}

// Visitor receives batches. An error ends growth and is returned by Grow.
type Visitor interface{ Visit(*Batch) error }
