package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

var pythonOfREADME = regexp.MustCompile("(?s)\n```python\n(.*?)```\n\n```\n(.*?)```\n")

// TestREADME runs the Python of README.md on the vectors that the commands above it make, and
// compares what it prints. TestDocs of package cli runs these commands.
func TestREADME(t *testing.T) {
	python := needSklearn(t)
	if os.Getenv("FSTORE_E2E") == "" {
		t.Skip("FSTORE_E2E is not set: make e2e")
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := pythonOfREADME.FindSubmatch(readme)
	if block == nil {
		t.Fatal("README.md has no block of Python with its output")
	}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	fstore(t, "build", path("demo.store"), samples, "--label-from", "file")
	fstore(t, "linearize", path("demo.store"), "--training", "--normalize", "l2", "-o", path("demo.npz"), "--names", path("fragments.txt"))
	cmd := exec.Command(python, "-c", string(block[1]))
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != string(block[2]) {
		t.Errorf("it prints\n%s\nnot\n%s%v", out, block[2], err)
	}
}
