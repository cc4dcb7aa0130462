package read

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fstore/decode/internal/readtest"
)

// TestFolder checks that the files of a folder are read in byte order, and that the files left out are
// reported.
func TestFolder(t *testing.T) {
	dir := filepath.Join(filepath.Dir(readtest.Files(t, "base", "")[0]), "treebank")
	for name, text := range map[string]string{
		"b.mrg": "(B b)\n", "a.mrg": "(A a)\n", "sub/c.mrg": "(C c)\n", ".hidden/x.mrg": "(X x)\n", ".d.mrg": "(D d)\n",
		"README": "What this is.\n", "empty.mrg": "", "w.export": "#BOS 1\n", "old.store/FSTORE": "fstore 1\n", "old.store/x.mrg": "(X x)\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var said []string
	o := InputOptions{OnWarn: func(line string) { said = append(said, line) }}
	got, _ := readInputs(t, []string{dir}, o)
	check(t, got, "a.mrg#1|||a", "b.mrg#1|||b", "c.mrg#1|||c")
	text := strings.ReplaceAll(strings.Join(said, "\n"), dir+string(filepath.Separator), "")
	if want := dir + ": left out, as they cannot be read as treebanks: README, empty.mrg, w.export, old.store"; text != want {
		t.Errorf("said: %s\nwant: %s", text, want)
	}
	o.Format = "conllu" // the names do not say so, nor does the text
	got, _ = readInputs(t, []string{dir}, o)
	check(t, got, "open: treebank: no file in the folder is a treebank of a format that is read")
	got, _ = readInputs(t, []string{filepath.Join(dir, "old.store")}, InputOptions{})
	check(t, got, "open: old.store: is a store: expected treebanks")
	if all := Files([]string{"-", "none", dir}); len(all) != 2+6 {
		t.Errorf("files: %q", all)
	}
}
