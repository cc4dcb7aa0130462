package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// row is a system in the table.
type row struct {
	name     string
	features string // with a weight, or corrections of a kernel machine
	training cost
	testing  cost
}

// system is what is trained.
type system struct {
	name string
	// train trains the model m in a store of the training lists, and returns the closing line.
	train func(ctx context.Context, s *settings, c *cost, store, space string) (line string, err error)
	space func(s *settings) string
	order func(s *settings) int // of the fragments that are stored
}

// systems are the rows of table 2: templates, features selected in the spaces of kernels, and
// the kernels themselves.
var systems = []system{
	{"templates", linear(""), dep, func(*settings) int { return 2 }},
	{"dep", linear("dep"), dep, func(*settings) int { return 1 }},
	{"poly2", linear("poly"), poly(2), func(*settings) int { return 1 }},
	{"poly4", linear("poly"), poly(4), func(*settings) int { return 1 }},
	{"poly8", linear("poly"), poly(8), func(*settings) int { return 1 }},
	{"dep-kernel", kernel, dep, func(*settings) int { return 1 }},
	{"poly2-kernel", kernel, poly(2), func(*settings) int { return 1 }},
	{"poly4-kernel", kernel, poly(4), func(*settings) int { return 1 }},
	{"poly8-kernel", kernel, poly(8), func(*settings) int { return 1 }},
}

func dep(s *settings) string { return "dep:" + s.space }

func poly(degree int) func(*settings) string {
	return func(s *settings) string { return fmt.Sprintf("poly:degree=%d,%s", degree, s.space) }
}

func systemNames() (names []string) {
	for _, s := range systems {
		names = append(names, s.name)
	}
	return names
}

func systemNamed(name string) (*system, error) {
	for i := range systems {
		if systems[i].name == name {
			return &systems[i], nil
		}
	}
	return nil, fmt.Errorf("-systems: no %q: there are %s", name, strings.Join(systemNames(), ", "))
}

// run trains a system on the training lists, and chooses from the test lists.
func (x *system) run(ctx context.Context, s *settings) (row, error) {
	r := row{name: x.name}
	store := filepath.Join(s.out, x.name+".store")
	kbest, gold := s.lists(s.train)
	_, _, err := r.training.fstore(ctx, s, "build", store, kbest, "--gold", gold, "--space", x.space(s), "--overwrite",
		"--max-order", strconv.Itoa(x.order(s)), "--min-support", strconv.Itoa(s.support), "--workers", strconv.Itoa(s.workers))
	if err != nil {
		return r, err
	}
	line, err := x.train(ctx, s, &r.training, store, x.space(s))
	if err != nil {
		return r, err
	}
	r.features = features(line)
	kbest, gold = s.lists(s.test)
	_, _, err = r.testing.fstore(ctx, s, "predict", store, kbest, "--gold", gold, "--model", "m", "--trees", s.trees(x.name),
		"--workers", strconv.Itoa(s.workers))
	return r, err
}

// linear trains an averaged perceptron over the stored fragments, or those that the gradient
// selects in a space of this kind.
func linear(selected string) func(context.Context, *settings, *cost, string, string) (string, error) {
	return func(ctx context.Context, s *settings, c *cost, store, _ string) (string, error) {
		args := []string{"train", store, "--name", "m", "--learner", "averaged-perceptron", "--workers", strconv.Itoa(s.workers)}
		if selected != "" {
			mine := []string{
				"mine", store, "--name", "sel", "--by", "gradient", "--min-count", strconv.Itoa(s.minCount), "--base", fmt.Sprint(s.base),
				"--workers", strconv.Itoa(s.workers),
			}
			if selected == "dep" {
				mine = append(mine, "--max-order", strconv.Itoa(s.orders))
			}
			if _, _, err := c.fstore(ctx, s, mine...); err != nil {
				return "", err
			}
			args = append(args, "--selection", "sel")
		}
		_, log, err := c.fstore(ctx, s, args...)
		return log, err
	}
}

// kernel trains a kernel perceptron in chunks.
func kernel(ctx context.Context, s *settings, c *cost, store, space string) (string, error) {
	_, log, err := c.fstore(ctx, s, "train", store, "--name", "m", "--learner", "voted-perceptron", "--kernel", space,
		"--chunks", strconv.Itoa(s.chunks), "--workers", strconv.Itoa(s.workers))
	return log, err
}

var counted = regexp.MustCompile(`: ([0-9,]+ features?|[0-9,]+ corrections?) of `)

// features is what a closing line says that a model has.
func features(line string) string {
	m := counted.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return m[1]
}
