package main

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// trained is a system that was trained with a choice, as fstore says.
type trained struct {
	Choice   choice
	UAS      float64 // of lists that it has not learned from, in percent
	Features string  // that the model is over, with a weight and all; or corrections of a kernel machine
	Epochs   int     // of the averaged perceptron
	Beta     float64
}

// train builds the store of a system from the training lists, and mines and trains with each of
// its choices; it returns the one that is best on lists that a model has not learned from, of
// equals the first.
func (e *experiment) train(ctx context.Context, x *system, c int, cost *cost) (best trained, err error) {
	s, dir := e.settings, e.store(x)
	grid, err := x.grid(s, c)
	if err != nil {
		return best, err
	}
	if _, _, err := cost.fstore(ctx, s, x.build(s, dir)...); err != nil {
		return best, err
	}
	var all []trained
	for _, choice := range grid {
		if x.kind == selected {
			if _, _, err := cost.fstore(ctx, s, x.mine(s, dir, choice)...); err != nil {
				return best, err
			}
		}
		_, log, err := cost.fstore(ctx, s, x.learn(s, dir, choice)...)
		if err != nil {
			return best, err
		}
		t := trained{Choice: choice, UAS: heldOut(log), Features: lastOf(features, log), Beta: number(lastOf(beta, log))}
		if t.UAS == 0 || t.Features == "" {
			return best, fmt.Errorf("%s: fstore train does not say what its model comes to", x.name)
		}
		if x.kind != kernel {
			t.Epochs = int(number(lastOf(epochs, log)))
		}
		all = append(all, t)
	}
	return slices.MaxFunc(all, func(a, b trained) int { return cmp.Compare(a.UAS, b.UAS) }), nil
}

// What train says: of lists that a model has not learned from, and of the model, at the end.
var (
	heldOutUAS = regexp.MustCompile(`(?m)^(?:cross-validation|voted), .*: UAS ([0-9.]+) %`)
	features   = regexp.MustCompile(`: ([0-9,]+ features? of [0-9,]*[0-9]|[0-9,]+ corrections?)`)
	beta       = regexp.MustCompile(`, beta ([0-9.e+-]+), `)
	epochs     = regexp.MustCompile(` in the last of ([0-9,]+) epochs?`)
)

// heldOut is the best UAS of lists that a model has not learned from.
func heldOut(log string) (best float64) {
	for _, m := range heldOutUAS.FindAllStringSubmatch(log, -1) {
		best = max(best, number(m[1]))
	}
	return best
}

// lastOf is what a pattern found last, "" for nothing.
func lastOf(pattern *regexp.Regexp, log string) string {
	all := pattern.FindAllStringSubmatch(log, -1)
	if all == nil {
		return ""
	}
	return all[len(all)-1][1]
}

// number is 0 where text is none.
func number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return x
}
