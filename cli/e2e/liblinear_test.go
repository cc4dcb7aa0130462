// Package e2e trains other people's programs on what fstore writes. It runs where
// FSTORE_E2E is set (make e2e), and then a missing program is a failure.
package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fstore/cli"
)

const samples = "../../bench/sample/*.mrg"

// fstore runs a command line in process.
func fstore(t *testing.T, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := cli.Main(args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("fstore %s: exit code %d\n%s", strings.Join(args, " "), code, errs.String())
	}
}

// program runs another program and returns what it printed.
func program(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// split deals the trees of each sample file out to train/ and test/, every fourth
// to the latter, so that file names stay the labels. It returns the share of the
// most frequent label among the test trees: what a classifier gets for nothing.
func split(t *testing.T, dir string) (chance float64) {
	t.Helper()
	files, err := filepath.Glob(samples)
	if err != nil || len(files) < 2 {
		t.Fatalf("%s: %v, %v", samples, files, err)
	}
	most, all := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var parts [2]strings.Builder
		tested := 0
		// A tree begins at the start of a line; what it continues on is indented.
		for i, tree := range regexp.MustCompile(`(?m)^\(`).Split(string(text), -1)[1:] {
			part := &parts[0]
			if i%4 == 3 {
				part = &parts[1]
				tested++
			}
			part.WriteString("(" + tree)
		}
		most, all = max(most, tested), all+tested
		for i, name := range []string{"train", "test"} {
			path := filepath.Join(dir, name, filepath.Base(file))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(parts[i].String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return float64(most) / float64(all)
}

// TestLIBLINEAR trains a genre classifier on vectors of new trees, and asks it of
// trees that neither the store nor it has seen.
func TestLIBLINEAR(t *testing.T) {
	if os.Getenv("FSTORE_E2E") == "" {
		t.Skip("FSTORE_E2E is not set: make e2e")
	}
	dir := t.TempDir()
	chance := split(t, dir)
	in := func(name string) string { return filepath.Join(dir, name) }

	fstore(t, "build", in("demo.store"), in("train/*.mrg"), "--label-from", "file", "--quiet")
	for _, part := range []string{"train", "test"} {
		fstore(t, "linearize", in("demo.store"), in(part+"/*.mrg"), "--label-from", "file",
			"--normalize", "l2", "-o", in(part+".svmlight"))
	}
	program(t, "liblinear-train", "-q", in("train.svmlight"), in("model"))
	said := program(t, "liblinear-predict", in("test.svmlight"), in("model"), in("predicted"))

	m := regexp.MustCompile(`Accuracy = ([0-9.]+)%`).FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("liblinear-predict said %q", said)
	}
	accuracy, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("liblinear: %s against %.0f%% for the most frequent label\n", strings.TrimSpace(said), 100*chance)
	if accuracy/100 < chance+0.2 {
		t.Errorf("accuracy %.1f%%, and the most frequent label alone gets %.1f%%", accuracy, 100*chance)
	}
}
