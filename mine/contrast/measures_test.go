package contrast_test

import (
	"math"
	"testing"

	"fstore/mine/contrast"
)

// Every measure by hand. Side a is 4 sentences of 12 words in all, side b 3 of 10;
// (N x) occurs 6 times in 3 sentences of a, once in b; (N z) never in a, 4 times in two
// sentences of b.
func TestByHand(t *testing.T) {
	tab := fixed(t,
		"a d x x x", "a d x x w", "a e x w w", "a e w w w",
		"b f x z z w", "b f z z w", "b g w w w")
	ln := math.Log
	log2 := math.Log2
	erfc := func(g2 float64) float64 { return math.Erfc(math.Sqrt(g2 / 2)) }

	// Occurrences per words: the table 6 1 / 6 9, margins 7 15 12 10, N 22.
	x := find(t, tab, contrast.Options{A: "a", B: "b"}, "(N x)")
	g2 := 2 * (6*ln(6*22/(7*12.0)) + 1*ln(1*22/(7*10.0)) + 6*ln(6*22/(15*12.0)) + 9*ln(9*22/(15*10.0)))
	same(t, "x", x, row{freqA: 6, freqB: 1, docsA: 2, docsB: 1, m: contrast.Measures{
		PerMillionA: 500_000, PerMillionB: 100_000, LogRatio: log2(5),
		G2: g2, Chi2: 22 * 48 * 48 / (7 * 15 * 12 * 10.0), P: erfc(g2), BIC: g2 - ln(22),
		OddsRatio: 9, PctDiff: 400,
		// The ends of R's binom.test(6, 7), 0.4212768 and 0.9963897, as odds, by 10/12.
		Low: log2(.4212768 / .5787232 * 10 / 12), High: log2(.9963897 / .0036103 * 10 / 12), LRC: 0,
	}})
	// A count of 0 is one half in ratios: the table 0 4 / 12 6, margins 4 18 12 10.
	z := find(t, tab, contrast.Options{A: "a", B: "b", Confidence: 0.5}, "(N z)")
	g2 = 2 * (4*ln(4*22/(4*10.0)) + 12*ln(12*22/(18*12.0)) + 6*ln(6*22/(18*10.0)))
	high := math.Pow(0.25, 1.0/4) // of four events all were b's: its share is at least that
	high = -log2(high / (1 - high) * 12 / 10)
	same(t, "z", z, row{freqB: 4, docsB: 1, m: contrast.Measures{
		PerMillionB: 400_000, LogRatio: log2(.5 / 12 * 10 / 4),
		G2: -g2, Chi2: -22 * 48 * 48 / (4 * 18 * 12 * 10.0), P: erfc(g2), BIC: g2 - ln(22),
		OddsRatio: .5 * 6 / (4 * 12), PctDiff: -100, Low: math.Inf(-1), High: high, LRC: high,
	}})
	// The other way round a difference by 0 is one by one half.
	z = find(t, tab, contrast.Options{A: "b", B: "a", Confidence: 0.5}, "(N z)")
	same(t, "z", z, row{freqA: 4, docsA: 1, m: contrast.Measures{
		PerMillionA: 400_000, LogRatio: -log2(.5 / 12 * 10 / 4),
		G2: g2, Chi2: 22 * 48 * 48 / (4 * 18 * 12 * 10.0), P: erfc(g2), BIC: g2 - ln(22),
		OddsRatio: 4 * 12 / (.5 * 6), PctDiff: 100 * (.4 * 12 / .5), Low: -high, High: math.Inf(1), LRC: -high,
	}})

	// Sentences per sentences: the table 3 1 / 1 2, margins 4 3 4 3, N 7.
	x = find(t, tab, contrast.Options{A: "a", B: "b", Count: contrast.Sentences}, "(N x)")
	g2 = 2 * (3*ln(3*7/(4*4.0)) + ln(7/(4*3.0)) + ln(7/(3*4.0)) + 2*ln(2*7/(3*3.0)))
	if x.freqA != 3 || x.freqB != 1 || !near(x.m.G2, g2) || !near(x.m.Chi2, 7*25/144.0) || !near(x.m.OddsRatio, 6) || !near(x.m.PctDiff, 125) {
		t.Errorf("%+v, G² %v", x, g2)
	}
	// Occurrences per sentences are rates, 6 in 4 and 1 in 3: of 7, 4 and 3 expected.
	x = find(t, tab, contrast.Options{A: "a", B: "b", Per: contrast.Sentences}, "(N x)")
	if g2 = 2 * (6*ln(6/4.0) + ln(1/3.0)); !near(x.m.G2, g2) || !near(x.m.Chi2, 1+4/3.0) || !math.IsNaN(x.m.OddsRatio) || !near(x.m.PctDiff, 350) {
		t.Errorf("%+v, G² %v", x, g2)
	}
	// Documents per words, of the rest, which is b.
	x = find(t, tab, contrast.Options{A: "a", Count: contrast.Documents, Per: contrast.Words}, "(N x)")
	if x.freqA != 2 || x.freqB != 1 || !near(x.m.PerMillionA, 2e6/12) || !near(x.m.OddsRatio, 2*9/10.0) {
		t.Errorf("%+v", x)
	}
}

// P-values are adjusted among all rows: with All, those of all fragments.
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
