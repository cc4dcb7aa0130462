package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// system is a row of table 2.
type system struct {
	name  string
	kind  kind
	space func(s *settings) string
	order int // the largest order of the fragments that are stored
	// degree is the order of what is mined; 0 is to be chosen
	degree int
}

// kind is how a system learns.
type kind uint8

const (
	templates kind = iota // averaged perceptron over all stored fragments
	selected              // averaged perceptron over what is mined
	kernel                // kernel perceptrons in chunks, which vote
)

// systems are templates, features selected in the spaces of kernels, and the kernels
// themselves.
var systems = []system{
	{"templates", templates, dep, 2, 0},
	{"dep", selected, dep, 1, 0},
	{"poly2", selected, poly(2), 1, 2},
	{"poly4", selected, poly(4), 1, 4},
	{"poly8", selected, poly(8), 1, 8},
	{"dep-kernel", kernel, dep, 1, 0},
	{"poly2-kernel", kernel, poly(2), 1, 2},
	{"poly4-kernel", kernel, poly(4), 1, 4},
	{"poly8-kernel", kernel, poly(8), 1, 8},
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

func systemNamed(name string) (system, error) {
	i := slices.Index(systemNames(), name)
	if i < 0 {
		return system{}, fmt.Errorf("-systems: no %q: there are %s", name, strings.Join(systemNames(), ", "))
	}
	return systems[i], nil
}

// choice is what a system is trained with, beside what the flags say for all.
type choice struct {
	C      int     // of what is mined
	Order  int     // the largest that is mined; 0: nothing is
	Epochs int     // 0: as cross-validation within train says, which then finds β
	Lambda float64 // of a kernel that decays; 0: none
	Beta   float64
}

// grid is the choices of a system, one at least, without β; those that mine the same stand side by side.
func (x *system) grid(s *settings, c int) (all []choice, err error) {
	orders, err := numbers("max-orders", s.orders, strconv.Atoi)
	if err != nil {
		return nil, err
	}
	epochs, err := numbers("epochs", s.epochs, strconv.Atoi)
	if err != nil {
		return nil, err
	}
	lambdas, err := numbers("lambdas", s.lambdas, float)
	if err != nil {
		return nil, err
	}
	switch {
	case x.kind == kernel && x.degree == 0:
		for _, lambda := range lambdas {
			all = append(all, choice{Lambda: lambda})
		}
	case x.kind != selected:
		all = append(all, choice{})
	default:
		if x.degree > 0 {
			orders = []int{x.degree}
		}
		for _, order := range orders {
			for _, n := range epochs {
				all = append(all, choice{C: c, Order: order, Epochs: n})
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no choice of -max-orders, -epochs or -lambdas", x.name)
	}
	return all, nil
}

// build is the command that makes a store of lists.
func (x *system) build(s *settings, store, lists string) []string {
	kbest, gold := s.lists(lists)
	return []string{
		"build", store, kbest, "--gold", gold, "--space", x.space(s), "--overwrite",
		"--max-order", strconv.Itoa(x.order), "--min-support", strconv.Itoa(s.support), "--workers", strconv.Itoa(s.workers),
	}
}

// mine is the command that selects fragments, and logs iterations to a file; nil where nothing
// is selected.
func (x *system) mine(s *settings, store string, c choice, log string) []string {
	if x.kind != selected {
		return nil
	}
	args := []string{
		"mine", store, "--name", "sel", "--overwrite", "--by", "gradient", "--min-count", strconv.Itoa(c.C), "--max-order", strconv.Itoa(c.Order),
		"--base", fmt.Sprint(s.base), "--iterations", strconv.Itoa(s.iterations), "--memory", s.memory, "--max-fragments", "0",
		"--log", log, "--workers", strconv.Itoa(s.workers),
	}
	return append(args, strings.Fields(s.mine)...)
}

// learn is the command that trains the model m.
func (x *system) learn(s *settings, store string, c choice) []string {
	args := []string{"train", store, "--name", "m", "--overwrite", "--workers", strconv.Itoa(s.workers), "--learner"}
	if x.kind == kernel {
		args = append(args, "voted-perceptron", "--kernel", x.space(s), "--chunks", strconv.Itoa(s.chunks))
		if c.Lambda > 0 {
			args = append(args, "--lambda", fmt.Sprint(c.Lambda))
		}
		return args
	}
	args = append(args, "averaged-perceptron")
	if x.kind == selected {
		args = append(args, "--selection", "sel")
	}
	if c.Epochs > 0 {
		args = append(args, "--epochs", strconv.Itoa(c.Epochs), "--beta", fmt.Sprint(c.Beta))
	}
	return args
}

// choose is the command that chooses from lists.
func (x *system) choose(s *settings, store, lists, trees string) []string {
	kbest, gold := s.lists(lists)
	return []string{"predict", store, kbest, "--gold", gold, "--model", "m", "--trees", trees, "--workers", strconv.Itoa(s.workers)}
}
