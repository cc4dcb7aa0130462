package contrast

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"fstore/index"
)

// stopAbove is the p-value above which a test stops early.
const stopAbove = 0.1

// maxPermuted is the largest product of documents and permutations. Each pair of them takes one bit.
const maxPermuted = 1 << 33

// documentTest has the permutations of one comparison.
type documentTest struct {
	numbers []int32    // by document: its number in this test, or -1 if the document is left out
	sizes   []float64  // by number: size of the document, in the unit of Options.Per
	all     float64    // sum of sizes
	onA     []bool     // by number: whether the document is really on A
	own     float64    // sum of the sizes of the documents that are really on A
	in      [][]uint64 // by number: a bit for each permutation, set if the document is on A
	sizeA   []float64  // by permutation: size of side A
	scale   []float64  // by permutation: 1 / (size of A × size of B), or 0 if a side has size 0
	n       int        // number of permutations
	exact   bool       // whether the permutations are all that exist
	left    int        // number of documents left out because they are on both sides

	with []int32   // scratch: the numbers of the documents with hits
	hits []float64 // hits of the documents in with
}

// newDocumentTest makes the permutations of the documents.
func newDocumentTest(s *sides, per Unit, o *DocumentTest) (*documentTest, error) {
	if s.docs == 0 {
		return nil, ErrNoDocuments
	}
	d := &documentTest{numbers: make([]int32, s.docs+1), n: o.Permutations}
	all := newCounter(s, per)
	all.countAll()
	onA, onB := all.a.hits, all.b.hits
	if per == Words {
		onA, onB = s.a.byDocument, s.b.byDocument
	}
	count := 0 // documents on side A
	for i := range d.numbers {
		a, b := all.a.seen[i] == all.stamp, all.b.seen[i] == all.stamp
		d.numbers[i] = -1
		switch {
		case a && b:
			d.left++
		case a || b:
			d.numbers[i] = int32(len(d.sizes))
			d.sizes, d.onA = append(d.sizes, float64(onA[i]+onB[i])), append(d.onA, a)
			if a {
				count++
				d.own += float64(onA[i] + onB[i])
			}
		}
	}
	if count == 0 || count == len(d.sizes) {
		return nil, index.Usagef("test documents: each side needs a document that is on no other (%s on both)", index.Plural(d.left, "document"))
	}
	if ways := divisions(len(d.sizes), count, maxPermuted); ways-1 <= d.n {
		d.n, d.exact = ways-1, true
	}
	if d.n > maxPermuted/len(d.sizes) {
		return nil, index.Usagef("test documents: %s permutations of %s take too much memory", index.Thousands(d.n), index.Plural(len(d.sizes), "document"))
	}
	for _, n := range d.sizes {
		d.all += n
	}
	d.in = make([][]uint64, len(d.sizes))
	for i := range d.in {
		d.in[i] = make([]uint64, (d.n+63)/64)
	}
	if d.exact {
		d.divide(count)
	} else {
		d.permute(count, rand.New(rand.NewPCG(o.Seed, 0)))
	}
	return d, nil
}

// divisions returns the number of ways to choose k of n things, or some number above maxWays if there are
// more.
func divisions(n, k, maxWays int) int {
	ways := 1
	for i := range min(k, n-k) {
		if ways = ways * (n - i) / (i + 1); ways > maxWays {
			break
		}
	}
	return ways
}

// permute adds d.n random permutations, each with `count` documents on side A.
func (d *documentTest) permute(count int, r *rand.Rand) {
	order := make([]int, len(d.sizes))
	for i := range order {
		order[i] = i
	}
	for range d.n {
		for i := range count {
			j := i + r.IntN(len(order)-i)
			order[i], order[j] = order[j], order[i]
		}
		d.add(order[:count])
	}
}

// divide adds all permutations with `count` documents on side A, except the real one.
func (d *documentTest) divide(count int) {
	onA := make([]int, count)
	for ways := combin.NewCombinationGenerator(len(d.sizes), count); ways.Next(); {
		ways.Combination(onA)
		if slices.ContainsFunc(onA, func(i int) bool { return !d.onA[i] }) {
			d.add(onA)
		}
	}
}

// add adds a permutation. onA has the indexes of the documents that it puts on side A.
func (d *documentTest) add(onA []int) {
	k, size := len(d.sizeA), 0.0
	for _, i := range onA {
		d.in[i][k/64] |= 1 << (k % 64)
		size += d.sizes[i]
	}
	d.sizeA, d.scale = append(d.sizeA, size), append(d.scale, d.scaleOf(size))
}

func (d *documentTest) scaleOf(sizeA float64) float64 {
	if sizeA == 0 || sizeA == d.all {
		return 0
	}
	return 1 / (sizeA * (d.all - sizeA))
}

// statistic returns the absolute difference of the rates of A and B. `scale` is d.scaleOf(sizeA). The
// products are exact below 2^53.
func (d *documentTest) statistic(hitsA, hits, sizeA, scale float64) float64 {
	return math.Abs(float64(hitsA*d.all)-float64(hits*sizeA)) * scale
}

// test returns the p-value (Measures.P) of the fragment that c counted last.
func (d *documentTest) test(c *counter) float64 {
	d.with, d.hits = d.with[:0], d.hits[:0]
	all, onA := 0.0, 0.0
	for _, side := range []*sideCounter{&c.a, &c.b} {
		for _, document := range side.with {
			n := d.numbers[document]
			if n < 0 {
				continue
			}
			hits := float64(side.hits[document])
			d.with, d.hits = append(d.with, n), append(d.hits, hits)
			if all += hits; d.onA[n] {
				onA += hits
			}
		}
	}
	// Lower the observed value a little, because rounding can make equal differences unequal.
	observed := d.statistic(onA, all, d.own, d.scaleOf(d.own)) * (1 - 1e-12)
	atLeast, enough := 0, int(stopAbove*float64(d.n+1))
	if d.exact { // no early stop: these permutations are ordered, so the first say nothing about the others
		enough = d.n
	}
	for block := 0; block*64 < d.n; block++ {
		var sums [64]float64
		for i, n := range d.with {
			for in := d.in[n][block]; in != 0; in &= in - 1 {
				sums[bits.TrailingZeros64(in)] += d.hits[i]
			}
		}
		last := min(64, d.n-block*64)
		for i := range last {
			k := block*64 + i
			if d.statistic(sums[i], all, d.sizeA[k], d.scale[k]) >= observed {
				atLeast++
			}
		}
		if made := block*64 + last; atLeast > enough {
			return float64(atLeast+1) / float64(made+1)
		}
	}
	return float64(atLeast+1) / float64(d.n+1)
}

// tested has the p-values of the tested rows, in the order of the feature ids.
type tested struct {
	ids         []uint32
	p, adjusted []float64
}

// find returns the p-value of a row and the adjusted p-value, both NaN if the row was not tested.
func (x *tested) find(id uint32) (p, adjusted float64) {
	i, ok := slices.BinarySearch(x.ids, id)
	if !ok {
		return math.NaN(), math.NaN()
	}
	return x.p[i], x.adjusted[i]
}
