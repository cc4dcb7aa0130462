package e2e

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fstore/decode/linearize"
	"fstore/decode/predict"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/learn/classes"
	"fstore/mine/learn/linear"
	"fstore/store"
)

// TestObjectives trains fstore and LIBLINEAR on the same vectors, and compares the objectives. LIBLINEAR's
// objective is for one class against the rest.
func TestObjectives(t *testing.T) {
	need(t, "liblinear-train")
	d := prepare(t)
	vectors, set := trainingSet(t, d)
	for _, s := range []struct {
		learner string
		solver  int
		epsilon string // LIBLINEAR's stopping tolerance, small enough for the test
	}{
		{"l1-svm", 5, "1e-6"},
		{"l1-logistic", 6, "1e-6"},
		{"l2-logistic", 0, "1e-6"},
		{"l2-logistic", 7, "1e-4"},
		{"l2-svm", 1, "1e-6"},
	} {
		l, err := linear.Lookup(s.learner)
		if err != nil {
			t.Fatal(err)
		}
		for _, bias := range []float64{0, 1} {
			set := *set
			set.X = withBias(set.X, bias)
			for _, price := range []float64{0.1, 1} {
				m, r, err := linear.Train(t.Context(), l, &set, linear.Options{C: price, Positive: "recipe"})
				if err != nil {
					t.Fatal(err)
				}
				args := []string{"-q", "-s", strconv.Itoa(s.solver), "-c", fmt.Sprint(price), "-e", s.epsilon}
				if bias > 0 {
					args = append(args, "-B", fmt.Sprint(bias))
				}
				program(t, "liblinear-train", append(args, vectors, d.path("theirs"))...)
				theirs := objective(t, s.learner, weightsOf(t, d.path("theirs"), bias), &set, price)
				ours := r.Machines[0].Objective
				t.Logf("%s, -s %d, bias %v, C %v: %.7g, LIBLINEAR %.7g; gap %.1g, %d features",
					s.learner, s.solver, bias, price, ours, theirs, r.Machines[0].Gap(), m.NonZero(0))
				if math.Abs(ours-theirs) > 1e-4*theirs || ours > theirs*(1+2*linear.DefaultTolerance) {
					t.Errorf("%s, -s %d, bias %v, C %v: objective %v, LIBLINEAR's %v", s.learner, s.solver, bias, price, ours, theirs)
				}
			}
		}
	}
}

