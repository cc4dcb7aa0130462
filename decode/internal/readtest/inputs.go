package readtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Files writes files into a new directory and returns their paths. The arguments are a name, its text, the
// next name, and so on.
func Files(t testing.TB, nameText ...string) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(nameText); i += 2 {
		p := filepath.Join(dir, nameText[i])
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(nameText[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	return paths
}

// Word returns the line of a CoNLL-U sentence of one word.
func Word(form string) string { return "1\t" + form + "\t_\tX\t_\t_\t0\troot\t_\t_\n" }
