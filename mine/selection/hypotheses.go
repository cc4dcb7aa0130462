package selection

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/judge"
)

// hypotheses is an Objective that only counts fragments by support, because the support limits how small a
// p-value can be. It may miss fragments that cannot attain the level.
type hypotheses struct {
	judge.Plain
	x      *ChiSquared
	sizes  []classSize // of the classes that are tested
	alpha  float64
	tarone bool // the level is alpha/k, for the least k with at most k testable hypotheses
	closed bool // only closed fragments are hypotheses

	level atomic.Uint64 // math.Float64bits of the level; it only falls
	least atomic.Uint32 // no hypothesis with a smaller support can attain the level

	mu        sync.Mutex
	bySupport []uint64
	all       uint64               // how many fragments were counted
	looked    uint64               // the value of all when the level was last updated
	attain    map[uint32][]float64 // for each support, the least p-value with a class of each size
}

// classSize says how many classes have this number of samples. If the classes have a million samples
// together, at most 1,413 sizes differ.
type classSize struct {
	samples float64
	classes uint64
}

// sizesOf returns the sizes of classes, ascending.
func sizesOf(classes []chiClass) (sizes []classSize) {
	of := map[float64]uint64{}
	for _, c := range classes {
		of[c.samples]++
	}
	for _, n := range slices.Sorted(maps.Keys(of)) {
		sizes = append(sizes, classSize{n, of[n]})
	}
	return sizes
}

// newHypotheses returns an Objective that counts the hypotheses of x. The level of significance starts at
// alpha, and only falls.
func newHypotheses(x *ChiSquared, closed bool, alpha float64) *hypotheses {
	h := &hypotheses{
		x: x, sizes: sizesOf(x.testedClasses()), alpha: alpha, closed: closed,
		attain: map[uint32][]float64{},
	}
	h.fall(alpha)
	return h
}

// count reads all hypotheses of a source. With Tarone's correction, it then sets the final level.
func (h *hypotheses) count(from *judge.Source) error {
	err := from.Look(h)
	if h.tarone {
		h.fall(h.taroneLevel())
	}
	return err
}

func (h *hypotheses) now() float64 { return math.Float64frombits(h.level.Load()) }

// fall lowers the level, and sets the least support that can attain the level.
func (h *hypotheses) fall(level float64) {
	h.level.Store(math.Float64bits(level))
	least := uint32(math.MaxUint32)
	for _, c := range h.sizes {
		smaller := min(c.samples, h.x.n-c.samples)
		least = min(least, leastCount(uint32(smaller), func(support uint32) bool {
			return association.AtMost(association.LeastUpTo(float64(support), c.samples, h.x.n), level)
		}))
	}
	h.least.Store(least)
}

// testedClasses returns the tested classes. Each gives one hypothesis for every fragment.
func (x *ChiSquared) testedClasses() []chiClass { return x.classes[:x.tests] }

// flushEvery is how many supports a worker collects before it takes the lock to count them.
const flushEvery = 4096

func (h *hypotheses) Judge(b *index.Batch, _ float64, v *judge.Verdicts) {
	least := h.least.Load()
	for i, support := range b.Support {
		b.Descend[i] = support >= least
		if !h.closed || b.Closed[i] {
			v.Room = append(v.Room, support)
		}
	}
	if len(v.Room) >= flushEvery {
		h.Flush(v)
	}
}

func (h *hypotheses) Flush(v *judge.Verdicts) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, support := range v.Room {
		for int(support) >= len(h.bySupport) {
			h.bySupport = append(h.bySupport, 0)
		}
		h.bySupport[support]++
	}
	h.all += uint64(len(v.Room))
	v.Room = v.Room[:0]
	if h.tarone && h.all > h.looked+h.looked/2 {
		h.looked = h.all
		h.fall(h.taroneLevel())
	}
}

// attainable returns the least p-values that fragments of this support can attain, one for each of h.sizes.
// If there are no such fragments (`times` is 0), it may return nil.
func (h *hypotheses) attainable(support uint32, times uint64) []float64 {
	p, known := h.attain[support]
	if !known && times > 0 {
		for _, c := range h.sizes {
			p = append(p, association.Least(float64(support), c.samples, h.x.n))
		}
		h.attain[support] = p
	}
	return p
}

// testable returns how many of the hypotheses counted so far can attain a level.
func (h *hypotheses) testable(level float64) (n uint64) {
	for support, times := range h.bySupport {
		for i, p := range h.attainable(uint32(support), times) {
			if association.AtMost(p, level) {
				n += times * h.sizes[i].classes
			}
		}
	}
	return n
}

// taroneLevel returns alpha/k, for the least k such that at most k of the counted hypotheses can attain
// alpha/k. More hypotheses never raise the level.
func (h *hypotheses) taroneLevel() float64 {
	type attained struct {
		p    float64
		upTo uint64 // hypotheses that can attain p or less
	}
	levels := []attained{{p: math.Inf(-1)}}
	for support, times := range h.bySupport {
		for i, p := range h.attainable(uint32(support), times) {
			levels = append(levels, attained{p, times * h.sizes[i].classes})
		}
	}
	slices.SortFunc(levels, func(a, b attained) int { return cmp.Compare(a.p, b.p) })
	for i := range levels[1:] {
		levels[i+1].upTo += levels[i].upTo
	}
	testable := func(level float64) uint64 {
		n := sort.Search(len(levels), func(i int) bool { return !association.AtMost(levels[i].p, level) })
		return levels[n-1].upTo
	}
	// sort.Search may be used, because a larger k means a lower level, and so fewer testable hypotheses.
	k := sort.Search(int(levels[len(levels)-1].upTo), func(k int) bool { return testable(h.alpha/float64(k)) <= uint64(k) })
	return h.alpha / float64(max(k, 1))
}
