package brute

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"fstore/index"
)

// Feature is a basic feature of a sample: its text, and the tokens of its arc.
type Feature struct {
	Text  string
	Where []int32
}

// FeatureWord returns a word as the space `poly` prints it.
func FeatureWord(s *index.Symbols, id uint32) string {
	return strings.NewReplacer("&", `\x26`, "<", `\x3C`, "^", `\x5E`).Replace(s.Text(index.Words, id))
}

// ArcFeatures returns a function that lists the features f(s, head, mod) of all arcs of a sample. At the
// root, head is nil.
func ArcFeatures(rootArcs bool, f func(s *index.Symbols, head, mod *index.Token) []string) func(*index.Tree, *index.Symbols) []Feature {
	return func(t *index.Tree, s *index.Symbols) (all []Feature) {
		for i := range t.Tokens {
			mod, where := &t.Tokens[i], []int32{int32(i)}
			var head *index.Token
			if mod.Head == 0 && !rootArcs {
				continue
			}
			if mod.Head > 0 {
				head = &t.Tokens[mod.Head-1]
				where = append(where, mod.Head-1)
			}
			for _, text := range f(s, head, mod) {
				all = append(all, Feature{text, where})
			}
		}
		return all
	}
}

// FeatureSets lists the fragments of the space `poly`: the sets of features. The parameter `degree` is the
// size of the largest sets. The text of a set has the features in ascending order of rank.
func FeatureSets(features []Feature, degree int, rank func(text string) int) map[string]*Match {
	var distinct []Feature
	for _, f := range features {
		if !slices.ContainsFunc(distinct, func(g Feature) bool { return g.Text == f.Text }) {
			distinct = append(distinct, f)
		}
	}
	slices.SortStableFunc(distinct, func(a, b Feature) int { return rank(a.Text) - rank(b.Text) })
	all := map[string]*Match{}
	for set := 1; set < 1<<len(distinct); set++ {
		var in []string
		where := index.Occurrence{}
		for i, f := range distinct {
			if set>>i&1 == 1 {
				in = append(in, f.Text)
				where = append(where, f.Where...)
			}
		}
		if len(in) > degree {
			continue
		}
		slices.Sort(where)
		all["{"+strings.Join(in, " & ")+"}"] = &Match{
			Order: len(in), Count: 1, Places: 1, Value: SetValue(degree, len(in)), Where: []string{Place(slices.Compact(where))},
		}
	}
	return all
}

// SetValue is the value of a set of r features, as index/README.md, "poly" defines it.
func SetValue(degree, r int) float64 {
	sum := new(big.Int)
	for k := r; k <= degree; k++ {
		x := new(big.Int).Binomial(int64(degree), int64(k))
		sum.Add(sum, x.Mul(x, onto(k, r)))
	}
	f, _ := new(big.Float).SetInt(sum).Float64()
	return math.Sqrt(f)
}

// onto is the number of sequences of length k in which each of r things occurs: r! times the Stirling number
// S(k,r).
func onto(k, r int) *big.Int {
	sum := new(big.Int)
	for i := 0; i <= r; i++ {
		x := new(big.Int).Exp(big.NewInt(int64(r-i)), big.NewInt(int64(k)), nil)
		x.Mul(x, new(big.Int).Binomial(int64(r), int64(i)))
		if i%2 == 1 {
			x.Neg(x)
		}
		sum.Add(sum, x)
	}
	return sum
}
