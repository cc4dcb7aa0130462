package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fstore/store"
)

// oldStores are the stores in testdata/stores. Each was made with these commands, by the program as it was
// before a change of the format. Their contents must be readable for ever. Or the program refuses a store and
// names the command that makes it readable.
//
//	current           what is written now
//	no-places         format 2: without places
//	format-1          what was written before everything of a store was in its directory
//	no-copy-of-meta   without META-G, and no reader beside a writer
//	expansion-3       with expansion indexes of form 3
//	tail-pvalues      with p-values that are tails of χ²
//
// The store in lists is described at TestOldLists.
//
// Before the format changes, rename current and make a new one: tar -cf - s | gzip -9n.
var oldStores = [][]string{
	{"build", "s", "x.mrg", "y.mrg", "--label-from", "file", "-q", "--space", "stk", "--space", "sstbow", "--max-order", "3"},
	{"mine", "s", "--space", "stk", "--name", "sel", "--by", "chi2", "--tau", "0.5", "-q"},
	{"train", "s", "--name", "m", "--kernel", "stk", "-q", "--learner", "svm"},
	{"train", "s", "--name", "l", "--space", "stk", "-q", "--learner", "l2-logistic"},
}

// oldInputs are the inputs of the old stores.
var oldInputs = map[string]string{
	"x.mrg": "(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n(S (NP (DT the) (NN dog)) (VP (VBD sat)))\n",
	"y.mrg": "(S (NP (DT a) (NN cat)) (VP (VBD ran)))\n(S (NP (PRP it)) (VP (VBD ran)))\n",
}

// oldStore unpacks a store of testdata/stores into an empty directory, with its inputs.
func oldStore(t *testing.T, archive string) {
	t.Helper()
	b, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	scratch(t)
	for name, text := range oldInputs {
		write(t, name, text)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			write(t, h.Name, string(text))
		}
	}
}

// score matches a score. Its group has the digits that are compared, and the other digits follow.
var score = regexp.MustCompile(`(\t-?\d+\.\d\d)\d+`)

// oldContents returns what commands print about such a store.
func oldContents(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, args := range [][]string{
		{"query", "s", "--space", "stk", "--limit", "0"},
		{"query", "s", "--space", "sstbow", "--limit", "0"},
		{"query", "s", "--selection", "sel", "--limit", "0"},
		{"linearize", "s", "--space", "sstbow", "--training", "--weight", "count"},
		{"linearize", "s", "--selection", "sel", "x.mrg"},
		{"predict", "s", "--model", "m", "x.mrg"},
		{"predict", "s", "--model", "l", "y.mrg"},
	} {
		text := fstore(t, append(args, "-q")...)
		if args[0] == "predict" {
			text = score.ReplaceAllString(text, "$1") // each version of a solver ends at another point near the optimum
		}
		all.WriteString(text)
	}
	return all.String()
}

