package index

// Tally counts, by packed first step, occurrences and samples: the loads that
// root ranges are cut by. Counts are dense per Off.
type Tally struct{ rows [][]tallied } // by Off and Sym

// tallied is what is counted of a first step, and the last sample that has it, plus 1.
type tallied struct{ occ, support, last uint32 }

// Add counts one occurrence of s in a sample; samples ascend.
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

// Support is the number of samples that hold first step s.
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

// Limits bound growth. The zero value bounds nothing.
type Limits struct {
	MinSupport uint32 // extensions with less are counted, not visited
	MaxOrder   int    // 0: any
	Closed     bool   // fill Batch.Closed, and skip branches that hold nothing closed
	NoSamples  bool   // leave Batch.Sample empty
}

// Weights holds at most one of Class and Occ. Class (by sample id; 1 = A, 2 = B) counts
// a sample once: chi2, gradient. Occ (by sample id, signed) is summed over
// occurrences in ascending order: relevance.
type Weights struct {
	Class []uint8
	Occ   []float64
	// Lambda, with Occ and for a Valued space only, is the decay of the kernel: what is
	// weighed is the value that a sample gives the fragment, not its occurrences there.
	Lambda float64
	// Among says, by sample id, which samples count. A space may count the others as well: an
	// objective to which these add nothing spares growth the work. nil: all of them.
	Among []bool
}

// Sum returns the weights of samples, which ascend, with the number of occurrences in
// each, by sign.
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

// SumValues is Sum of one value in each of the samples, in place of its occurrences.
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

// Counts says what growth saw, by order: the candidates, which are the fragments
// that occur and whose canonical parent was grown, and of them those below the
// support threshold. Index 0 is unused.
type Counts struct{ Candidates, Below []uint64 }

// Count adds candidates of one order. None are not counted: the counts end with the largest
// order of a candidate, however they were come by.
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

// Add adds d to c.
func (c *Counts) Add(d Counts) {
	for o := range d.Candidates {
		c.Count(o, d.Candidates[o], d.Below[o])
	}
}

// Batch is all extensions of one pattern within the limits, in ascending code
// order. Its slices are reused: a Visitor copies what it keeps.
type Batch struct {
	Parent Code // empty for the first steps
	Order  int  // of the extensions; 0 where they differ, see Orders

	// Extension i has the code Parent + Suffix[SuffixEnd[i-1]:SuffixEnd[i]].
	Suffix    []byte
	SuffixEnd []uint32
	Orders    []int // set where Order is 0

	Support, Occ []uint32
	// The samples of extension i's occurrences, ascending, are
	// Sample[SampleEnd[i-1]:SampleEnd[i]]: a sample as often as it occurs, or,
	// where Count is set, once, with the number of its occurrences beside it.
	Sample []uint32
	Count  []uint32
	// Places is, beside Count, the number of distinct nodes of the sample at which these
	// occurrences begin. It is nil where each has its own.
	Places    []uint32
	SampleEnd []uint32

	A, B []float64 // sums of the weights by sign, where there are weights
	// With Weights.Lambda: of no fragment below extension i is A or B above Most[i]. It
	// may be infinite, or no number where nothing is known.
	Most   []float64
	Closed []bool // with Limits.Closed
	// Set by the visitor before it returns; Descend is false on entry.
	Descend []bool
}

// Len is the number of extensions.
func (b *Batch) Len() int { return len(b.SuffixEnd) }

// SuffixOf returns the steps that extension i has beyond Parent.
func (b *Batch) SuffixOf(i int) []byte { return b.Suffix[from(b.SuffixEnd, i):b.SuffixEnd[i]] }

// SamplesOf returns the samples of extension i's occurrences.
func (b *Batch) SamplesOf(i int) []uint32 { return b.of(b.Sample, i) }

// CountsOf returns the occurrences in each of SamplesOf, nil where a sample stands
// there as often as it occurs.
func (b *Batch) CountsOf(i int) []uint32 { return b.of(b.Count, i) }

// PlacesOf returns the places in each of SamplesOf, nil where each occurrence has its own.
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
