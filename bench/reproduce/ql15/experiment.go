package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"fstore/bench/reproduce/ledger"
	"fstore/mine/gradient"
	"fstore/store"
)

// experiment is the state that all rows of the tables share.
type experiment struct {
	settings *settings
	inputs   string // hash of the lists
	found    *ledger.Ledger[row]
}

// row is a trained system with its results.
type row struct {
	Name       string
	Trees      string // names the file of trees chosen from the test lists, see settings.trees
	Trained    trained
	Templates  uint64 // number of stored templates; Iterations has the number of mined ones
	Iterations []gradient.Iteration
	Training   cost // includes building, mining, and choosing the settings
	Testing    cost
}

func newExperiment(ctx context.Context, s *settings) (*experiment, error) {
	if s.folds < 2 {
		return nil, fmt.Errorf("-folds: at least 2")
	}
	inputs, err := hashLists(s, s.train, s.test)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(writeBaselines(ctx, s), writeFolds(ctx, s)); err != nil {
		return nil, err
	}
	l, err := ledger.Open[row](filepath.Join(s.out, "found.jsonl"))
	return &experiment{settings: s, inputs: inputs, found: l}, err
}

// row returns the row of a system with this C, from the ledger or by training and testing the system.
func (e *experiment) row(ctx context.Context, x *system, c int, name string) (row, error) {
	s := e.settings
	key := e.key(x, c, name)
	return e.found.Get(key, func() (r row, err error) {
		r.Name, r.Trees = name, fmt.Sprintf("%s-%016x", name, xxh3.HashString(key))
		if r.Trained, err = x.tune(ctx, s, c, &r.Training); err != nil {
			return r, err
		}
		dir := x.store(s)
		switch x.kind {
		case selected:
			r.Iterations, err = readLog(miningLog(dir, r.Trained.Choice))
		case templates:
			r.Templates, err = stored(dir)
		}
		if err != nil {
			return r, err
		}
		_, _, err = r.Testing.fstore(ctx, s, x.chooseArgs(s, dir, r.Trained.Choice, s.trees(r.Trees))...)
		return r, err
	})
}

// key returns the name of a row in the ledger. The name contains everything that the row depends on, except
// the fstore binary.
func (e *experiment) key(x *system, c int, name string) string {
	s := e.settings
	key := fmt.Sprintf("%s, trained on %s, chosen from %s (lists %s), %s, support %d", name, s.train, s.test, e.inputs, x.space(s), s.support)
	switch x.kind {
	case templates:
		return fmt.Sprintf("%s, folds %d, epochs %d", key, s.folds, s.epochs)
	case kernel:
		return fmt.Sprintf("%s, chunks %d, lambdas %s", key, s.chunks, s.lambdas)
	}
	return fmt.Sprintf("%s, C %d, orders %s, epochs %d, base %g, iterations %d, memory %s, folds %d, %s", key, c, x.maxOrders(s), s.epochs, s.base, s.iterations, s.memory, s.folds, s.mine)
}

// stored returns the number of templates of all fragments in a store.
func stored(dir string) (n uint64, err error) {
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		return 0, err
	}
	for _, info := range s.Meta().Spaces {
		for order, templates := range info.Templates {
			if order > 0 {
				n += templates
			}
		}
	}
	return n, s.Close()
}

// readLog reads the log of mining. The iterations over all lists come last, after those of the folds.
func readLog(path string) (all []gradient.Iteration, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var i gradient.Iteration
		if err := json.Unmarshal(lines.Bytes(), &i); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, i)
	}
	return all, lines.Err()
}
