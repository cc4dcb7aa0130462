package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The program that wrote the store in testdata/stores/dep used dep for the space that is now
// dep:siblings=adjacent,template=rel+h.upos+m.upos, and recorded only the name dep. The store was made with
// these commands. Beside it are the inputs a.conllu and b.conllu, the exported files, and the file contents
// with the output for oldDepContents.
//
//	build s a.conllu b.conllu --label-from file --min-support 1 --max-order 3 --space dep --space dep:siblings=side --space seq:unit=upos --space poly
//	mine s --space dep --name sel --by support --min-support 2
//	mine s --space dep --name chi --by chi2 --tau 0.5
//	train s --name m --kernel dep
//	train s --name k --kernel dep --selection sel
//	mine s --name rel --by relevance --model m --top 8
//	train s --name w --space dep --learner l2-logistic
//	export s sel sel.fst; export s rel rel.fst; export s w w.tsv
const (
	oldDepStore = "testdata/stores/dep/adjacent.tar.gz"
	oldDep      = "dep:siblings=adjacent,template=rel+h.upos+m.upos"
	oldDepSide  = "dep:siblings=side,template=rel+h.upos+m.upos"
)

// oldDepContents returns what commands print about such a store.
func oldDepContents(t *testing.T, adjacent string) string {
	t.Helper()
	var all strings.Builder
	for _, args := range [][]string{
		{"query", "s", "--space", adjacent, "--limit", "0"},
		{"query", "s", "--space", "dep:siblings=side", "--limit", "0"},
		{"query", "s", "--selection", "sel", "--limit", "0"},
		{"query", "s", "--selection", "rel", "--limit", "0"},
		{"linearize", "s", "--space", adjacent, "--training", "--weight", "count"},
		{"linearize", "s", "--space", adjacent, "b.conllu"},
		{"linearize", "s", "--selection", "rel", "a.conllu"},
		{"predict", "s", "--model", "m", "b.conllu"},
		{"predict", "s", "--model", "k", "a.conllu"},
		{"predict", "s", "--model", "w", "b.conllu"},
		{"query", "s", "--space", "seq", "--limit", "0"},
	} {
		all.WriteString(fstore(t, append(args, "-q")...))
	}
	return all.String()
}

