package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// system is a row of table 2.
type system struct {
	name  string
	kind  kind
	space func(s *settings) string
	order int // largest order of the stored fragments
	// degree is the degree of the kernel, or 0 if the kernel has none. A degree limits the order of the mined
	// fragments.
	degree int
}

// kind is how a system learns.
type kind uint8

const (
	templates kind = iota // averaged perceptron over all stored fragments
	selected              // averaged perceptron over mined fragments
	kernel                // voting kernel perceptrons, one for each chunk
)

// allSystems are of three kinds: templates, features selected in the space of a kernel, and the kernel itself.
var allSystems = []system{
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

// dep returns the paper's space. A fragment does not skip a dependent between two others of the same head.
func dep(s *settings) string { return "dep:siblings=adjacent," + s.space }

func poly(degree int) func(*settings) string {
	return func(s *settings) string { return fmt.Sprintf("poly:degree=%d,%s", degree, s.space) }
}

func systemNames() (names []string) {
	for _, s := range allSystems {
		names = append(names, s.name)
	}
	return names
}

func systemNamed(name string) (system, error) {
	i := slices.Index(systemNames(), name)
	if i < 0 {
		return system{}, fmt.Errorf("-systems: no %q: there are %s", name, strings.Join(systemNames(), ", "))
	}
	return allSystems[i], nil
}

// choice holds the settings that tune tries. fstore itself chooses β and the epochs.
type choice struct {
	C      int     // least count of mined fragments
	Order  int     // largest order to mine; 0: no mining
	Lambda float64 // decay of a kernel; 0: none
}

// number returns the ending of the names of the choice's selection and model.
func (c choice) number() string { return fmt.Sprint(cmp.Or(float64(c.Order), c.Lambda)) }

// maxOrders returns the largest orders to try in mining, as text separated by commas.
func (x *system) maxOrders(s *settings) string {
	if x.degree > 0 {
		return strconv.Itoa(min(x.degree, s.polyOrder))
	}
	return s.orders
}

// grid returns the choices to try for a system. There is always at least one.
func (x *system) grid(s *settings, c int) (all []choice, err error) {
	orders, err := numbers("max-orders", x.maxOrders(s), strconv.Atoi)
	if err != nil {
		return nil, err
	}
	lambdas, err := numbers("lambdas", s.lambdas, float)
	if err != nil {
		return nil, err
	}
	switch {
	case x.kind == selected:
		for _, order := range orders {
			all = append(all, choice{C: c, Order: order})
		}
	case x.kind == kernel && x.degree == 0:
		for _, lambda := range lambdas {
			all = append(all, choice{Lambda: lambda})
		}
	default:
		all = append(all, choice{})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no choice of -max-orders or -lambdas", x.name)
	}
	return all, nil
}

// buildArgs returns the arguments of the command that makes a store of the training lists.
func (x *system) buildArgs(s *settings, store string) []string {
	kbest, gold := s.lists(s.train)
	return []string{
		"build", store, kbest, "--gold", gold, "--space", x.space(s), "--overwrite",
		"--max-order", strconv.Itoa(x.order), "--min-support", strconv.Itoa(s.support), "--workers", strconv.Itoa(s.workers),
	}
}

// store returns the store directory of a system.
func (x *system) store(s *settings) string { return filepath.Join(s.out, x.name+".store") }

// selection returns the name that a choice's selection has in the store.
func (c choice) selection() string { return "sel" + c.number() }
func (c choice) model() string     { return "m" + c.number() }

// miningLog returns the file that mining writes its iterations to.
func miningLog(store string, c choice) string { return store + "." + c.number() + ".log" }

// mineArgs returns the arguments of the command that mines a selection from all lists, and for each fold a
// selection from the other folds.
func (x *system) mineArgs(s *settings, store string, c choice) []string {
	args := []string{
		"mine", store, "--name", c.selection(), "--by", "gradient", "--min-count", strconv.Itoa(c.C), "--max-order", strconv.Itoa(c.Order),
		"--base", fmt.Sprint(s.base), "--iterations", strconv.Itoa(s.iterations), "--per-fold", "--folds", s.foldFile(), "--memory", s.memory, "--max-fragments", "0",
		"--log", miningLog(store, c), "--workers", strconv.Itoa(s.workers),
	}
	return append(args, strings.Fields(s.mine)...)
}

// learnArgs returns the arguments of the command that trains a model.
func (x *system) learnArgs(s *settings, store string, c choice) []string {
	args := []string{"train", store, "--name", c.model(), "--workers", strconv.Itoa(s.workers), "--learner"}
	if x.kind == kernel {
		args = append(args, "voted-perceptron", "--kernel", x.space(s), "--chunks", strconv.Itoa(s.chunks))
		if c.Lambda > 0 {
			args = append(args, "--lambda", fmt.Sprint(c.Lambda))
		}
		return args
	}
	args = append(args, "averaged-perceptron", "--beta", "grid", "--folds", s.foldFile(), "--epochs", strconv.Itoa(s.epochs), "--memory", s.memory)
	if x.kind == selected {
		args = append(args, "--selection", c.selection())
	}
	return args
}

// chooseArgs returns the arguments of the command that chooses from the test lists.
func (x *system) chooseArgs(s *settings, store string, c choice, trees string) []string {
	kbest, gold := s.lists(s.test)
	return []string{"predict", store, kbest, "--gold", gold, "--model", c.model(), "--trees", trees, "--workers", strconv.Itoa(s.workers)}
}
