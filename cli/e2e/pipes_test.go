package e2e

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// task has labelled trees for training, and other labelled trees for testing.
type task struct {
	name        string
	train, test string   // inputs
	read        []string // flags to read them with
	two         bool     // labels
	least       float64  // least accuracy of LIBLINEAR on test, in percent
}

// tasks returns a task made of the repository's treebank, and two tasks from FSTORE_DATA. These are questions
// about numbers against all others, and questions of six classes.
func tasks(t *testing.T) []task {
	t.Helper()
	if os.Getenv("FSTORE_E2E") == "" {
		t.Skip("FSTORE_E2E is not set: make e2e")
	}
	dir := t.TempDir()
	split(t, dir)
	genres := task{
		name: "genres", train: filepath.Join(dir, "train", "[ln]*.mrg"), test: filepath.Join(dir, "test", "[ln]*.mrg"),
		read: []string{"--label-from", "file"}, two: true, least: 70,
	}
	if os.Getenv("FSTORE_DATA") == "" {
		return []task{genres}
	}
	return []task{
		genres,
		{name: "num", train: golden(t, "golden/num.train.svmtk.gz"), test: golden(t, "golden/num.test.svmtk.gz"), two: true, least: 96},
		{
			name: "qc", train: golden(t, "qc/train_5500.coarse.klp.gz"), test: golden(t, "qc/TREC_10.coarse.klp.gz"),
			read: []string{"--representation", "grct"}, least: 89.5,
		},
	}
}

// golden returns the path of a file below FSTORE_DATA or beside it.
func golden(t *testing.T, name string) string {
	t.Helper()
	for _, place := range []string{".", "data", ".."} {
		path := filepath.Join(os.Getenv("FSTORE_DATA"), place, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("FSTORE_DATA has no %s", name)
	return ""
}

// first removes all but the first n lines of a file.
func first(t *testing.T, n int, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if err := os.WriteFile(file, bytes.Join(lines[:min(n, len(lines))], nil), 0o644); err != nil {
		t.Fatal(err)
	}
}

// percent finds an accuracy in the output of a program.
func percent(t *testing.T, pattern, said string) float64 {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("it said %q", said)
	}
	x, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

const (
	trainerSays = `Accuracy = ([0-9.]+)%`
	fstoreSays  = `accuracy ([0-9.]+) %`
)

// need skips the test if a program is missing.
func need(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skip(err)
	}
}

// l1SVM are LIBLINEAR's flags for train --learner l1-svm.
var l1SVM = []string{"-q", "-s", "5", "-B", "1"}

// bestPrice finds the best C by cross-validation, and returns it with its accuracy.
func bestPrice(t *testing.T, train string) (price string, best float64) {
	t.Helper()
	for _, c := range []string{"0.1", "1", "10"} {
		said := program(t, "liblinear-train", append(l1SVM, "-v", "5", "-c", c, train)...)
		if x := percent(t, trainerSays, said); x > best {
			price, best = c, x
		}
	}
	return price, best
}

// TestFeaturesIntoLIBLINEAR trains LIBLINEAR on vectors with the values of the kernel. C is found on the
// training samples. The predictions of train --learner l1-svm must be the same, except for two samples.
func TestFeaturesIntoLIBLINEAR(t *testing.T) {
	need(t, "liblinear-train")
	for _, k := range tasks(t) {
		t.Run(k.name, func(t *testing.T) {
			dir := t.TempDir()
			path := func(name string) string { return filepath.Join(dir, name) }
			with := func(flags []string, args ...string) []string { return append(args, flags...) }
			fstore(t, with(k.read, "build", path("s"), k.train, "--space", "stk", "--max-order", "4", "-q")...)
			// The vectors of the stored samples are the same as the vectors of their trees in the input.
			fstore(t, "linearize", path("s"), "--training", "--weight", "kernel", "-o", path("train"), "-q")
			fstore(t, with(k.read, "linearize", path("s"), k.train, "--weight", "kernel", "-o", path("again"), "-q")...)
			same(t, path("train"), path("again"))
			fstore(t, with(k.read, "linearize", path("s"), k.test, "--weight", "kernel", "-o", path("test"), "-q")...)

			price, best := bestPrice(t, path("train"))
			program(t, "liblinear-train", append(l1SVM, "-c", price, path("train"), path("model"))...)
			theirs := percent(t, trainerSays, program(t, "liblinear-predict", path("test"), path("model"), path("predicted")))
			fstore(t, "train", path("s"), "--name", "m", "--learner", "l1-svm", "--weight", "kernel", "-C", price, "-q")
			ours := percent(t, fstoreSays, fstore(t, with(k.read, "predict", path("s"), k.test, "--model", "m", "-o", path("ours.tsv"))...))
			samples := float64(len(fields(t, path("predicted"), " ")))
			t.Logf("C %s (%.2f %% on training, -v 5): liblinear %.2f %%, train --learner l1-svm %.2f %%, of %.0f samples", price, best, theirs, ours, samples)
			if theirs < k.least {
				t.Errorf("liblinear: %.2f %%, want %.2f at least", theirs, k.least)
			}
			if apart := math.Abs(theirs-ours) / 100 * samples; apart > 2.5 {
				t.Errorf("%.0f samples apart", apart)
			}
		})
	}
}

// same checks that two files have the same bytes.
func same(t *testing.T, a, b string) {
	t.Helper()
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(x, y) {
		t.Errorf("%s and %s differ", a, b)
	}
}

// libsvmSamples is the number of training samples in a kernel matrix.
const libsvmSamples = 1500

// TestKernelIntoLIBSVM trains LIBSVM on a matrix of kernels. The predictions of train --learner svm must be
// the same, except for one sample.
func TestKernelIntoLIBSVM(t *testing.T) {
	need(t, "svm-train")
	for _, k := range tasks(t) {
		if !k.two {
			continue // LIBSVM compares each pair of labels, but train compares each label with the rest
		}
		t.Run(k.name, func(t *testing.T) {
			dir := t.TempDir()
			path := func(name string) string { return filepath.Join(dir, name) }
			for part, input := range map[string]string{"train": k.train, "test": k.test} {
				fstore(t, append([]string{"cat", input, "--to", "svmtk", "-q", "-o", path(part)}, k.read...)...)
			}
			first(t, libsvmSamples, path("train"))
			fstore(t, "kernel", path("train"), "--format", "libsvm", "--normalize", "kernel", "-o", path("train.k"), "-q")
			fstore(t, "kernel", path("test"), path("train"), "--format", "libsvm", "--normalize", "kernel", "-o", path("test.k"), "-q")
			program(t, "svm-train", "-q", "-t", "4", "-c", "10", path("train.k"), path("model"))
			theirs := percent(t, trainerSays, program(t, "svm-predict", path("test.k"), path("model"), path("predicted")))

			fstore(t, "build", path("s"), path("train"), "--space", "stk", "--max-order", "1", "-q")
			fstore(t, "train", path("s"), "--name", "m", "--learner", "svm", "--kernel", "stk", "-C", "10", "-q")
			ours := percent(t, fstoreSays, fstore(t, "predict", path("s"), path("test"), "--model", "m", "-o", path("ours.tsv")))
			samples := float64(len(fields(t, path("predicted"), " ")))
			t.Logf("svm-train -t 4: %.2f %%, train --learner svm %.2f %%, of %.0f samples", theirs, ours, samples)
			if apart := math.Abs(theirs-ours) / 100 * samples; apart > 1.5 {
				t.Errorf("%.0f samples apart", apart)
			}
		})
	}
}