// openOldDep unpacks the store and returns the expected result of oldDepContents.
func openOldDep(t *testing.T) (contents string) {
	t.Helper()
	archive, err := filepath.Abs(oldDepStore)
	if err != nil {
		t.Fatal(err)
	}
	oldStore(t, archive)
	b, err := os.ReadFile("contents")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A store that recorded only the name dep keeps its old meaning, also after changes.
func TestOldDep(t *testing.T) {
	want := openOldDep(t)
	same := func(after string) {
		t.Helper()
		if got := oldDepContents(t, "dep:siblings=adjacent"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", after, got, want)
		}
		clean := fstore(t, "verify", "s")
		if !strings.HasPrefix(clean, "clean: 6 samples, 46 fragments of "+oldDep+", 51 fragments of "+oldDepSide+", ") {
			t.Errorf("%s: %s", after, clean)
		}
	}
	same("as it was")
	fstore(t, "reindex", "s", "-q")
	same("reindex")
	// Selections are mined, exported and imported as before, except for the name of the space.
	fstore(t, "mine", "s", "--name", "again", "--by", "relevance", "--model", "m", "--top", "8", "-q")
	old, err := os.ReadFile("rel.fst")
	if err != nil {
		t.Fatal(err)
	}
	exported := strings.Replace(string(old), "space\tdep\n", "space\tdep:max-span=0,ordered=true,root-arcs=false,siblings=adjacent,template=rel+h.upos+m.upos\n", 1)
	for _, name := range []string{"rel", "again"} {
		if got := fstore(t, "export", "s", name, "-", "-q"); got != exported {
			t.Errorf("selection %s: got\n%s\nwant\n%s", name, got, exported)
		}
	}
	fstore(t, "import", "s", "rel.fst", "--name", "rel", "--overwrite", "-q")
	fstore(t, "import", "s", "w.tsv", "--name", "w", "--space", "dep:siblings=adjacent", "--overwrite", "-q")
	same("import")
	// A model is trained over the store's space, not over the space that is called dep now.
	fstore(t, "train", "s", "--name", "m", "--kernel", "dep:siblings=adjacent", "--overwrite", "-q")
	same("train")
	// The name dep stands for two spaces here.
	if r := runIn(nil, "query", "s", "--space", "dep"); r.code != 2 || !strings.Contains(r.stderr, oldDep+", "+oldDepSide) {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
	// Places are unknown, and the command says so, until an append has counted them.
	places := []string{"query", "s", "--space", "dep:siblings=adjacent", "--columns", "places"}
	if r := runIn(nil, places...); r.code != 2 || !strings.Contains(r.stderr, "were stored by an older version, which did not count them") {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
	// Adding and removing samples changes nothing.
	fstore(t, "build", "s", "a.conllu", "--append", "-q", "--space", "dep:siblings=side", "--space", "dep:siblings=adjacent", "--space", "seq", "--space", "poly", "--label", "c")
	fstore(t, "verify", "s")
	fstore(t, places...)
	fstore(t, "remove", "s", "--label", "c", "-q")
	if clean := fstore(t, "verify", "s"); !strings.HasPrefix(clean, "clean: 6 samples, 46 fragments of "+oldDep+", 51 ") {
		t.Error(clean)
	}
}

// If the same store is made now, it has the same contents. The files that the old program exported can be
// read. The space that is called dep now is another space.
func TestOldDepMadeAnew(t *testing.T) {
	want := openOldDep(t)
	hashes := vocabularies(t)
	build := []string{"build", "s", "a.conllu", "b.conllu", "--label-from", "file", "--min-support", "1", "--max-order", "3", "--overwrite", "-q"}
	fstore(t, append(build, "--space", oldDep, "--space", oldDepSide, "--space", "seq:unit=upos", "--space", "poly")...)
	if got := vocabularies(t); got != hashes {
		t.Errorf("vocabularies: got\n%s\nwant\n%s", got, hashes)
	}
	fstore(t, "import", "s", "sel.fst", "--name", "sel", "-q")
	fstore(t, "import", "s", "rel.fst", "--name", "rel", "--space", "dep", "-q")
	fstore(t, "import", "s", "w.tsv", "--name", "w", "--space", oldDep, "-q")
	fstore(t, "train", "s", "--name", "m", "--kernel", oldDep, "-q")
	fstore(t, "train", "s", "--name", "k", "--kernel", "dep", "--selection", "sel", "-q")
	if got := oldDepContents(t, oldDep); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	fstore(t, append(build, "--space", "dep")...)
	metas, err := filepath.Glob("s/META-*")
	if err != nil || len(metas) == 0 {
		t.Fatal(metas, err)
	}
	meta, err := os.ReadFile(metas[len(metas)-1])
	if err != nil || !strings.Contains(string(meta), "dep:max-span=20,ordered=true,root-arcs=false,siblings=any,template=rel+h.upos+m.upos+dir") {
		t.Errorf("the store has not recorded all options of its space: %v", err)
	}
	if r := runIn(nil, "import", "s", "sel.fst", "--name", "sel"); r.code != 2 || !strings.Contains(r.stderr, oldDep+": it has dep\n") {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
}

// vocabularies returns the vocabulary hashes of the store's spaces.
func vocabularies(t *testing.T) (all string) {
	t.Helper()
	info := fstore(t, "info", "s", "--format", "tsv")
	names, values, _ := strings.Cut(strings.TrimSpace(info), "\n")
	columns := strings.Split(values, "\t")
	for i, name := range strings.Split(names, "\t") {
		if strings.HasSuffix(name, ":vocabulary") && !strings.HasPrefix(name, "selection:") && !strings.HasPrefix(name, "model:") {
			all += name + " " + columns[i] + "\n"
		}
	}
	return all
}
