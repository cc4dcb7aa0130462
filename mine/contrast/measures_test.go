package contrast_test

import (
	"io"
	"math"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/contrast"
)

// All measures are computed by hand. Side a has 4 sentences with 12 words in all, side b has 3 sentences with
// 10 words. (N x) occurs 6 times in 3 sentences of a, and once in b. (N z) never occurs in a, and 4 times in
// 2 sentences of b.
func TestByHand(t *testing.T) {
	tab := fixed(t,
		"a d x x x", "a d x x w", "a e x w w", "a e w w w",
		"b f x z z w", "b f z z w", "b g w w w")
	ln := math.Log
	log2 := math.Log2

	// Occurrences per words: the table 6 1 / 6 9, margins 7 15 12 10, N 22. There are C(22, 7) ways to draw 7
	// words. In 9240 + 792 of them, 6 or 7 words are from a. In 2520 + 120 of them, 1 or 0 words are from a,
	// which is at least as far from the expected 3.8.
	x := find(t, tab, contrast.Options{A: "a", B: "b"}, "(N x)")
	g2 := 2 * (6*ln(6*22/(7*12.0)) + 1*ln(1*22/(7*10.0)) + 6*ln(6*22/(15*12.0)) + 9*ln(9*22/(15*10.0)))
	same(t, "x", x, row{freqA: 6, freqB: 1, docsA: 2, docsB: 1, m: contrast.Measures{
		PerMillionA: 500_000, PerMillionB: 100_000, LogRatio: log2(5),
		G2: g2, Chi2: 22 * 48 * 48 / (7 * 15 * 12 * 10.0), P: (9240 + 792 + 2520 + 120) / 170544.0, BIC: g2 - ln(22),
		OddsRatio: 9, PctDiff: 400,
		// In R, binom.test(6, 7) has the interval from 0.4212768 to 0.9963897. The ends become odds,
		// multiplied by 10 / 12.
		Low: log2(.4212768 / .5787232 * 10 / 12), High: log2(.9963897 / .0036103 * 10 / 12), LRC: 0,
	}})
	// A count of 0 counts as one half in ratios. The table is 0 4 / 12 6, with margins 4 18 12 10.
	z := find(t, tab, contrast.Options{A: "a", B: "b", Confidence: 0.5}, "(N z)")
	g2 = 2 * (4*ln(4*22/(4*10.0)) + 12*ln(12*22/(18*12.0)) + 6*ln(6*22/(18*10.0)))
	high := math.Pow(0.25, 1.0/4) // all four events are from b; this is the lower end of b's share
	high = -log2(high / (1 - high) * 12 / 10)
	same(t, "z", z, row{freqB: 4, docsB: 1, m: contrast.Measures{
		PerMillionB: 400_000, LogRatio: log2(.5 / 12 * 10 / 4),
		G2: -g2, Chi2: -22 * 48 * 48 / (4 * 18 * 12 * 10.0), P: 210 / 7315.0, BIC: g2 - ln(22),
		OddsRatio: .5 * 6 / (4 * 12), PctDiff: -100, Low: math.Inf(-1), High: high, LRC: high,
	}})
	// With the sides exchanged, a division by 0 becomes a division by one half.
	z = find(t, tab, contrast.Options{A: "b", B: "a", Confidence: 0.5}, "(N z)")
	same(t, "z", z, row{freqA: 4, docsA: 1, m: contrast.Measures{
		PerMillionA: 400_000, LogRatio: -log2(.5 / 12 * 10 / 4),
		G2: g2, Chi2: 22 * 48 * 48 / (4 * 18 * 12 * 10.0), P: 210 / 7315.0, BIC: g2 - ln(22),
		OddsRatio: 4 * 12 / (.5 * 6), PctDiff: 100 * (.4 * 12 / .5), Low: -high, High: math.Inf(1), LRC: -high,
	}})

	// Sentences per sentences: the table 3 1 / 1 2, margins 4 3 4 3, N 7.
	x = find(t, tab, contrast.Options{A: "a", B: "b", Count: contrast.Sentences}, "(N x)")
	g2 = 2 * (3*ln(3*7/(4*4.0)) + ln(7/(4*3.0)) + ln(7/(3*4.0)) + 2*ln(2*7/(3*3.0)))
	if x.freqA != 3 || x.freqB != 1 || !near(x.m.G2, g2) || !near(x.m.Chi2, 7*25/144.0) || !near(x.m.OddsRatio, 6) || !near(x.m.PctDiff, 125) {
		t.Errorf("%+v, G² %v", x, g2)
	}
	// Occurrences per sentences are rates: 6 in 4 sentences and 1 in 3. Of the 7 occurrences, 4 and 3 are
	// expected.
	x = find(t, tab, contrast.Options{A: "a", B: "b", Per: contrast.Sentences}, "(N x)")
	if g2 = 2 * (6*ln(6/4.0) + ln(1/3.0)); !near(x.m.G2, g2) || !near(x.m.Chi2, 1+4/3.0) || !math.IsNaN(x.m.OddsRatio) || !near(x.m.PctDiff, 350) {
		t.Errorf("%+v, G² %v", x, g2)
	}
	// P is the sum of C(7, k)·4ᵏ·3⁷⁻ᵏ / 7⁷ over k = 6, 7 and over k = 2, 1, 0, which are at least as far from
	// 4.
	if !near(x.m.P, (86016+16384+81648+20412+2187)/823543.0) {
		t.Errorf("%+v", x)
	}
	// Sentences per words are rates. Side B is the rest, which here is label b.
	x = find(t, tab, contrast.Options{A: "a", Count: contrast.Sentences, Per: contrast.Words}, "(N x)")
	if x.freqA != 3 || x.freqB != 1 || !near(x.m.PerMillionA, 3e6/12) || !math.IsNaN(x.m.OddsRatio) {
		t.Errorf("%+v", x)
	}
}

