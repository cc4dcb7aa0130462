package metamorphic

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fstore/store/filetest"
)

// The constant lists has K-best lists, and the constant gold has their gold trees.
const lists, gold = `2 a
-1
(A (B u) (C v))
-2
(A (B u v))
2 b
-1
(A (C u))
-3
(A (B u))
2 c
-2
(B (C v) (A u))
-4
(B (C v u))
`, `(A (B u v))
(A (B u))
(B (C v u))
`

// TestFlips flips a bit of every file of two stores, which have selections, linear and kernel machines, and
// rerankers. The command verify must name the damaged part. A repair must restore the contents, except for
// the parts that it reports as lost. Or it leaves the store as it is.
func TestFlips(t *testing.T) {
	for name, begin := range map[string]func(w *world){
		"labels": func(w *world) {
			w.must("train", storeDir, "--name", "l", "--space", "stk", "--learner", "l2-logistic", "-q")
			w.must("mine", storeDir, "--name", "chosen", "--by", "relevance", "--model", "m", "--space", "stk", "--sigma", "0.01", "-q")
		},
		"lists": func(w *world) {
			for name, text := range map[string]string{"lists.nbest": lists, "gold.mrg": gold} {
				if err := os.WriteFile(filepath.Join(w.inputs, name), []byte(text), 0o666); err != nil {
					w.t.Fatal(err)
				}
			}
			w.must("build", storeDir, "--overwrite", filepath.Join(w.inputs, "lists.nbest"), "--input-format", "nbest", "--gold", filepath.Join(w.inputs, "gold.mrg"), "--min-support", "1", "-q")
			w.must("mine", storeDir, "--name", "chosen", "--by", "gradient", "--min-count", "1", "-q")
			w.must("train", storeDir, "--name", "r", "--learner", "averaged-perceptron", "--cv", "2", "-q")
			w.must("train", storeDir, "--name", "k", "--learner", "voted-perceptron", "-q")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFaulty(t)
			begin(w)
			sound := w.fs
			old := strings.Split(w.snapshot(), "\n")
			outcomes := map[string]int{}
			for _, file := range w.files() {
				b, path := w.read(file)
				for i := range min(*pointsFlag, len(b)) {
					w.fs = copyOf(t, sound)
					at := min(len(b)-1, i*len(b)/max(*pointsFlag-1, 1))
					flipped := slices.Clone(b)
					flipped[at] ^= 1 << w.r.IntN(8)
					filetest.Write(w.t, w.fs, path, flipped)
					o := w.run(none, 0, "", "verify", storeDir, "-q", "--workers", "1")
					if o.code != 4 {
						t.Errorf("byte %d of %d of %s: exit %d %s%s", at, len(b), file, o.code, o.stdout, o.stderr)
					}
					if said := o.stdout + o.stderr; strings.HasSuffix(file, ".sst") && !strings.Contains(said, file+": ") && !strings.Contains(said, " meta: ") && !strings.Contains(said, "nothing was ever committed") {
						t.Errorf("byte %d of %s is not named: %s", at, file, said)
					}
					if i == 0 {
						outcomes[w.repairFlipped(file, old)]++
					}
				}
			}
			t.Log(outcomes)
			if outcomes["beyond repair"] != 2 || outcomes["lost"] < 2 || outcomes["repaired"] < 5 {
				t.Errorf("%v: the trees, and the symbols, are all that cannot be had again", outcomes)
			}
		})
	}
}

// repairFlipped repairs a store, and compares its contents with those before the damage.
func (w *world) repairFlipped(file string, old []string) (outcome string) {
	w.t.Helper()
	o := w.run(none, 0, "", "verify", storeDir, "--repair", "--workers", "1")
	switch {
	case o.code == 4 && (strings.Contains(o.stderr, "cannot be read") || strings.Contains(o.stderr, "no tree can be read")):
		return "beyond repair"
	case o.code != 0:
		w.t.Errorf("%s: exit %d: %s", file, o.code, o.stderr)
		return "failed"
	}
	outcome = "repaired"
	got := strings.Split(w.snapshot(), "\n")
	lost := isLost.FindAllStringSubmatch(o.stderr, -1)
	if len(lost) > 0 {
		outcome = "lost"
	}
	for _, line := range old {
		is := func(l []string) bool { return strings.HasPrefix(line, l[2]+" ") }
		if strings.HasPrefix(line, historyLine) {
			continue // the history has one more entry
		}
		if !slices.Contains(got, line) && !slices.ContainsFunc(lost, is) {
			w.t.Errorf("%s: after a repair %.90q is gone; it said %s", file, line, o.stderr)
		}
	}
	return outcome
}