// trainingSet returns the training samples, and writes them for LIBLINEAR. The label recipe is +1 and comes
// first, so that it is also LIBLINEAR's positive class.
func trainingSet(t *testing.T, d *data) (file string, set *linear.Samples) {
	t.Helper()
	s, err := store.Open(d.path("demo.store"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := spaces.Parse("stk")
	if err != nil {
		t.Fatal(err)
	}
	l, err := linearize.New(s, linearize.Options{Features: []linearize.FeatureSet{{Space: r.Space}}, Normalize: linearize.NormalizeL2})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	training, err := predict.NewTrainingSet(t.Context(), l, 0, 1, index.NoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	var lines [2][]string
	for i := range training.Labels {
		line, at := "-1", 1
		if training.Labels[i][0] == "recipe" {
			line, at = "+1", 0
		}
		ids, values := training.X.Row(i)
		for k, id := range ids {
			line += fmt.Sprintf(" %d:%.17g", id, values[k])
		}
		lines[at] = append(lines[at], line)
	}
	file = d.path("binary.svmlight")
	text := strings.Join(append(lines[0], lines[1]...), "\n") + "\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file, &training.Samples
}

// withBias returns the matrix with one more feature, number 0.
func withBias(x *linear.Matrix, bias float64) *linear.Matrix {
	m := linear.NewMatrix(uint32(x.Columns-1), bias)
	for i := range x.Rows() {
		m.Append(x.Row(i))
	}
	return m
}

// weightsOf returns the weights by feature from a LIBLINEAR model file of two classes.
func weightsOf(t *testing.T, file string, bias float64) []float64 {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(text), "\nw\n")
	w := []float64{0}
	for _, f := range strings.Fields(body) {
		x, err := strconv.ParseFloat(f, 64)
		if err != nil {
			t.Fatal(err)
		}
		w = append(w, x)
	}
	if bias > 0 { // the weight of the bias is in the last line
		w[0] = w[len(w)-1]
		w = w[:len(w)-1]
	}
	return w
}

// objective returns LIBLINEAR's objective, as defined in its README.
func objective(t *testing.T, learner string, w []float64, set *linear.Samples, price float64) (f float64) {
	t.Helper()
	y := classes.Signs(set.Labels, "recipe")
	for _, x := range w {
		if learner == "l2-logistic" || learner == "l2-svm" {
			f += x * x / 2
		} else {
			f += math.Abs(x)
		}
	}
	w = append(w, make([]float64, max(set.X.Columns-len(w), 0))...)
	for i := range y {
		margin := y[i] * set.X.Dot(i, w)
		if learner == "l1-svm" || learner == "l2-svm" {
			f += price * math.Pow(max(0, 1-margin), 2)
		} else {
			f += price * math.Log1p(math.Exp(-margin))
		}
	}
	return f
}

// TestImportedWeights imports the weights that LIBLINEAR has learned. The predictions must be those of
// LIBLINEAR. The probabilities that LIBLINEAR makes from decision values must agree to 1e-6.
func TestImportedWeights(t *testing.T) {
	need(t, "liblinear-train")
	d := prepare(t)
	labels := labelsByNumber(t, d)
	for _, solver := range []string{"0", "1", "4", "5", "6", "7"} {
		for _, args := range [][]string{nil, {"-B", "1"}} {
			program(t, "liblinear-train", append(append([]string{"-q", "-s", solver}, args...), d.path("train.svmlight"), d.path("model"))...)
			fstore(t, "import", d.path("demo.store"), d.path("model"), "--name", "m", "--overwrite", "--normalize", "l2")
			fstore(t, "predict", d.path("demo.store"), d.path("test/*.mrg"), "--model", "m", "-o", d.path("ours.tsv"))
			probabilities := solver == "0" || solver == "6" || solver == "7"
			flag := "0"
			if probabilities {
				flag = "1"
			}
			program(t, "liblinear-predict", "-b", flag, d.path("test.svmlight"), d.path("model"), d.path("theirs"))
			compareWith(t, d, labels, probabilities)
		}
	}
}

// labelsByNumber returns the label for each number that stands for a label in vectors.
func labelsByNumber(t *testing.T, d *data) map[string]string {
	t.Helper()
	fstore(t, "linearize", d.path("demo.store"), "--training", "--label-map", d.path("labels.tsv"), "-o", d.path("all.svmlight"))
	labels := map[string]string{}
	for _, f := range fields(t, d.path("labels.tsv"), "\t") {
		labels[f[0]] = f[1]
	}
	return labels
}

// compareWith compares ours.tsv with LIBLINEAR's predictions.
func compareWith(t *testing.T, d *data, labels map[string]string, probabilities bool) {
	t.Helper()
	ours, theirs := fields(t, d.path("ours.tsv"), "\t"), fields(t, d.path("theirs"), " ")
	column := map[string]int{}
	for i, name := range ours[0] {
		column[name] = i
	}
	ours = ours[1:]
	var order []string // the order of LIBLINEAR's columns
	if probabilities {
		order, theirs = theirs[0][1:], theirs[1:]
	}
	if len(ours) != len(theirs) {
		t.Fatalf("%d predictions, LIBLINEAR's %d", len(ours), len(theirs))
	}
	for i, row := range theirs {
		if got := ours[i][1]; got != labels[row[0]] {
			t.Errorf("tree %d: %s, LIBLINEAR says %s", i, got, labels[row[0]])
		}
		sum := 0.0
		for _, number := range order {
			sum += sigmoid(t, ours[i][column["score:"+labels[number]]])
		}
		for k, number := range order {
			got := sigmoid(t, ours[i][column["score:"+labels[number]]]) / sum
			want, err := strconv.ParseFloat(row[k+1], 64)
			if err != nil {
				t.Fatal(err)
			}
			// LIBLINEAR prints six digits.
			if math.Abs(got-want) > 1e-6 {
				t.Errorf("tree %d, %s: %v, LIBLINEAR says %v", i, labels[number], got, want)
			}
		}
	}
}

// sigmoid returns the probability that LIBLINEAR makes from a decision value, as text.
func sigmoid(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return 1 / (1 + math.Exp(-x))
}

// fields returns the fields of each line of a file.
func fields(t *testing.T, file, separator string) (lines [][]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		lines = append(lines, strings.Split(line, separator))
	}
	return lines
}

// TestTrained checks that models trained by fstore are not worse than models trained by LIBLINEAR.
func TestTrained(t *testing.T) {
	d := prepare(t)
	for _, l := range linear.Learners() {
		fstore(t, "train", d.path("demo.store"), "--name", l.Name, "--learner", l.Name, "--normalize", "l2")
		said := fstore(t, "predict", d.path("demo.store"), d.path("test/*.mrg"), "--label-from", "file", "--model", l.Name, "-o", d.path("ours.tsv"))
		m := regexp.MustCompile(`accuracy ([0-9.]+) %`).FindStringSubmatch(said)
		if m == nil {
			t.Fatalf("predict said %q", said)
		}
		d.judge(t, l.Name+": "+m[0], m[1])
	}
}
