package gradient

import (
	"fmt"
	"math"
)

// Problem is a set of lists of candidates. The index of a candidate is:
//   - in classification: sample·Classes + label
//   - in K-best lists: its sample; Classes is 1
type Problem struct {
	Samples uint32
	Classes uint32
	Lists   []List
	// Same says for each candidate whether it has the structure of its list's gold candidate.
	Same []bool
	// Base has the score of each candidate without the weights of its fragments; nil means zeros.
	Base []float64
}

// List has the candidates From ≤ n < To of one sentence. Gold is one of them.
type List struct{ From, To, Gold uint32 }

// Candidates returns the number of candidates, or an error if the number exceeds a uint32.
func (p *Problem) Candidates() (uint32, error) {
	n := uint64(p.Samples) * uint64(p.Classes)
	if n > math.MaxUint32 {
		return 0, fmt.Errorf("%d samples times %d labels are more than %d candidates", p.Samples, p.Classes, uint32(math.MaxUint32))
	}
	return uint32(n), nil
}

// cost returns δ of a candidate: 0 if the candidate has the structure of its list's gold candidate, else 1.
func (p *Problem) cost(candidate uint32) float64 {
	if p.Same[candidate] {
		return 0
	}
	return 1
}

// worst returns the candidate of l with the largest score plus cost, and what the list adds to the objective.
// Among equal candidates, the gold one comes first.
func (p *Problem) worst(l *List, score []float64) (best uint32, value float64) {
	best, most := l.Gold, score[l.Gold]
	for n := l.From; n < l.To; n++ {
		if s := score[n] + p.cost(n); s > most {
			best, most = n, s
		}
	}
	return best, most - score[l.Gold]
}

// predict finds the candidate of each list that violates the margin most.
func (p *Problem) predict(best []uint32, score []float64) {
	for i := range p.Lists {
		best[i], _ = p.worst(&p.Lists[i], score)
	}
}

// loss returns the objective without the term C·‖w‖₁, summed over the lists in order.
func (p *Problem) loss(score []float64) (sum float64) {
	for i := range p.Lists {
		_, value := p.worst(&p.Lists[i], score)
		sum += value
	}
	return sum
}

// The two sides of an iteration: fragments of gold samples gain weight, and those of predicted samples lose
// weight.
const (
	goldSide      = 1
	predictedSide = 2
)

// sides sets the sides of the gold and the best candidate in each wrong list, and returns the number of wrong
// lists. A list is wrong if its best candidate does not have the gold structure.
func (p *Problem) sides(side [][]uint8, best []uint32) (wrong int) {
	for c := range side {
		clear(side[c])
	}
	for i, b := range best {
		if p.Same[b] {
			continue
		}
		wrong++
		gold := p.Lists[i].Gold
		side[gold%p.Classes][gold/p.Classes] = goldSide
		side[b%p.Classes][b/p.Classes] = predictedSide
	}
	return wrong
}

// soft is the soft threshold: it returns x moved towards 0 by t, or 0 if |x| is at most t.
func soft(x, t float64) float64 {
	switch {
	case x > t:
		return x - t
	case x < -t:
		return x + t
	}
	return 0
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
