package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"fstore/cli/python"
)

// blockOfPage matches a block of Python or R, with the block of its output.
var blockOfPage = regexp.MustCompile("(?s)\n```(python|r)\n(.*?)```\n\n```\n(.*?)```\n")

// TestPages runs the blocks of Python and R in pages and compares their output. Their inputs are the files
// that the commands above the blocks make. TestDocs of package cli runs these commands.
func TestPages(t *testing.T) {
	interpreter := map[string][]string{"python": {needSklearn(t), "-c"}, "r": {"Rscript", "-e"}}
	if os.Getenv("FSTORE_E2E") == "" {
		t.Skip("FSTORE_E2E is not set: make e2e")
	}
	dir := packageDir(t)
	path := func(name string) string { return filepath.Join(dir, name) }
	fstore(t, "build", path("demo.store"), samples, "--label-from", "file")
	fstore(t, "linearize", path("demo.store"), "--training", "--normalize", "l2", "-o", path("demo.npz"), "--names", path("fragments.txt"))
	newTree := "(S (VP (VB Stir) (NP (DT the) (NN soup))) (. .))\n"
	if err := os.WriteFile(path("new.mrg"), []byte(newTree), 0o666); err != nil {
		t.Fatal(err)
	}
	fstore(t, "linearize", path("demo.store"), path("new.mrg"), "--normalize", "l2", "-o", path("new.npz"))
	fstore(t, "linearize", path("demo.store"), "--training", "--weight", "count", "-o", path("demo.mtx"))
	fstore(t, "contrast", path("demo.store"), "news", "recipe", "--limit", "0", "-o", path("contrast.csv"))
	for _, page := range []string{"../../README.md", "../guide/python.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks := blockOfPage.FindAllSubmatch(text, -1)
		if len(blocks) == 0 {
			t.Errorf("%s has no block with its output", page)
		}
		for _, block := range blocks {
			t.Run(filepath.Base(page)+" "+string(block[1]), func(t *testing.T) {
				run := interpreter[string(block[1])]
				if _, err := exec.LookPath(run[0]); err != nil {
					t.Skip(err)
				}
				cmd := exec.Command(run[0], run[1], string(block[2]))
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "PYTHONPATH="+dir, "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"), asProgram+"=1")
				if out, err := cmd.CombinedOutput(); err != nil || string(out) != string(block[3]) {
					t.Errorf("it prints\n%s\nnot\n%s%v", out, block[3], err)
				}
			})
		}
	}
}

// packageDir returns a directory with the sample treebank, the Python package and this test binary as fstore.
func packageDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	sample, err := filepath.Abs(filepath.Dir(filepath.Dir(samples)))
	if err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"bin/fstore": self, "bench": sample} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(dir, python.Package); err != nil {
		t.Fatal(err)
	}
	return dir
}
