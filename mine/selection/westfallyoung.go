package selection

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/judge"
)

// defaultPermutations is used if Options.Permutations is 0.
const defaultPermutations = 1000

// mostPermutations is the largest number of permutations. Their least p-values take 8 bytes each, 80 MB in
// all.
const mostPermutations = 10_000_000

// westfallYoung finds a level of significance: in at most the share Alpha of the permutations, some p-value
// is below the level. The true labels count as one more permutation.
func (r *run) westfallYoung(x *ChiSquared) (s significance, err error) {
	permutations, unit := cmp.Or(r.o.Permutations, defaultPermutations), cmp.Or(r.o.Permute, PermuteSamples)
	rank := int(*r.o.Alpha*float64(permutations+1)*(1+association.Slack)) - 1
	switch {
	case permutations < 0 || permutations > mostPermutations:
		return s, index.Usagef("permutations: from 1 to %s", index.Thousands(mostPermutations))
	case unit != PermuteSamples && unit != PermuteDocuments:
		return s, index.Usagef("test %q: there are %s and %s", unit, PermuteSamples, PermuteDocuments)
	case rank < 0:
		return s, index.Usagef("permutations: %s cannot show a level below %.3g: more are needed for alpha %v",
			index.Thousands(permutations), 1/float64(permutations+1), *r.o.Alpha)
	}
	units, err := r.permutable(x, unit)
	if err == nil {
		err = units.checkLabellings(unit, *r.o.Alpha)
	}
	if err != nil {
		return s, err
	}
	p := newPermuted(x, r.From.Limits.Closed, units, permutations, rank)
	if err := p.run(r.From, r.o.Seed, r.o.Memory/4); err != nil { // growth takes most of the remaining memory
		return s, err
	}
	r.settings["permutations"] = strconv.Itoa(permutations)
	r.settings["permuted"] = string(unit)
	r.settings["seed"] = strconv.FormatUint(r.o.Seed, 10)
	if s.level = p.ranked() * (1 - 4*association.Slack); s.level == 0 { // findings have a smaller p-value
		s.level = noLevel
	}
	s.testable = p.hypotheses.testable(s.level)
	s.how = fmt.Sprintf(" of %s permutations of %s, seed %d%s", index.Thousands(permutations), unit, r.o.Seed, units.unpermuted())
	return s, nil
}

// permuted is an Objective that selects nothing. It finds the least p-value of all hypotheses under each
// permutation of the labels. Growth leaves out fragments that cannot reach the level (see ranked), so only
// p-values up to the level are exact.
type permuted struct {
	judge.Plain
	x          *ChiSquared
	hypotheses *hypotheses
	units      *permutable
	rank       int
	lowest     []atomic.Uint64 // math.Float64bits of the least p-value under each permutation
	again      bool            // all hypotheses were already counted, in an earlier block
	layout     countLayout

	// The present block has the permutations [first, first+n). One pass counts a block.
	first, n int
	sets     []uint16 // label set of sample s under permutation j is sets[s*n+j]
	sizes    []int    // number of samples of class k under permutation j is sizes[k*n+j]

	counted atomic.Uint32 // number of fragments
	lowered atomic.Bool   // a value was lowered since look last read them
	looking sync.Mutex
	rooms   chan []uint32 // tables of counts that no worker uses now, one for each worker; nil before its first use
	logs    []float64     // logarithms of factorials, up to the number of samples
}

func newPermuted(x *ChiSquared, closed bool, units *permutable, permutations, rank int) *permuted {
	p := &permuted{
		x: x, hypotheses: newHypotheses(x, closed, 1), units: units, rank: rank,
		lowest: make([]atomic.Uint64, permutations), layout: layoutOf(x, units),
	}
	p.logs = logFactorials(int(x.n))
	for j := range p.lowest {
		p.lowest[j].Store(math.Float64bits(1))
	}
	return p
}

