package main

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// trained holds a choice and what fstore printed about the model trained with it.
type trained struct {
	Choice   choice
	UAS      float64 // on lists outside the model's training, in percent
	Features string  // number of features with a weight and of all; for a kernel machine, number of corrections
	Epochs   int     // epochs of the averaged perceptron
	Beta     float64
}

// tune builds the store of a system, trains with each choice of settings, and returns the choice with the
// best UAS on held-out lists.
func (x *system) tune(ctx context.Context, s *settings, c int, cost *cost) (best trained, err error) {
	dir := x.store(s)
	grid, err := x.grid(s, c)
	if err != nil {
		return best, err
	}
	if _, _, err := cost.fstore(ctx, s, x.buildArgs(s, dir)...); err != nil {
		return best, err
	}
	var all []trained
	for _, choice := range grid {
		if x.kind == selected {
			if _, _, err := cost.fstore(ctx, s, x.mineArgs(s, dir, choice)...); err != nil {
				return best, err
			}
		}
		_, log, err := cost.fstore(ctx, s, x.learnArgs(s, dir, choice)...)
		if err != nil {
			return best, err
		}
		t := trained{Choice: choice, UAS: heldOut(log), Features: lastOf(features, log), Beta: number(lastOf(beta, log))}
		if t.UAS == 0 || t.Features == "" {
			return best, fmt.Errorf("%s: fstore train does not say what its model comes to", x.name)
		}
		if x.kind != kernel {
			t.Epochs = int(number(lastOf(epochCount, log)))
		}
		all = append(all, t)
	}
	return slices.MaxFunc(all, func(a, b trained) int { return cmp.Compare(a.UAS, b.UAS) }), nil
}

// Patterns for the output of fstore train. The first finds the UAS on held-out lists, the others read the
// last line.
var (
	heldOutUAS = regexp.MustCompile(`(?m)^(?:cross-validation|voted), .*: UAS ([0-9.]+) %`)
	features   = regexp.MustCompile(`: ([0-9,]+ features? of [0-9,]*[0-9]|[0-9,]+ corrections?)`)
	beta       = regexp.MustCompile(`, beta ([0-9.e+-]+), `)
	epochCount = regexp.MustCompile(` in the last of ([0-9,]+) epochs?`)
)

// heldOut returns the best UAS on held-out lists in the log of a training.
func heldOut(log string) (best float64) {
	for _, m := range heldOutUAS.FindAllStringSubmatch(log, -1) {
		best = max(best, number(m[1]))
	}
	return best
}

// lastOf returns the text of the group in a pattern's last match, or "" if there is no match.
func lastOf(pattern *regexp.Regexp, log string) string {
	all := pattern.FindAllStringSubmatch(log, -1)
	if all == nil {
		return ""
	}
	return all[len(all)-1][1]
}

// number parses a number. It returns 0 if text is not a number.
func number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return x
}
