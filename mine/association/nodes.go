package association

import "math"

// Nodes compares the frequency of a tree with the frequency expected from its nodes. The measures are those
// of word pairs, extended to n words (STARK's documentation).
type Nodes struct {
	Observed float64   // the occurrences of the tree, at least 1
	Each     []float64 // the occurrences of each of its n nodes, at least 1
	N        float64   // the number of nodes in the corpus
}

// Expected returns the product of the counts in x.Each, divided by N^(n-1), where n is the number of nodes.
func (x Nodes) Expected() float64 {
	e := x.N
	for _, c := range x.Each {
		e *= c / x.N
	}
	return e
}

// MI returns log2(Observed/Expected).
func (x Nodes) MI() float64 { return math.Log2(x.Observed / x.Expected()) }

// MI3 returns log2(Observed³/Expected).
func (x Nodes) MI3() float64 {
	return math.Log2(x.Observed / x.Expected() * x.Observed * x.Observed)
}

// Dice returns n·Observed divided by the sum of the counts in Each, where n is the number of nodes.
func (x Nodes) Dice() float64 {
	sum := 0.0
	for _, c := range x.Each {
		sum += c
	}
	return float64(len(x.Each)) * x.Observed / sum
}

// LogDice returns 14 + log2 of Dice.
func (x Nodes) LogDice() float64 { return 14 + math.Log2(x.Dice()) }

// TScore returns (Observed - Expected) divided by the square root of Observed.
func (x Nodes) TScore() float64 { return (x.Observed - x.Expected()) / math.Sqrt(x.Observed) }

// G2 returns the simple log-likelihood 2·(O·ln(O/E) - (O - E)) (Evert 2005). O is Observed, and E is
// Expected.
func (x Nodes) G2() float64 {
	e := x.Expected()
	return max(0, 2*(float64(x.Observed*math.Log(x.Observed/e))-(x.Observed-e)))
}

// SimpleLL returns 2·(O·log10(O/E) - (O - E)), as STARK does, where O is Observed and E is Expected. For a
// test, use G2, which has the natural logarithm.
func (x Nodes) SimpleLL() float64 {
	e := x.Expected()
	return 2 * (float64(x.Observed*math.Log10(x.Observed/e)) - (x.Observed - e))
}