// run finds the least p-values. It grows the fragments once for each block of permutations that fits into
// memory.
func (p *permuted) run(from *judge.Source, seed uint64, memory int64) error {
	workers := 1 // a scan has one worker
	if from.Grow {
		workers = max(1, from.Workers)
	}
	p.rooms = make(chan []uint32, workers)
	for range workers {
		p.rooms <- nil
	}
	// The bytes of a permutation: the label sets of samples, the sizes of classes, and the counts of each
	// worker.
	each := int64(2*len(p.units.own) + 8*len(p.x.classes) + 4*p.layout.rows*workers)
	all := len(p.lowest)
	block := max(1, min(all, int(memory/each)))
	for first := 0; first < all; first += block {
		p.deal(seed, first, min(block, all-first))
		if err := from.Look(p); err != nil {
			return err
		}
		p.look()
		p.again = true
	}
	return nil
}

// deal makes the block of the permutations [start, start+n). A permutation depends only on the seed and on
// its index.
func (p *permuted) deal(seed uint64, start, n int) {
	u := p.units
	p.first, p.n = start, n
	p.sets = judge.Zeroed(p.sets, len(u.own)*n)
	p.sizes = judge.Zeroed(p.sizes, len(p.x.classes)*n)
	dealt := make([]uint16, len(u.sets))
	size := make([]int, len(u.classes))
	for j := range n {
		copy(dealt, u.sets)
		rand.New(rand.NewPCG(seed, uint64(start+j))).Shuffle(len(dealt), func(a, b int) { dealt[a], dealt[b] = dealt[b], dealt[a] })
		clear(size)
		for s, set := range u.own {
			if unit := u.unit[s]; unit >= 0 {
				set = dealt[unit]
			}
			p.sets[s*n+j] = set
			size[set]++
		}
		for set, classes := range u.classes {
			for _, k := range classes {
				p.sizes[int(k)*n+j] += size[set]
			}
		}
	}
	p.hypotheses.least.Store(p.leastSupport(p.hypotheses.now()))
}

// ranked sorts the least p-values of the permutations and returns the one at index p.rank.
func (p *permuted) ranked() float64 {
	values := make([]float64, len(p.lowest))
	for j := range values {
		values[j] = p.low(j)
	}
	slices.Sort(values)
	return values[p.rank]
}

func (p *permuted) low(j int) float64 { return math.Float64frombits(p.lowest[j].Load()) }

// look computes the level again, and lowers the level of p.hypotheses if necessary.
func (p *permuted) look() {
	p.looking.Lock()
	defer p.looking.Unlock()
	p.lowered.Store(false)
	if level := p.ranked(); level < p.hypotheses.now() {
		p.hypotheses.level.Store(math.Float64bits(level))
		p.hypotheses.least.Store(p.leastSupport(level))
	}
}

// leastSupport returns the least support with which a p-value of at most `level` is possible in the block.
// The smallest p-value comes from the class size that is nearest to the support.
func (p *permuted) leastSupport(level float64) uint32 {
	least := uint32(math.MaxUint32)
	for k := range p.x.testedClasses() {
		fewest, most := p.extremes(k)
		lo, hi := min(fewest, p.x.n-most), min(most, p.x.n-fewest, math.Floor(p.x.n/2)) // of class and rest, the smaller
		least = min(least, leastCount(uint32(hi), func(support uint32) bool {
			size := min(max(float64(support), lo), hi)
			return association.AtMost(association.AllLabelled(min(float64(support), size), size, p.x.n), level)
		}))
	}
	return least
}

// extremes returns the smallest and the largest size of class k in the true labels and the block's
// permutations.
func (p *permuted) extremes(k int) (fewest, most float64) {
	sizes, own := p.sizes[k*p.n:(k+1)*p.n], p.x.classes[k].samples
	return min(own, float64(slices.Min(sizes))), max(own, float64(slices.Max(sizes)))
}

