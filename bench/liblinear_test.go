//go:build unix

package bench

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkLIBLINEAR runs train and liblinear-train on the same vectors, in turns. It reports the user CPU
// seconds of both programs. The metric excess is fstore's objective, added up over the labels, divided by
// LIBLINEAR's, less 1.
func BenchmarkLIBLINEAR(b *testing.B) {
	theirs, err := exec.LookPath("liblinear-train")
	if err != nil {
		b.Skip("liblinear-train is not installed")
	}
	for _, set := range []struct {
		name, files string
		flags       []string
	}{
		{"questions", "qc/train_5500.coarse.klp.gz", []string{"--representation", "grct"}},
		{"GUM", "trees/gum-*.mrg.gz", []string{"--label-from", "file", "--max-order", "3"}},
		{"NUM", numTrain, []string{"--max-order", "4"}},
	} {
		b.Run(set.name, func(b *testing.B) {
			bin, dir := program(b), b.TempDir()
			store, vectors := filepath.Join(dir, "s"), filepath.Join(dir, "vectors")
			usage(b, bin, append([]string{"build", "-q", store, filepath.Join(filepath.Dir(dataFile(b, firstOf(b, set.files))), filepath.Base(set.files))}, set.flags...)...)
			usage(b, bin, "linearize", store, "--training", "-q", "-o", vectors)
			for _, l := range []struct {
				solver  int
				learner string
				flags   []string
			}{
				{5, "l1-svm", nil},
				{6, "l1-logistic", nil},
				{0, "l2-logistic", nil},
				{1, "l2-svm", nil},
				{3, "l2-svm", []string{"--loss", "hinge"}},
			} {
				for _, price := range []string{"1", "10"} {
					b.Run(fmt.Sprintf("s%d/C%s", l.solver, price), func(b *testing.B) {
						comparison{bin, theirs, store, vectors}.run(b, l.solver, price, append([]string{"--learner", l.learner}, l.flags...))
					})
				}
			}
		})
	}
}

// firstOf returns the first data file that matches a name with a *.
func firstOf(b *testing.B, name string) string {
	return strings.ReplaceAll(name, "*", "news")
}

// comparison has two programs, and the store and vectors that they train on.
type comparison struct{ bin, theirs, store, vectors string }

func (c comparison) run(b *testing.B, solver int, price string, flags []string) {
	var ours, theirs []float64
	ourModel, theirModel := c.vectors+".ours", c.vectors+".theirs"
	for b.Loop() {
		user, _ := usage(b, c.bin, append([]string{"train", c.store, "-q", "--name", "m", "--overwrite", "-C", price}, flags...)...)
		ours = append(ours, user)
		user, _ = usage(b, c.theirs, "-q", "-s", strconv.Itoa(solver), "-c", price, "-B", "1", "-e", "1e-4", c.vectors, theirModel)
		theirs = append(theirs, user)
	}
	os.Remove(ourModel)
	usage(b, c.bin, "export", "-q", c.store, "m", ourModel, "--liblinear")
	price64, _ := strconv.ParseFloat(price, 64)
	f, g := c.objective(b, ourModel, solver, price64), c.objective(b, theirModel, solver, price64)
	b.ReportMetric(median(ours), "fstore-s")
	b.ReportMetric(median(theirs), "liblinear-s")
	b.ReportMetric(median(ours)/median(theirs), "ratio")
	b.ReportMetric(f/g-1, "excess")
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// objective returns the objective of a LIBLINEAR model file, as LIBLINEAR's README defines it, added up over
// all labels.
func (c comparison) objective(b *testing.B, model string, solver int, price float64) (sum float64) {
	b.Helper()
	head, body, ok := strings.Cut(string(readFile(b, model)), "\nw\n")
	if !ok {
		b.Fatalf("%s is no model file", model)
	}
	var labels []string
	for _, line := range strings.Split(head, "\n") {
		if f := strings.Fields(line); f[0] == "label" {
			labels = f[1:]
		}
	}
	machines := len(labels)
	if machines == 2 {
		machines = 1
	}
	var w []float64
	for _, f := range strings.Fields(body) {
		x, err := strconv.ParseFloat(f, 64)
		if err != nil {
			b.Fatal(err)
		}
		w = append(w, x)
		if solver == 5 || solver == 6 {
			sum += math.Abs(x)
		} else {
			sum += x * x / 2
		}
	}
	bias := w[len(w)-machines:]
	for _, line := range strings.Split(strings.TrimSpace(string(readFile(b, c.vectors))), "\n") {
		f := strings.Fields(line)
		for k := range machines {
			score := bias[k]
			for _, x := range f[1:] {
				id, value, _ := strings.Cut(x, ":")
				j, err := strconv.Atoi(id)
				if err != nil {
					b.Fatal(err)
				}
				v, err := strconv.ParseFloat(value, 64)
				if err != nil {
					b.Fatal(err)
				}
				score += v * w[(j-1)*machines+k]
			}
			if strings.TrimPrefix(f[0], "+") != strings.TrimPrefix(labels[k], "+") {
				score = -score
			}
			sum += price * lossOf(solver, score)
		}
	}
	return sum
}

// lossOf returns the loss of a LIBLINEAR solver at a margin.
func lossOf(solver int, margin float64) float64 {
	switch solver {
	case 0, 6:
		return math.Log1p(math.Exp(-margin))
	case 3:
		return max(0, 1-margin)
	}
	return math.Pow(max(0, 1-margin), 2)
}

func readFile(b *testing.B, name string) []byte {
	b.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	return text
}
