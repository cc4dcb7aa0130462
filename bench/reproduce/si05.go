package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/bench/reproduce/ledger"
	"fstore/index/expansion"
	"fstore/index/spaces"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/svm"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// Suzuki & Isozaki 2005, question classification. Support vector machines use a sequence kernel (SK) or an
// embedded-tree kernel (TK). Fragments have any size, or at most a given number of symbols. The kernel uses
// all fragments, or only those with a χ² of at least τ (FS).
//
// There are ten folds. In each run eight folds are for training, one for choosing λ, and one for testing.
// Fragments are selected from the eight training folds only.

// si05Space is one of the two kernels.
type si05Space struct {
	name           string // the paper's name of the kernel
	space          string
	representation string // the questions' representation
}

var si05Spaces = []si05Space{
	{"SK", "seq", "grct"}, // the words are the leaves
	{"TK", "emb", "loct"},
}

// noLimit is the size limit that allows fragments of any size.
const noLimit = 0

var si05Sizes = []int{1, 2, 3, 4, noLimit}

// si05Taus are the thresholds of χ²: none (0), and the critical values for the levels 0.05 and 0.01.
var si05Taus = []float64{0, 3.84, 6.63}

// si05Support is the least support of a selected fragment. Without it, most selected fragments occur only
// once, in a question of a rare class.
const si05Support = 2

// si05Folds is the number of folds. The flag -folds can limit the number of folds that are tested.
const si05Folds = 10

// cell is the result of testing a fold. Development and Test count correct predictions, Tested the test
// questions, and Fragments the selected fragments.
type cell struct{ Development, Test, Tested, Fragments int }

// si05Run is the experiment with one kernel.
type si05Run struct {
	*questions
	si05Space
	s       *settings
	lambdas []float64
	folds   crossval.Folds
	l       *crossval.Labelled
	cells   *ledger.Ledger[cell]
}

// openSI05 prepares the store and the folds.
func (s *settings) openSI05(ctx context.Context, of si05Space, lambdas []float64) (*si05Run, error) {
	r := &si05Run{
		questions: &questions{
			dir: filepath.Join(s.out, "si05-"+of.space+".store"), training: s.find(trainingFile), representation: of.representation,
		},
		si05Space: of, s: s, lambdas: lambdas,
	}
	if err := r.build(ctx, of.space+":max-order=1", s.workers); err != nil {
		return nil, err
	}
	err := r.with(func(st *store.Store) (err error) {
		r.l, err = crossval.ReadLabelled(ctx, st)
		return err
	})
	if err != nil {
		return nil, err
	}
	if r.folds, err = crossval.Stratified(r.l.Labels, si05Folds, s.seed); err != nil {
		return nil, err
	}
	r.cells, err = ledger.Open[cell](filepath.Join(s.out, "si05-"+of.space+".jsonl"))
	return r, err
}

// choose selects fragments from the questions that are not held out, and returns the number of fragments.
func (r *si05Run) choose(ctx context.Context, size int, tau float64, without *roaring.Bitmap) (n uint64, err error) {
	support := uint32(si05Support)
	o := selection.Options{
		Name: r.selection(), Overwrite: true, Space: r.space, By: "chi2", Tau: &tau,
		MinSupport: &support, MaxOrder: &size, Without: without, Workers: r.s.workers,
	}
	if tau == 0 {
		support, o.By, o.Tau = 1, "support", nil // every fragment up to this size
	}
	return r.selectFragments(ctx, o)
}

func (*si05Run) selection() string { return "selected" }

// decays returns the values of λ to choose from. For fragments of size 1, λ makes no difference.
func (r *si05Run) decays(size int) []float64 {
	if size == 1 {
		return []float64{1}
	}
	return r.lambdas
}

// all tests the folds with one size and threshold. It skips folds with a result in the ledger.
func (r *si05Run) all(ctx context.Context, size int, tau float64) error {
	// Without selection, all folds share the vectors or kernel rows of all questions.
	whole := tau == 0
	known := true
	for fold := range r.s.tested {
		for _, lambda := range r.decays(size) {
			_, have := r.cells.Found(r.key(size, tau, fold, lambda))
			known = known && have
		}
	}
	if known {
		return nil
	}
	n := uint64(0)
	if whole && size != noLimit {
		var err error
		if n, err = r.choose(ctx, size, 0, nil); err != nil {
			return err
		}
	}
	if whole {
		for _, lambda := range r.decays(size) {
			err := r.over(ctx, size != noLimit, lambda, func(h *svm.HoldOut) error {
				for fold := range r.s.tested {
					if err := r.fold(ctx, h, size, tau, fold, lambda, int(n)); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	for fold := range r.s.tested {
		without := roaring.New()
		for _, i := range r.held(fold) {
			without.Add(r.l.ID[i])
		}
		n, err := r.choose(ctx, size, tau, without)
		if err != nil {
			return err
		}
		for _, lambda := range r.decays(size) {
			err := r.over(ctx, true, lambda, func(h *svm.HoldOut) error {
				return r.fold(ctx, h, size, tau, fold, lambda, int(n))
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// over calls f with a predictor for the kernel, over all fragments or over the selection only.
func (r *si05Run) over(ctx context.Context, selected bool, lambda float64, f func(*svm.HoldOut) error) error {
	return r.with(func(st *store.Store) (err error) {
		space, err := spaces.Parse(r.space)
		if err != nil {
			return err
		}
		k := svm.Config{Space: space.Space, Lambda: lambda, Normalize: true}
		if selected {
			sel, err := query.OpenSelection(st, r.selection())
			if err != nil {
				return err
			}
			var x *expansion.Index
			if x, err = sel.OpenExpansion(); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, x.Close()) }()
			k.Fragments = x
		}
		h, err := svm.NewHoldOut(ctx, st, svm.Options{Config: k, Workers: r.s.workers})
		if err != nil {
			return err
		}
		return f(h)
	})
}

// parts returns the questions of the next fold for development, and those of this fold for testing.
func (r *si05Run) parts(fold int) (development, test []int) {
	_, test = r.folds.Split(fold)
	_, development = r.folds.Split((fold + 1) % r.folds.Count())
	return development, test
}

func (r *si05Run) held(fold int) []int {
	development, test := r.parts(fold)
	return append(development, test...)
}

func (r *si05Run) key(size int, tau float64, fold int, lambda float64) string {
	return fmt.Sprintf("%s size %s tau %v fold %d seed %d C %v lambda %v", r.space, sizeText(size), tau, fold+1, r.s.seed, r.s.price, lambda)
}

func sizeText(size int) string {
	if size == noLimit {
		return "∞"
	}
	return strconv.Itoa(size)
}

// fold predicts the development and test questions of a fold, and writes the numbers of correct predictions
// into the ledger.
func (r *si05Run) fold(ctx context.Context, h *svm.HoldOut, size int, tau float64, fold int, lambda float64, fragments int) error {
	_, err := r.cells.Get(r.key(size, tau, fold, lambda), func() (cell, error) {
		held := r.held(fold)
		development, test := r.parts(fold)
		c := cell{Tested: len(test), Fragments: fragments}
		predicted, err := h.Predict(ctx, held, r.s.price)
		gold := h.Gold()
		for i, label := range predicted {
			switch {
			case gold[held[i]][0] != label:
			case i < len(development):
				c.Development++
			default:
				c.Test++
			}
		}
		return c, err
	})
	return err
}
