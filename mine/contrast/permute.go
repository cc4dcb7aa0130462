package contrast

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"fstore/index"
	"fstore/mine/association"
)

// DocumentTest says how p-values come from a permutation of documents. The words of a document are not
// independent, and so is what is counted in them. So whole documents change sides (Lijffijt et al. 2016).
//
// Each permutation gives side A as many documents as it has, at random. The statistic is the absolute
// difference of the two rates, in the unit of Options.Per. P = (b+1)/(n+1): in b of the n permutations it is
// at least as large as it really is. Once P is certain to be above 0.1, permuting stops, and P is
// (b+1)/(m+1) of the m that were made. If the documents can be divided in at most n+1 ways, each other way
// is taken once, and P is exact.
//
// Documents with samples on both sides are left out, and so are samples without a document.
type DocumentTest struct {
	Permutations int // 0 is DefaultPermutations
	Seed         uint64
	// Wanted says which rows are tested: nil is all. A row that is not has no P, and P is adjusted to
	// those that are. The measures but P are there.
	Wanted func(*Contrast, *Row) (bool, error)
}

// DefaultPermutations is what DocumentTest.Permutations is where it is 0.
const DefaultPermutations = 9999

// surely is the p-value above which no test goes on.
const surely = 0.1

// maxPermuted bounds documents times permutations: a bit each.
const maxPermuted = 1 << 33

// documentTest is the permutations of one comparison.
type documentTest struct {
	numbers []int32    // of each document, -1 where it is left out
	sizes   []float64  // of each one in the test, in the unit that rates are relative to
	all     float64    // of all
	onA     []bool     // as it is
	own     float64    // the sizes of those on A
	in      [][]uint64 // of each document, a bit for each permutation: it is on side A
	sizeA   []float64  // of each permutation
	scale   []float64  // of each permutation: 1 by the product of the sizes of both sides; 0 where one has none
	n       int        // permutations
	exact   bool       // they are all there are
	left    int        // documents on both sides

	with []int32   // documents with hits, scratch
	hits []float64 // beside with
}

// newDocumentTest permutes the documents of two sides, whose sizes are in a unit.
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
	count := 0 // on side A
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

// divisions returns the number of ways to choose k of n, or any number above most if there are more.
func divisions(n, k, most int) int {
	ways := 1
	for i := range min(k, n-k) {
		if ways = ways * (n - i) / (i + 1); ways > most {
			break
		}
	}
	return ways
}

// permute puts so many documents on side A, at random, in each permutation.
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

// divide makes every permutation but the one that is: all ways to choose so many documents.
func (d *documentTest) divide(count int) {
	onA := make([]int, count)
	for ways := combin.NewCombinationGenerator(len(d.sizes), count); ways.Next(); {
		ways.Combination(onA)
		if slices.ContainsFunc(onA, func(i int) bool { return !d.onA[i] }) {
			d.add(onA)
		}
	}
}

// add adds a permutation, which has some documents on side A.
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

// statistic is the difference of the rates if hitsA of the hits are on side A, whose size is sizeA. The
// products are exact below 2^53.
func (d *documentTest) statistic(hitsA, hits, sizeA, scale float64) float64 {
	return math.Abs(float64(hitsA*d.all)-float64(hits*sizeA)) * scale
}

// test is P of the fragment that c has counted.
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
	// Equal differences may differ in rounding.
	observed := d.statistic(onA, all, d.own, d.scaleOf(d.own)) * (1 - 1e-12)
	atLeast, enough := 0, int(surely*float64(d.n+1))
	if d.exact { // in an order, so that the first ones tell nothing of the others
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

// tested are the p-values of rows, by ascending feature id.
type tested struct {
	ids         []uint32
	p, adjusted []float64
}

// of returns the p-values of a row, which are no numbers where it was not tested.
func (x *tested) of(id uint32) (p, adjusted float64) {
	i, ok := slices.BinarySearch(x.ids, id)
	if !ok {
		return math.NaN(), math.NaN()
	}
	return x.p[i], x.adjusted[i]
}

// testDocuments tests the rows of all comparisons, and adjusts to all that were tested.
func testDocuments(ctx context.Context, all []*Contrast) error {
	var tests association.Tests
	for _, c := range all {
		o := c.Options.Documents
		d, err := newDocumentTest(c.count.s, c.Options.Per, o)
		if err != nil {
			return err
		}
		c.BothDocuments, c.Permutations, c.AllDivisions = uint64(d.left), d.n, d.exact
		c.WithoutDocument = c.count.s.without
		c.tested = &tested{}
		err = c.each(ctx, "permute", nil, func(r *Row) error {
			if o.Wanted != nil {
				if ok, err := o.Wanted(c, r); err != nil || !ok {
					return err
				}
			}
			c.tested.ids, c.tested.p = append(c.tested.ids, r.ID), append(c.tested.p, d.test(c.count))
			return nil
		})
		if err != nil {
			return err
		}
		tests.P = append(tests.P, c.tested.p...)
	}
	tests.Times = slices.Repeat([]uint64{1}, len(tests.P))
	adjusted := adjust(tests, all[0].Options.Adjust)
	for _, c := range all {
		c.Tests = uint64(len(tests.P))
		c.tested.adjusted, adjusted = adjusted[:len(c.tested.p)], adjusted[len(c.tested.p):]
	}
	return nil
}
