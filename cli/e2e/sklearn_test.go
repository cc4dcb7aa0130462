package e2e

import (
	"bytes"
	_ "embed"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fstore/cli"
)

var (
	//go:embed train.py
	script string
	//go:embed l1svm.py
	l1SVMScript string
	//go:embed transform.py
	transformScript string
	//go:embed odd.py
	oddScript string
)

// needSklearn returns a Python that has scikit-learn, which is not always the first python3 in the path. If
// there is none, the test is skipped.
func needSklearn(t *testing.T) (python string) {
	t.Helper()
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(p, "-c", "import sklearn").Run() == nil {
			return p
		}
	}
	t.Skip("no python3 with scikit-learn")
	return ""
}

// TestSklearn loads vectors as the message on standard error says, and trains.
func TestSklearn(t *testing.T) {
	python := needSklearn(t)
	d := prepare(t)
	said := program(t, python, "-c", script, d.path("train.svmlight"), d.path("test.svmlight"), d.features)
	m := regexp.MustCompile(`accuracy ([0-9.]+)%`).FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("it said %q", said)
	}
	d.judge(t, "scikit-learn: "+m[0], m[1])
}

// TestFormatsIntoSklearn trains a machine from an npz file, and from svmlight. The predictions must agree
// with those of LIBLINEAR, except for one sample, since both stop near the optimum at different points.
func TestFormatsIntoSklearn(t *testing.T) {
	need(t, "liblinear-train")
	python := needSklearn(t)
	for _, k := range tasks(t) {
		t.Run(k.name, func(t *testing.T) {
			dir := t.TempDir()
			path := func(name string) string { return filepath.Join(dir, name) }
			fstore(t, append([]string{"build", path("s"), k.train, "--space", "stk", "--max-order", "4", "-q"}, k.read...)...)
			var width string
			for part, input := range map[string]string{"train": k.train, "test": k.test} {
				for _, ext := range []string{".svmlight", ".npz"} {
					said := fstore(t, append([]string{"linearize", path("s"), input, "--weight", "kernel", "-o", path(part + ext)}, k.read...)...)
					width = regexp.MustCompile(`n_features=(\d+)`).FindStringSubmatch(said)[1]
				}
			}
			price, _ := bestPrice(t, path("train.svmlight"))
			program(t, "liblinear-train", append(l1SVM, "-c", price, path("train.svmlight"), path("model"))...)
			theirs := percent(t, trainerSays, program(t, "liblinear-predict", path("test.svmlight"), path("model"), path("predicted")))
			samples := float64(len(fields(t, path("predicted"), " ")))
			said := program(t, python, "-c", l1SVMScript, path("train"), path("test"), width, price)
			t.Logf("C %s: liblinear %.2f %%; %s", price, theirs, said)
			npz, svmlight := percent(t, `npz: accuracy ([0-9.]+)%`, said), percent(t, `svmlight: accuracy ([0-9.]+)%`, said)
			if npz != svmlight || math.Abs(npz-theirs)/100*samples > 1.5 || npz < k.least {
				t.Errorf("npz %.2f %%, svmlight %.2f %%, liblinear %.2f %%, want %.2f at least", npz, svmlight, theirs, k.least)
			}
		})
	}
}

// TestPythonClass runs the class that fstore python prints, which runs this test as fstore.
func TestPythonClass(t *testing.T) {
	python := needSklearn(t)
	d := prepare(t)
	said := withClass(t, python, d.dir, transformScript, d.path("demo.store"), d.path("train"), d.path("test"))
	m := regexp.MustCompile(`accuracy ([0-9.]+)%`).FindSubmatch(said)
	if m == nil {
		t.Fatalf("it said %q", said)
	}
	d.judge(t, string(said), string(m[1]))
}

// TestPythonClassOddTexts makes rows of texts that are not exactly one good tree.
func TestPythonClassOddTexts(t *testing.T) {
	python := needSklearn(t)
	dir := t.TempDir()
	s, d := filepath.Join(dir, "s"), filepath.Join(dir, "d")
	for store, text := range map[string]string{s: threeTrees, d: twoSentences} {
		if err := os.WriteFile(store+".txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		fstore(t, "build", store, store+".txt", "-q")
	}
	withClass(t, python, dir, oddScript, s, d)
}

// threeTrees are three trees. The first has 15 fragments of support 2.
const threeTrees = `(S (NP (DT the) (NN cat)) (VP (VBD sat)))
(S (NP (DT the) (NN dog)) (VP (VBD sat)))
(S (NP (DT a) (NN dog)) (VP (VBD ran)))
`

// twoSentences have 3 fragments of support 2.
const twoSentences = `1	the	the	DET	_	_	2	det	_	_
2	cat	cat	NOUN	_	_	3	nsubj	_	_
3	sat	sit	VERB	_	_	0	root	_	_

1	a	a	DET	_	_	2	det	_	_
2	dog	dog	NOUN	_	_	3	nsubj	_	_
3	ran	run	VERB	_	_	0	root	_	_

`

// withClass runs a Python script beside the class that fstore python prints, with this test binary as the
// program. The parameter args has more arguments.
func withClass(t *testing.T, python, dir, script string, args ...string) (said []byte) {
	t.Helper()
	var class bytes.Buffer
	if code := cli.Main([]string{"python"}, strings.NewReader(""), &class, io.Discard); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	if err := os.WriteFile(filepath.Join(dir, "fragments.py"), class.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, append([]string{"-c", script, self}, args...)...)
	c.Env = append(os.Environ(), "PYTHONPATH="+dir, asProgram+"=1")
	if said, err = c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return said
}

// asProgram is the environment variable that makes the test binary work as the program.
const asProgram = "FSTORE_E2E_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}
