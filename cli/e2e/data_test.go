package e2e

import (
	"bytes"
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

// data is a set of vectors for training and testing.
type data struct {
	dir      string
	chance   float64 // the share of the most frequent label
	features string  // what the command printed about the number of features
}

func (d *data) path(name string) string { return filepath.Join(d.dir, name) }

// prepare makes train.svmlight and test.svmlight from the sample treebank.
func prepare(t *testing.T) *data {
	t.Helper()
	if os.Getenv("FSTORE_E2E") == "" {
		t.Skip("FSTORE_E2E is not set: make e2e")
	}
	d := &data{dir: t.TempDir()}
	d.chance = split(t, d.dir)
	fstore(t, "build", d.path("demo.store"), d.path("train/*.mrg"), "--label-from", "file", "--quiet")
	for _, part := range []string{"train", "test"} {
		d.features = fstore(t, "linearize", d.path("demo.store"), d.path(part+"/*.mrg"), "--label-from", "file",
			"--normalize", "l2", "-o", d.path(part+".svmlight"))
	}
	return d
}

// judge checks that an accuracy is higher than by chance.
func (d *data) judge(t *testing.T, said, percent string) {
	t.Helper()
	accuracy, err := strconv.ParseFloat(percent, 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s; the most frequent label alone gets %.0f%%", said, 100*d.chance)
	if accuracy/100 < d.chance+0.2 {
		t.Errorf("accuracy %.1f%%", accuracy)
	}
}

// fstore runs a command line in this process and returns its messages.
func fstore(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := cli.Main(args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("fstore %s: exit code %d\n%s", strings.Join(args, " "), code, errs.String())
	}
	return errs.String()
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

// split divides the trees of each sample file. Every fourth tree goes to the directory test, the others go to
// train. The file names stay the same, since they are the labels. split returns the share of the most
// frequent label among the test trees, which is the accuracy of a classifier that has learned nothing.
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
		// A tree begins at the start of a line. Its other lines are indented.
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
