package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"fstore/bench/reproduce/markdown"
	"fstore/index"
)

// si05Result is a cell of table 2.
type si05Result struct {
	kernel        string
	size          int
	tau           float64
	right, tested int
	fragments     int // mean over the folds
}

func (r *si05Result) accuracy() float64 { return float64(r.right) / float64(r.tested) }

// result sums the results of the folds. For each fold it takes the λ that is best on the development
// questions.
func (r *si05Run) result(size int, tau float64) si05Result {
	x := si05Result{kernel: r.name, size: size, tau: tau}
	for fold := range r.s.tested {
		best := cell{Development: -1}
		for _, lambda := range r.decays(size) {
			if c, _ := r.cells.Found(r.key(size, tau, fold, lambda)); c.Development > best.Development {
				best = c
			}
		}
		x.right += best.Test
		x.tested += best.Tested
		x.fragments += best.Fragments
	}
	x.fragments /= r.s.tested
	return x
}

// name returns the name of the row of table 2 that has this result.
func (r *si05Result) name() string {
	if r.tau == 0 {
		return r.kernel
	}
	return fmt.Sprintf("%s+FS, τ = %g", r.kernel, r.tau)
}

// reportSI05 prints the accuracies, the numbers of fragments, and whether the paper's claim holds. The
// results come row by row of the table.
func reportSI05(s *settings, all []si05Result, w io.Writer) error {
	fmt.Fprintf(w, "Table 2: accuracy over the six classes, by the largest size of a fragment; C %g, λ of %s, %d of %d folds: %s questions.\n\n",
		s.price, s.lambdas, s.tested, si05Folds, index.Thousands(all[0].tested))
	head := []string{"n"}
	for _, size := range si05Sizes {
		head = append(head, sizeText(size))
	}
	var rows, counts [][]string
	for from := 0; from < len(all); from += len(si05Sizes) {
		row, count := []string{all[from].name()}, []string{all[from].name()}
		for i := range si05Sizes {
			r := &all[from+i]
			n := index.Thousands(r.fragments)
			if r.tau == 0 && r.size == noLimit {
				n = "all"
			}
			row, count = append(row, fmt.Sprintf("%.3f", r.accuracy())), append(count, n)
		}
		rows, counts = append(rows, row), append(counts, count)
	}
	if err := markdown.Table(w, head, rows); err != nil {
		return err
	}
	fmt.Fprint(w, "Fragments, on average over the folds:\n\n")
	if err := markdown.Table(w, head, counts); err != nil {
		return err
	}
	for from := 0; from < len(all); from += len(si05Sizes) * len(si05Taus) {
		if err := claim(all[from:from+len(si05Sizes)*len(si05Taus)], w); err != nil {
			return err
		}
	}
	return nil
}

// claim prints whether selection keeps the accuracy of a kernel when larger fragments are allowed. The loss
// is the best accuracy minus that without a limit on the size. The claim is confirmed if two things hold:
//   - The plain kernel loses more than one standard error.
//   - At each τ, the kernel with selection loses less.
func claim(all []si05Result, w io.Writer) error {
	loss := func(row []si05Result) (points, best float64) {
		for i := range row {
			best = max(best, row[i].accuracy())
		}
		return best - row[len(row)-1].accuracy(), best
	}
	n := len(si05Sizes)
	plain, best := loss(all[:n])
	standard := math.Sqrt(best * (1 - best) / float64(all[0].tested))
	holds := plain > standard
	text := ""
	for from := n; from < len(all); from += n {
		selected, _ := loss(all[from : from+n])
		holds = holds && selected < plain
		text += fmt.Sprintf(", %s %.1f", all[from].name(), 100*selected)
	}
	verdict := "refuted"
	if holds {
		verdict = "confirmed"
	}
	_, err := fmt.Fprintf(w, "Points lost from the best size to no limit: %s %.1f%s (standard error %.1f): %s.\n\n", all[0].name(), 100*plain, text, 100*standard, verdict)
	return err
}

// reproduceSI05 runs the experiment and prints its report.
func reproduceSI05(ctx context.Context, s *settings, w io.Writer) error {
	if s.tested < 1 || s.tested > si05Folds {
		return fmt.Errorf("-folds: 1 to %d", si05Folds)
	}
	var lambdas []float64
	for text := range strings.SplitSeq(s.lambdas, ",") {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x > 0 && x <= 1) {
			return fmt.Errorf("-lambdas: %q is no decay", text)
		}
		lambdas = append(lambdas, x)
	}
	var results []si05Result
	for _, of := range si05Spaces {
		r, err := s.openSI05(ctx, of, lambdas)
		if err != nil {
			return err
		}
		for _, tau := range si05Taus {
			for _, size := range si05Sizes {
				if words := singleWords(results, of.name, size, tau); words != nil {
					results = append(results, *words)
					continue
				}
				if err := r.all(ctx, size, tau); err != nil {
					return errors.Join(err, r.cells.Close())
				}
				results = append(results, r.result(size, tau))
			}
		}
		if err := r.cells.Close(); err != nil {
			return err
		}
	}
	return reportSI05(s, results, w)
}

// singleWords copies the result for size 1 from the other kernel, or returns nil. Fragments of size 1 are
// single words in both kernels.
func singleWords(found []si05Result, kernel string, size int, tau float64) *si05Result {
	for _, r := range found {
		if size == 1 && r.size == 1 && r.tau == tau {
			r.kernel = kernel
			return &r
		}
	}
	return nil
}
