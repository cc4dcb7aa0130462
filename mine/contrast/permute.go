package contrast

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"fstore/index"
	"fstore/mine/association"
)

// DocumentTest says how p-values come from a permutation of documents. The words of a document are
// not independent, so that what is counted in them is not either: here whole documents change
// sides (Lijffijt et al. 2016).
//
// Each permutation gives side A as many documents as it has, at random. The statistic is the
// difference of the two rates per word of the documents, without sign. P = (b+1)/(n+1), with b
// the permutations of n in which it is at least as large as it is. Where P is certain to be above
// 0.1, permuting stops: P is then (b+1)/(m+1) of the m made.
//
// Documents with samples on both sides have no side to change, and are left out; so are samples
// without a document.
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
	words   []float64  // of each one in the test
	all     float64    // words
	onA     []bool     // as it is
	in      [][]uint64 // of each document, a bit for each permutation: it is on side A
	wordsA  []float64  // of each permutation
	scale   []float64  // of each permutation: 1 by the product of the words of both sides; 0 where one has none
	n       int        // permutations
	left    int        // documents on both sides

	with []int32   // documents with hits, scratch
	hits []float64 // beside with
}

// newDocumentTest permutes the documents of two sides.
func newDocumentTest(s *sides, o *DocumentTest) (*documentTest, error) {
	if s.docs == 0 {
		return nil, ErrNoDocuments
	}
	d := &documentTest{numbers: make([]int32, s.docs+1), n: o.Permutations}
	count := 0 // on side A
	for i := range d.numbers {
		a, b := s.a.byDocument[i] > 0, s.b.byDocument[i] > 0
		d.numbers[i] = -1
		switch {
		case a && b:
			d.left++
		case a || b:
			d.numbers[i] = int32(len(d.words))
			d.words, d.onA = append(d.words, float64(s.a.byDocument[i]+s.b.byDocument[i])), append(d.onA, a)
			if a {
				count++
			}
		}
	}
	if count == 0 || count == len(d.words) {
		return nil, optionErrorf("test documents: each side needs a document that is on no other (%s on both)", index.Plural(d.left, "document"))
	}
	if len(d.words)*d.n > maxPermuted {
		return nil, optionErrorf("test documents: %s permutations of %s take too much memory", index.Thousands(d.n), index.Plural(len(d.words), "document"))
	}
	for _, n := range d.words {
		d.all += n
	}
	d.permute(count, rand.New(rand.NewPCG(o.Seed, 0)))
	return d, nil
}

// permute puts so many documents on side A, at random, in each permutation.
func (d *documentTest) permute(count int, r *rand.Rand) {
	d.in = make([][]uint64, len(d.words))
	order := make([]int, len(d.words))
	for i := range order {
		order[i] = i
		d.in[i] = make([]uint64, (d.n+63)/64)
	}
	for k := range d.n {
		words := 0.0
		for i := range count {
			j := i + r.IntN(len(order)-i)
			order[i], order[j] = order[j], order[i]
			d.in[order[i]][k/64] |= 1 << (k % 64)
			words += d.words[order[i]]
		}
		d.wordsA, d.scale = append(d.wordsA, words), append(d.scale, d.scaleOf(words))
	}
}

func (d *documentTest) scaleOf(wordsA float64) float64 {
	if wordsA == 0 || wordsA == d.all {
		return 0
	}
	return 1 / (wordsA * (d.all - wordsA))
}

// statistic is the difference of the rates where of so many hits some are on side A, which has so
// many words: the product of all numbers is exact below 2^53.
func (d *documentTest) statistic(hitsA, hits, wordsA, scale float64) float64 {
	return math.Abs(float64(hitsA*d.all)-float64(hits*wordsA)) * scale
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
	wordsA := 0.0
	for i, n := range d.words {
		if d.onA[i] {
			wordsA += n
		}
	}
	// Equal differences may differ in rounding.
	observed := d.statistic(onA, all, wordsA, d.scaleOf(wordsA)) * (1 - 1e-12)
	atLeast, enough := 0, int(surely*float64(d.n+1))
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
			if d.statistic(sums[i], all, d.wordsA[k], d.scale[k]) >= observed {
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
		d, err := newDocumentTest(c.count.s, o)
		if err != nil {
			return err
		}
		c.BothDocuments = uint64(d.left)
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

// withTest fills in the defaults of a test.
func (o *Options) withTest() error {
	if o.Documents == nil {
		return nil
	}
	own := *o.Documents
	if own.Permutations == 0 {
		own.Permutations = DefaultPermutations
	}
	if own.Permutations < 1 {
		return optionErrorf("permutations %d: at least one", own.Permutations)
	}
	o.Documents = &own
	return nil
}
