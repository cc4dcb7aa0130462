package gradient

import (
	"fmt"
	"math"
)

// Problem is lists of candidates. Candidate number sample·Classes + class is a sample in
// a class: in K-best lists there is one class, and a candidate is its sample; in
// classification a sample has a candidate for each label.
type Problem struct {
	Samples uint32
	Classes uint32
	Lists   []List
	// Same says of each candidate whether it has the structure of its list's gold one:
	// δ is 0 of these, else 1.
	Same []bool
	// Base is what each candidate scores before any fragment does; nil is 0.
	Base []float64
}

// List is the candidates From ≤ n < To of one sentence, with Gold among them.
type List struct{ From, To, Gold uint32 }

// Candidates is how many there are, Samples × Classes; more than their numbers can say is an
// error.
func (p *Problem) Candidates() (uint32, error) {
	n := uint64(p.Samples) * uint64(p.Classes)
	if n > math.MaxUint32 {
		return 0, fmt.Errorf("%d samples times %d labels are more than %d candidates", p.Samples, p.Classes, uint32(math.MaxUint32))
	}
	return uint32(n), nil
}

// cost is δ.
func (p *Problem) cost(candidate uint32) float64 {
	if p.Same[candidate] {
		return 0
	}
	return 1
}

// worst returns the candidate that violates the margin most, argmax of score + δ; of equal
// ones gold, then the first. value is what it adds to the objective.
func (p *Problem) worst(l *List, score []float64) (best uint32, value float64) {
	best, most := l.Gold, score[l.Gold]
	for n := l.From; n < l.To; n++ {
		if s := score[n] + p.cost(n); s > most {
			best, most = n, s
		}
	}
	return best, most - score[l.Gold]
}

// predict sets best to the candidate of each list that violates the margin most.
func (p *Problem) predict(best []uint32, score []float64) {
	for i := range p.Lists {
		best[i], _ = p.worst(&p.Lists[i], score)
	}
}

// loss is the objective without its norm, summed over the lists in order.
func (p *Problem) loss(score []float64) (sum float64) {
	for i := range p.Lists {
		_, value := p.worst(&p.Lists[i], score)
		sum += value
	}
	return sum
}

// Sides of samples: those whose fragments count for a weight, and those against it.
const (
	goldSide      = 1
	predictedSide = 2
)

// sides sets side[class][sample] for the lists whose best candidate has not the structure
// of gold, and returns how many these are.
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

// soft is the soft threshold: x nearer to 0 by t, and 0 within t of it.
func soft(x, t float64) float64 {
	switch {
	case x > t:
		return x - t
	case x < -t:
		return x + t
	}
	return 0
}

// sign is -1, 0 or 1.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