// The p-value is exact also if the expected counts are large. The tail of χ² for G² would be 0.0086 here.
func TestExactEverywhere(t *testing.T) {
	var sentences []string
	for i := range 20 {
		sentences = append(sentences, []string{"a d x", "a d y"}[min(1, i/12)], []string{"b d x", "b d y"}[min(1, i/4)])
	}
	// The table is 12 4 / 8 16, where 8 and 12 are expected. P is the sum of C(20, k)·C(20, 16-k) / C(40, 16)
	// over k ≥ 12, and over k ≤ 4, which gives the same sum.
	x := find(t, fixed(t, sentences...), contrast.Options{A: "a", B: "b", Count: contrast.Sentences}, "(N x)")
	ln := math.Log
	if g2 := 2 * (12*ln(12/8.0) + 4*ln(4/8.0) + 8*ln(8/12.0) + 16*ln(16/12.0)); !near(x.m.G2, g2) || !near(x.m.P, 1412753550/62852101650.0) {
		t.Errorf("%+v, G² %v", x, g2)
	}
}

// If one fragment occurs more often than there are words, all rows compare rates.
func TestOneDefinition(t *testing.T) {
	few := fixed(t, "a d x x", "b d x")
	c, all := rows(t, few, contrast.Options{A: "a", B: "b"})
	if !c.Shares {
		t.Error("occurrences below the number of words are rates")
	}
	for _, r := range all {
		if math.IsNaN(r.m.OddsRatio) {
			t.Errorf("%s: no odds ratio", r.text)
		}
	}
	// (N (N)) occurs four times, although a has only one word.
	many := open(t, vfs.NewMem(), func(s *index.Symbols) (index.Source, error) {
		return &chains{b: index.Builder{Symbols: s}, left: []int{1, 1, 5}}, nil
	})
	c, all = rows(t, many, contrast.Options{A: "a", B: "b", All: true})
	if c.Shares {
		t.Error("more occurrences than words are shares")
	}
	rates := 0
	for _, r := range all {
		x := association.Rates{A: float64(r.freqA), B: float64(r.freqB), NA: 1, NB: 2}
		if !math.IsNaN(r.m.OddsRatio) || !near(math.Abs(r.m.G2), x.G2()) || !near(math.Abs(r.m.Chi2), x.ChiSquared()) {
			t.Errorf("%s: %+v", r.text, r.m)
		}
		if r.freqA <= 1 && r.freqB <= 2 {
			rates++
		}
	}
	if rates == 0 {
		t.Error("no row that would have a table of its own")
	}
}

// chains is a source with a tree for each number: a chain of that many N over one word. The first tree has
// label a, the others b.
type chains struct {
	b    index.Builder
	left []int
}

func (c *chains) Next(t *index.Tree) error {
	if len(c.left) == 0 {
		return io.EOF
	}
	last := len(c.left) - 1
	depth := c.left[last]
	c.left = c.left[:last]
	c.b.Start(t, false)
	for range depth {
		c.b.Open([]byte("N"))
	}
	c.b.Word([]byte("x"))
	for range depth {
		c.b.Close()
	}
	if t.Label = "b"; depth > 1 {
		t.Label = "a"
	}
	return nil
}

// The difference of a fragment that A does not have is exactly -100 %.
func TestPctDiffOfNone(t *testing.T) {
	none := 0
	for seed := range uint64(8) {
		_, all := rows(t, random(t, seed, false), contrast.Options{A: "x", B: "y"})
		for _, r := range all {
			if r.freqA > 0 {
				continue
			}
			if none++; r.m.PctDiff != -100 {
				t.Errorf("%s: %v", r.text, r.m.PctDiff)
			}
		}
	}
	if none < 10 {
		t.Error("hardly a fragment that A has not")
	}
}

// P-values are adjusted to the number of all rows. With All, each fragment has a row.
func TestAdjusted(t *testing.T) {
	tab := fixed(t, "a d x y", "a d x y", "a d x y", "a d x y", "b d z z", "b d z z", "b d z w")
	for _, o := range []contrast.Options{{A: "a"}, {A: "a", All: true}} {
		o.Adjust = contrast.Bonferroni
		c, all := rows(t, tab, o)
		o.Adjust = contrast.FDR
		_, fdr := rows(t, tab, o)
		o.Adjust = contrast.NoAdjust
		_, raw := rows(t, tab, o)
		for i, r := range raw {
			rank := 0
			for _, s := range raw {
				if s.m.P <= r.m.P {
					rank++
				}
			}
			want := 1.0
			for _, s := range raw {
				if s.m.P < r.m.P {
					continue
				}
				k := 0
				for _, u := range raw {
					if u.m.P <= s.m.P {
						k++
					}
				}
				want = min(want, s.m.P*float64(len(raw))/float64(k))
			}
			if r.m.Adjusted != r.m.P || !near(all[i].m.Adjusted, min(1, r.m.P*float64(c.Rows))) || !near(fdr[i].m.Adjusted, want) {
				t.Errorf("%s: %v, Bonferroni %v, FDR %v, want %v", r.text, r.m.P, all[i].m.Adjusted, fdr[i].m.Adjusted, want)
			}
			if !(all[i].m.Low < r.m.Low || math.IsInf(r.m.Low, -1)) {
				t.Errorf("%s: the intervals of all rows together are wider: %v, %v", r.text, all[i].m.Low, r.m.Low)
			}
		}
	}
}
