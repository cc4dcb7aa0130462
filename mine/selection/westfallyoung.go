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
	"fstore/mine/grow"
	"fstore/mine/judge"
)

// defaultPermutations is how many there are unless more are asked for.
const defaultPermutations = 1000

// westfallYoung is the level at which at most a share of Alpha of all permutations of the
// labels, what was seen counted as one of them, has a p-value as small.
func (r *Selection) westfallYoung(x *ChiSquared) (s significance, err error) {
	permutations, unit := cmp.Or(r.O.Permutations, defaultPermutations), cmp.Or(r.O.Permute, PermuteSamples)
	allowed := int(*r.O.Alpha*float64(permutations+1)*(1+association.Slack)) - 1
	switch {
	case permutations < 0:
		return s, index.Usagef("permutations: at least 1")
	case unit != PermuteSamples && unit != PermuteDocuments:
		return s, index.Usagef("test %q: there are %s and %s", unit, PermuteSamples, PermuteDocuments)
	case allowed < 0:
		return s, index.Usagef("permutations: %s can show no level below %.3g: more are needed for alpha %v",
			index.Thousands(permutations), 1/float64(permutations+1), *r.O.Alpha)
	}
	units, err := r.permutable(x, unit)
	if err != nil {
		return s, err
	}
	p := newPermuted(x, r.From.Limits.Closed, units, permutations, allowed)
	if err := p.run(r.From, r.O.Seed, r.O.Memory/4); err != nil {
		return s, err
	}
	r.settings["permutations"] = strconv.Itoa(permutations)
	r.settings["permuted"] = string(unit)
	r.settings["seed"] = strconv.FormatUint(r.O.Seed, 10)
	s.level = p.level() * (1 - 4*association.Slack) // findings have a smaller one
	s.testable = p.hypotheses.testable(s.level)
	s.how = fmt.Sprintf(" of %s permutations of %s, seed %d%s", index.Thousands(permutations), unit, r.O.Seed, units.left())
	return s, nil
}

// permuted is an Objective that selects nothing, and finds the least p-value of all
// hypotheses under each of many permutations of the labels, in one growth: a fragment's
// samples are counted under all at once.
//
// Of these least p-values one matters, that of rank allowed, counted from 0: those below it
// are exact in the end, and of others it is enough that they are larger. So the rank's value
// so far is a bound: where no support up to a fragment's can attain it, the branch ends.
// Values only fall, and which hypotheses reach the final one does not depend on the order:
// the level is the same for any number of workers.
type permuted struct {
	*hypotheses
	units   *permutable
	allowed int
	lowest  []atomic.Uint64 // of each permutation: math.Float64bits of the least p-value
	again   bool            // whether all hypotheses were counted, in an earlier block

	// The permutations of this block, of which there are n from first on.
	first, n int
	sets     []uint16 // the label set of sample s under permutation j: sets[s*n+j]
	sizes    []int    // the samples of class k under permutation j: sizes[k*n+j]

	counted atomic.Uint32 // fragments
	lowered atomic.Bool   // whether one has lowered a value since that of the rank was looked at
	looking sync.Mutex
	scratch sync.Pool
	logs    []float64 // of factorials, up to that of all samples
}

func newPermuted(x *ChiSquared, closed bool, units *permutable, permutations, allowed int) *permuted {
	p := &permuted{hypotheses: newHypotheses(x, closed, 1), units: units, allowed: allowed, lowest: make([]atomic.Uint64, permutations)}
	p.logs = logFactorials(int(x.n))
	for j := range p.lowest {
		p.lowest[j].Store(math.Float64bits(1))
	}
	return p
}

// run finds the least p-values, in one growth, or, where memory does not hold all
// permutations at once, in several.
func (p *permuted) run(from *judge.Source, seed uint64, memory int64) error {
	all := len(p.lowest)
	block := max(1, min(all, int(memory/int64(2*len(p.units.own)+1))))
	for first := 0; first < all; first += block {
		p.deal(seed, first, min(block, all-first))
		if err := from.Run(judge.NewPass(p, from.Limits, &judge.Threshold{}, grow.NewBudget(0)), judge.CountOnly); err != nil {
			return err
		}
		p.look()
		p.again = true
	}
	return nil
}

