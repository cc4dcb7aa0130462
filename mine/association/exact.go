package association

import (
	"math"
	"math/bits"
)

// Slack is more than the relative rounding error of an exact p-value. Two of them that
// differ by less count as equal.
const Slack = 1e-11

// AtMost says whether a p-value is at most a level, rounding aside.
func AtMost(p, level float64) bool { return p <= Largest(level) }

// Largest is the largest p-value that AtMost takes for at most a level.
func Largest(level float64) float64 { return level * (1 + Slack) }

// Exact is the exact two-sided p-value given the margins: the probability, by chance, of
// a table whose X² is at least this one's. It is what Fisher's exact test computes, with
// tables in the order of X². Cells are whole numbers whose sum is below 2⁵³.
//
// It is right to about 1e-13, and is 0 only where no float64 is as small. Its cost grows
// with the standard deviation of O11: 0.2 µs for rare things, 30 µs for a total of 10⁷.
func (t Table) Exact() float64 { return t.ExactWithin(math.Inf(1)) }

// ExactWithin is Exact, but that it stops early, and returns any number above limit,
// where the p-value is above limit.
func (t Table) ExactWithin(limit float64) float64 {
	h := newHypergeometric(t)
	if h.lo == h.hi {
		return 1
	}
	below, above := beyond(t.O11, h.drawn, h.marked, h.total)
	if above <= below+1 {
		return 1 // all tables
	}
	return tails(&h, below, above, limit)
}

// Probability is the probability of this table, and no other, given the margins.
func (t Table) Probability() float64 {
	h := newHypergeometric(t)
	return h.of(t.O11)
}

// Least is the least exact p-value of any table in which support of n samples have the one thing, and
// labelled have the other. No hypothesis with these margins can do better (Tarone 1990).
func Least(support, labelled, n float64) float64 {
	most, fewest := min(support, labelled), max(0, support+labelled-n)
	o := most
	if crossDifference(2*support, labelled, most+fewest, n) > 0 { // fewest lies farther from the mean
		o = fewest
	}
	return TableOf(o, support, labelled, n).Exact()
}

// LeastUpTo is the smallest Least of any support up to this one. Least falls while the support is at most the
// size of the label, or of the rest if that is smaller, and rises from there on.
//
// It falls that far because the p-value is the probability that all of the support fall into the smaller
// class. Beyond, no table has a probability below that of the two classes themselves: one divided by the
// number of ways to choose the class.
func LeastUpTo(support, labelled, n float64) float64 {
	return Least(min(support, labelled, n-labelled), labelled, n)
}

// AllLabelled is the probability, by chance, that o samples of n all have the label. It is a
// lower bound: a fragment with o labelled samples, where chance gives fewer, has no exact
// p-value below AllLabelled(o, …), whatever its support. Nor has any fragment below it.
func AllLabelled(o, labelled, n float64) float64 { return TableOf(o, o, labelled, n).Probability() }

// TableOf is the table of support and labelled of n samples, o of which are both.
func TableOf(o, support, labelled, n float64) Table {
	return Table{o, support - o, labelled - o, n - labelled - support + o}
}

// Exact is the exact two-sided p-value of the two counts given their sum: the probability,
// by chance, of a split whose X² is at least this one's. If the two rates are equal, each
// event is A's with the probability NA/(NA+NB): A is binomial. Counts and units are whole
// numbers whose sums are below 2⁵³.
func (r Rates) Exact() float64 {
	b := newBinomial(r)
	if b.events == 0 {
		return 1
	}
	below, above := beyond(r.A, b.events, r.NA, r.NA+r.NB)
	if above <= below+1 {
		return 1
	}
	return tails(&b, below, above, math.Inf(1))
}

// beyond returns the counts at least as far from the mean a·b/n as k is: those up to below, and those from
// above on. It is exact: a count just as far on the other side belongs to them.
func beyond(k, a, b, n float64) (below, above float64) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	hi, lo = hi<<1|lo>>63, lo<<1
	whole, rest := bits.Div64(hi, lo, uint64(n))
	twice := float64(whole) // the mean, rounded down
	switch {
	case 2*k > twice:
		return twice - k, k
	case rest > 0:
		return k, twice - k + 1
	}
	return k, twice - k
}

// law is a distribution over the whole numbers of a range, with one peak.
type law interface {
	// of is the probability of k; it is 0 outside of the range.
	of(k float64) float64
	// up is the probability of k+1 divided by that of k; down is that of k-1 divided by it.
	up(k float64) float64
	down(k float64) float64
}

// negligible is the share of a sum below which its terms end it: beyond, terms shrink at
// least as fast as a geometric series.
const negligible = 1.0 / (1 << 70)

// tails is the probability of the counts up to below and of those from above on, which lie
// on the two sides of the peak; or a number above limit where it is above that.
func tails[L law](d L, below, above, limit float64) float64 {
	p, q := d.of(below), d.of(above)
	sum := p + q
	if sum > limit {
		return sum
	}
	for k := below; p > negligible*sum; k-- {
		p *= d.down(k)
		sum += p
	}
	for k := above; q > negligible*sum; k++ {
		q *= d.up(k)
		sum += q
	}
	return min(sum, 1)
}
