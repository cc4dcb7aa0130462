package svm

import (
	"context"
	"math/rand/v2"
)

// perceptron is a voted perceptron in its dual form (Freund & Schapire 1999; for trees, Collins & Duffy 2001,
// §5). A correction adds a sample, times its sign, to the machine.
type perceptron struct {
	rows   *kernelRows
	y      []float64 // 1 or −1
	epochs int
	order  func(epoch int) []int // the samples in the order of an epoch
}

// run returns the corrections. There are no votes before the first correction, because all scores are then 0.
func (p *perceptron) run(ctx context.Context) ([]Step, error) {
	score := make([]float64, len(p.y)) // the score of each sample by the machine so far
	steps := []Step{}
	for epoch := range p.epochs {
		wrong := 0
		for _, i := range p.order(epoch) {
			if p.y[i]*score[i] > 0 {
				if n := len(steps); n > 0 {
					steps[n-1].Votes++
				}
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			row, err := p.rows.get(i)
			if err != nil {
				return nil, err
			}
			wrong++
			for t, k := range row {
				score[t] += p.y[i] * k
			}
			steps = append(steps, Step{Vector: uint32(i), Sign: int8(p.y[i]), Votes: 1})
		}
		if wrong == 0 {
			break // further epochs would only change the votes of the last machine
		}
	}
	return steps, nil
}

// shuffled returns a function that orders the samples of an epoch. Seed 0 stands for the order of the store.
func shuffled(n int, seed uint64) func(epoch int) []int {
	order := make([]int, n)
	return func(epoch int) []int {
		for i := range order {
			order[i] = i
		}
		if seed != 0 {
			r := rand.New(rand.NewPCG(seed, uint64(epoch)))
			r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		return order
	}
}

// average returns the mean weight of each of the n vectors. A machine counts as often as it has votes.
func average(steps []Step, n int) []float64 {
	weights := make([]float64, n)
	all := uint64(0)
	for _, s := range steps {
		all += s.Votes
	}
	left := all
	for _, s := range steps {
		weights[s.Vector] += float64(s.Sign) * (float64(left) / float64(all))
		left -= s.Votes
	}
	return weights
}

// vote returns the share of votes for the positive label minus the share against it.
func vote(steps []Step, row []float64) float64 {
	score, votes, all := 0.0, 0.0, 0.0
	for _, s := range steps {
		score += float64(s.Sign) * row[s.Vector]
		v := float64(s.Votes)
		all += v
		switch {
		case score > 0:
			votes += v
		case score < 0:
			votes -= v
		}
	}
	if all == 0 {
		return 0
	}
	return votes / all
}