// deal makes the permutations of a block. Each follows from the seed and its own number.
func (p *permuted) deal(seed uint64, first, n int) {
	u := p.units
	p.first, p.n = first, n
	p.sets = make([]uint16, len(u.own)*n)
	p.sizes = make([]int, len(p.x.classes)*n)
	dealt := make([]uint16, len(u.sets))
	size := make([]int, len(u.classes))
	for j := range n {
		copy(dealt, u.sets)
		rand.New(rand.NewPCG(seed, uint64(first+j))).Shuffle(len(dealt), func(a, b int) { dealt[a], dealt[b] = dealt[b], dealt[a] })
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
	p.hypotheses.least.Store(p.leastSupport(p.now()))
}

// level is the value of rank allowed.
func (p *permuted) level() float64 {
	values := make([]float64, len(p.lowest))
	for j := range values {
		values[j] = p.low(j)
	}
	slices.Sort(values)
	return values[p.allowed]
}

func (p *permuted) low(j int) float64 { return math.Float64frombits(p.lowest[j].Load()) }

// look lowers the bound to what the rank's value is now.
func (p *permuted) look() {
	p.looking.Lock()
	defer p.looking.Unlock()
	p.lowered.Store(false)
	if level := p.level(); level < p.now() {
		p.hypotheses.level.Store(math.Float64bits(level))
		p.hypotheses.least.Store(p.leastSupport(level))
	}
}

// leastSupport is the least support up to which any hypothesis can attain a level under any
// permutation. Of classes of several sizes it is the one nearest to the support that makes
// it least probable that all of a support are in it.
func (p *permuted) leastSupport(level float64) uint32 {
	least := uint32(math.MaxUint32)
	for k := range p.x.tested() {
		fewest, most := p.sizesOf(k)
		lo, hi := min(fewest, p.x.n-most), min(most, p.x.n-fewest, math.Floor(p.x.n/2)) // of the smaller of class and rest
		least = min(least, leastCount(uint32(hi), func(support uint32) bool {
			size := min(max(float64(support), lo), hi)
			return association.AtMost(association.AllLabelled(min(float64(support), size), size, p.x.n), level)
		}))
	}
	return least
}

// sizesOf are the least and the largest size of a class, as it is and permuted.
func (p *permuted) sizesOf(k int) (fewest, most float64) {
	sizes, own := p.sizes[k*p.n:(k+1)*p.n], p.x.classes[k].samples
	return min(own, float64(slices.Min(sizes))), max(own, float64(slices.Max(sizes)))
}

// Samples implements Objective.
func (*permuted) Samples() bool { return true }

// Judge implements Objective.
func (p *permuted) Judge(b *index.Batch, least float64, v *judge.Verdicts) {
	if p.again {
		for i, support := range b.Support {
			b.Descend[i] = support >= p.least.Load()
		}
	} else {
		p.hypotheses.Judge(b, least, v)
	}
	var counts []uint32
	for i, support := range b.Support {
		if !b.Descend[i] || p.closed && !b.Closed[i] {
			continue
		}
		if counts == nil {
			counts = p.room()
			defer p.scratch.Put(&counts)
		}
		p.count(counts, b.SamplesOf(i))
		if p.lower(counts, support) {
			p.lowered.Store(true)
		}
		if p.counted.Add(1)%lookEvery == 0 && p.lowered.Load() {
			p.look()
		}
	}
}

// lookEvery is how many fragments are counted between two looks at the rank's value.
const lookEvery = 64

// Flush implements judge.Counting.
func (p *permuted) Flush(v *judge.Verdicts) {
	if !p.again {
		p.hypotheses.Flush(v)
	}
}

// room is room for the counts of each label set under each permutation.
func (p *permuted) room() []uint32 {
	n := p.n * len(p.units.classes)
	if old, ok := p.scratch.Get().(*[]uint32); ok && len(*old) == n {
		return *old
	}
	return make([]uint32, n)
}

// count counts the samples that have each label set under each permutation: set d under
// permutation j in counts[d*n+j].
func (p *permuted) count(counts []uint32, samples []uint32) {
	clear(counts)
	n := p.n
	for i, s := range samples {
		if i > 0 && samples[i-1] == s {
			continue
		}
		for j, set := range p.sets[int(s)*n : (int(s)+1)*n] {
			counts[int(set)*n+j]++
		}
	}
}

// lower lowers the least p-values to those of a fragment with these counts, and says
// whether any was larger. Those above the level matter to nobody, and most are: a p-value
// is at least the probability of its own table, whose logarithm is a sum of six numbers.
func (p *permuted) lower(counts []uint32, support uint32) (lowered bool) {
	level, u, n := p.now(), int(support), p.n
	most := math.Log(level) + logSlack
	drawn := p.logs[u] + p.logs[len(p.logs)-1-u] - p.logs[len(p.logs)-1]
	for k := range p.x.tested() {
		of := p.units.of[k]
		for j, size := range p.sizes[k*n : (k+1)*n] {
			o := 0
			for _, set := range of {
				o += int(counts[set*n+j])
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

// logSlack is more than the rounding error of a sum of logs, each of which is below 10¹¹.
const logSlack = 1e-3

// logFactorials are ln 0!, ln 1! and so on to ln n!.
func logFactorials(n int) []float64 {
	logs := make([]float64, n+1)
	for i := range logs {
		logs[i], _ = math.Lgamma(float64(i) + 1)
	}
	return logs
}

// lowerTo lowers the least p-value of a permutation.
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