// A store that an older program has written has the same contents. If it is refused, the contents are the
// same after the command that the message names.
func TestOldStores(t *testing.T) {
	archives, err := filepath.Glob("testdata/stores/*.tar.gz")
	if err != nil || len(archives) < 3 {
		t.Fatal(archives, err)
	}
	for i := range archives {
		if archives[i], err = filepath.Abs(archives[i]); err != nil {
			t.Fatal(err)
		}
	}
	scratch(t)
	for name, text := range oldInputs {
		write(t, name, text)
	}
	for _, args := range oldStores {
		fstore(t, args...)
	}
	want := oldContents(t)
	for _, archive := range archives {
		t.Run(filepath.Base(archive), func(t *testing.T) {
			oldStore(t, archive)
			r := runIn(nil, "linearize", "s", "--space", "stk", "--training", "-q")
			if r.code != 0 {
				if r.code != 4 || !strings.Contains(r.stderr, "fstore reindex") || filepath.Base(archive) == "current.tar.gz" {
					t.Fatalf("exit code %d: %s", r.code, r.stderr)
				}
				fstore(t, "reindex", "s", "-q")
			}
			if clean := fstore(t, "verify", "s"); !strings.HasPrefix(clean, "clean: 4 samples, ") {
				t.Fatal(clean)
			}
			got, want := oldContents(t), want
			if name := filepath.Base(archive); name != "current.tar.gz" && name != "no-places.tar.gz" {
				saysTails(t)
				got, want = withoutPValues(got), withoutPValues(want)
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			fstore(t, "build", "s", "--append", "x.mrg", "-q")
			fstore(t, "remove", "s", "--sample", "y.mrg#1", "-q")
			fstore(t, "verify", "s")
		})
	}
}

// withoutPValues returns the contents without the last column of the selection.
func withoutPValues(contents string) string {
	lines := strings.Split(contents, "\n")
	for i, line := range lines {
		if fields := strings.Split(line, "\t"); len(fields) == 10 {
			lines[i] = strings.Join(fields[:9], "\t")
		}
	}
	return strings.Join(lines, "\n")
}

// saysTails checks that the store calls the p-values of its selection tails of χ².
func saysTails(t *testing.T) {
	t.Helper()
	r := runIn(nil, "query", "s", "--selection", "sel")
	if !strings.Contains(r.stderr, "the p-values of sel are tails of χ²") || !strings.Contains(r.stdout, "0.0455") {
		t.Errorf("%s\n%s", r.stdout, r.stderr)
	}
	if info := fstore(t, "info", "s"); !strings.Contains(info, "tail of χ²") {
		t.Error(info)
	}
}

// oldLists is the list that lists/no-corrections was built from, with oldGold, by a program before samples
// had corrections. The reranker m of this store is over dep:template=rel+h.upos.
const (
	oldLists = `# sent_id = s1
# candidate = 1
# score = 3
1	dogs	_	NOUN	NNS	_	2	nsubj	_	_
2	were	_	AUX	VBD	_	0	root	_	_
3	fed	_	VERB	VBN	_	2	dep	_	_
4	.	_	NOUN	NN	_	2	dep	_	_

# sent_id = s1
# candidate = 2
# score = 2
1	dogs	_	NOUN	NNS	_	3	nsubj	_	_
2	were	_	AUX	VBD	_	3	aux	_	_
3	fed	_	VERB	VBN	_	0	root	_	_
4	.	_	NOUN	NN	_	3	dep	_	_

`
	oldGold = `# sent_id = s1
1	dogs	_	NOUN	NNS	_	3	nsubj:pass	_	_
2	were	_	AUX	VBD	_	3	aux:pass	_	_
3	fed	_	VERB	VBN	_	0	root	_	_
4	.	_	PUNCT	.	_	3	punct	_	_

`
)

// The old lists of a store are still compared with the candidate that is marked as gold. Lists that are added
// now are compared with gold trees.
func TestOldLists(t *testing.T) {
	archive, err := filepath.Abs("testdata/stores/lists/no-corrections.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	oldStore(t, archive)
	write(t, "lists.conllu", oldLists)
	write(t, "gold.conllu", oldGold)
	check := func(samples, want string) {
		t.Helper()
		if clean := fstore(t, "verify", "s"); !strings.HasPrefix(clean, "clean: "+samples+" samples, ") {
			t.Fatal(clean)
		}
		r := runIn(nil, "predict", "s", "--training", "--model", "m", "--punct", "keep")
		if r.code != 0 || !strings.HasPrefix(r.stderr, "reranked: "+want) {
			t.Errorf("exit code %d: %s, want %s", r.code, r.stderr, want)
		}
	}
	check("2", "UAS 100.00 %, LAS 100.00 % (1 list)")
	fstore(t, "build", "s", "lists.conllu", "--gold", "gold.conllu", "--append", "-q")
	check("4", "UAS 100.00 %, LAS 62.50 % (2 lists)")
}

// A store of another version is refused, and the message says what to do. For an older version it has the
// command lines that make the store again.
func TestOtherVersions(t *testing.T) {
	archive, err := filepath.Abs("testdata/stores/format-1.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	oldStore(t, archive)
	want := oldContents(t)
	is := func(version string) result {
		t.Helper()
		b, err := os.ReadFile("s/FSTORE")
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(b), "\n")
		write(t, "s/FSTORE", "fstore "+version+"\n"+rest)
		for _, args := range [][]string{{"query", "s"}, {"verify", "s", "--repair"}, {"build", "s", "--append", "x.mrg"}, {"remove", "s", "--label", "x"}} {
			if r := runIn(nil, args...); r.code != 4 {
				t.Errorf("%v: exit code %d: %s", args, r.code, r.stderr)
			}
		}
		return runIn(nil, "info", "s")
	}
	if r := is(strconv.Itoa(store.FormatVersion + 1)); r.code != 4 || !strings.Contains(r.stderr, "use a newer fstore") || strings.Contains(r.stderr, "make it again") {
		t.Errorf("a newer version: exit code %d: %s", r.code, r.stderr)
	}
	r := is("0")
	_, commands, ok := strings.Cut(strings.TrimSpace(r.stderr), "make it again with: ")
	if r.code != 4 || !ok {
		t.Fatalf("an older version: exit code %d: %s", r.code, r.stderr)
	}
	for _, line := range strings.Split(commands, "; ") {
		fstore(t, strings.Fields(line)[1:]...)
	}
	if got, want := withoutPValues(oldContents(t)), withoutPValues(want); got != want {
		t.Errorf("made again: got\n%s\nwant\n%s", got, want)
	}
}
