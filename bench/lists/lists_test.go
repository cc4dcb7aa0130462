package lists

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fstore/decode/read"
	"fstore/index"
)

const (
	kbest = `# sent_id = a
# candidate = 1
# score = 2
1	it	_	PRON	_	_	2	nsubj	_	_
2	ends	_	VERB	_	_	0	root	_	_

# sent_id = a
# candidate = 2
# score = 1
1	it	_	PRON	_	_	0	root	_	_
2	ends	_	VERB	_	_	1	dep	_	_

# sent_id = b
# candidate = 1
# score = 3
1	so	_	ADV	_	_	0	root	_	_

`
	gold = `# sent_id = a
1	it	_	PRON	_	_	2	nsubj	_	_
2	ends	_	VERB	_	_	0	root	_	_

# sent_id = b
1	so	_	ADV	_	_	0	root	_	_

`
)

// files writes the text of lists to two files.
func files(t *testing.T, dir string) (a, b string) {
	t.Helper()
	a, b = filepath.Join(dir, "a.conllu"), filepath.Join(dir, "b.conllu")
	for path, text := range map[string]string{a: kbest, b: gold} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return a, b
}

// add copies lists to w.
func add(t *testing.T, w *Writer, kbest, gold string) {
	t.Helper()
	if err := errors.Join(Each(context.Background(), kbest, gold, w.Add), w.Close()); err != nil {
		t.Fatal(err)
	}
}

// Lists are written exactly as they were read, compressed or not.
func TestCopy(t *testing.T) {
	dir := t.TempDir()
	a, b := files(t, dir)
	zipped, plain := filepath.Join(dir, "zipped.conllu.gz"), filepath.Join(dir, "plain.conllu")
	w, err := Create(zipped, filepath.Join(dir, "gold.conllu.gz"))
	if err != nil {
		t.Fatal(err)
	}
	add(t, w, a, b)
	if text, err := os.ReadFile(zipped); err != nil || !strings.HasPrefix(string(text), "\x1f\x8b") {
		t.Errorf("%.20q, %v is not compressed", text, err)
	}
	plainGold := filepath.Join(dir, "gold.conllu")
	if w, err = Create(plain, plainGold); err != nil {
		t.Fatal(err)
	}
	add(t, w, zipped, filepath.Join(dir, "gold.conllu.gz"))
	for path, want := range map[string]string{plain: kbest, plainGold: gold} {
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s: %v: %s", path, err, text)
		}
	}
}

// An error ends the reading, and is returned.
func TestEachError(t *testing.T) {
	a, b := files(t, t.TempDir())
	stop, n := errors.New("stop"), 0
	err := Each(context.Background(), a, b, func(*read.List, *index.Symbols) error {
		n++
		return stop
	})
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("%v after %d", err, n)
	}
	if err := Each(context.Background(), a+".gone", b, nil); err == nil {
		t.Error("a file that is not there is read")
	}
}