func (*permuted) Samples() bool { return true }

func (p *permuted) Judge(b *index.Batch, least float64, v *judge.Verdicts) {
	if p.again {
		for i, support := range b.Support {
			b.Descend[i] = support >= p.hypotheses.least.Load()
		}
	} else {
		p.hypotheses.Judge(b, least, v)
	}
	var counts []uint32
	for i, support := range b.Support {
		if !b.Descend[i] || p.hypotheses.closed && !b.Closed[i] {
			continue
		}
		if counts == nil {
			if counts = <-p.rooms; counts == nil { // no later block is larger than the first
				counts = make([]uint32, p.layout.rows*p.n)
			}
			defer func() { p.rooms <- counts }()
		}
		p.countSamples(counts[:p.layout.rows*p.n], b.SamplesOf(i))
		if p.lower(counts, support) {
			p.lowered.Store(true)
		}
		if p.counted.Add(1)%lookEvery == 0 && p.lowered.Load() {
			p.look()
		}
	}
}

// lookEvery is how many fragments are counted between two calls of the method `look`.
const lookEvery = 64

func (p *permuted) Flush(v *judge.Verdicts) {
	if !p.again {
		p.hypotheses.Flush(v)
	}
}

// countSamples sets counts[r*p.n+j] to the number of samples that belong to row r (see countLayout) under
// permutation j.
func (p *permuted) countSamples(counts []uint32, samples []uint32) {
	clear(counts) // lower reads all of them
	n := p.n
	for i, s := range samples {
		if i > 0 && samples[i-1] == s {
			continue
		}
		sets := p.sets[int(s)*n : (int(s)+1)*n]
		if p.layout.bySet {
			for j, set := range sets {
				counts[int(set)*n+j]++
			}
			continue
		}
		for j, set := range sets {
			for _, k := range p.units.classes[set] {
				counts[int(k)*n+j]++
			}
		}
	}
}

// lower updates the least p-value of each permutation by the p-value of a fragment, and returns whether any
// became smaller. It computes few p-values, because it first compares a quick lower bound.
func (p *permuted) lower(counts []uint32, support uint32) (lowered bool) {
	level, u, n := p.hypotheses.now(), int(support), p.n
	most := math.Log(level) + logSlack
	drawn := p.logs[u] + p.logs[len(p.logs)-1-u] - p.logs[len(p.logs)-1]
	for k := range p.x.testedClasses() {
		rows := p.layout.rowsOf[k]
		for j, size := range p.sizes[k*n : (k+1)*n] {
			o := 0
			for _, row := range rows {
				o += int(counts[row*n+j])
			}
			rest := len(p.logs) - 1 - size
			if drawn+p.logs[size]+p.logs[rest]-p.logs[o]-p.logs[size-o]-p.logs[u-o]-p.logs[rest-u+o] > most {
				continue
			}
			limit := min(level, p.low(p.first+j))
			value := association.TableOf(float64(o), float64(support), float64(size), p.x.n).ExactWithin(limit)
			if value < limit {
				lowered = p.lowerTo(p.first+j, value) || lowered
			}
		}
	}
	return lowered
}

// logSlack is larger than the rounding error of a sum of logs, in which each log is below 10¹¹.
const logSlack = 1e-3

// logFactorials returns ln 0!, ln 1!, … ln n!.
func logFactorials(n int) []float64 {
	logs := make([]float64, n+1)
	for i := range logs {
		logs[i], _ = math.Lgamma(float64(i) + 1)
	}
	return logs
}

// lowerTo lowers the least p-value of permutation j to a value, and returns whether the value was smaller.
func (p *permuted) lowerTo(j int, value float64) bool {
	for {
		old := p.lowest[j].Load()
		if value >= math.Float64frombits(old) {
			return false
		}
		if p.lowest[j].CompareAndSwap(old, math.Float64bits(value)) {
			return true
		}
	}
}
