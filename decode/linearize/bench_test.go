package linearize

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"fstore/decode/read"
	"fstore/index"
)

// real returns the files of FSTORE_DATA that match. If FSTORE_DATA is not set, the test is skipped.
func real(t testing.TB, pattern string) []string {
	t.Helper()
	dir := os.Getenv("FSTORE_DATA")
	if dir == "" {
		t.Skip("FSTORE_DATA is not set")
	}
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: nothing, %v", pattern, err)
	}
	return paths
}

// TestRealCounts reads treebanks whose sizes are known, each without an error.
func TestRealCounts(t *testing.T) {
	klp := func(name string) read.InputOptions { return read.InputOptions{Representation: name} }
	for _, c := range []struct {
		pattern      string
		o            read.InputOptions
		trees, words int
	}{
		{"trees/icepahc.psd.gz", read.InputOptions{}, 73051, 1131511},
		{"trees/greynir.psd.gz", read.InputOptions{}, 5000, 195341},
		{"trees/gum-*.mrg.gz", read.InputOptions{}, 4636, 98363},
		{"ud/en_ewt-*.conllu.gz", read.InputOptions{}, 16622, 254818},
		{"ud/af_afribooms-*.conllu.gz", read.InputOptions{}, 1934, 49258},
		{"ud/[djztm]*.conllu.gz", read.InputOptions{}, 5620, 89287},
		{"kbest/ewt-conll18.kbest.conllu.gz", read.InputOptions{}, 11482, 218966},
		{"kbest/ewt-dev-10best.kbest.conllu.gz", read.InputOptions{}, 17623, 247197},
		{"kbest/ewt-train-10best.kbest.conllu.gz", read.InputOptions{}, 114278, 0},
		{"kbest/charniak-nbest.txt", read.InputOptions{}, 143, 0},
		{"qc/TREC_10.coarse.klp.gz", klp("grct"), 500, 0},
		{"qc/train_5500.coarse.klp.gz", klp("grct"), 5452, 0},
		{"qc/train_5500.coarse.klp.gz", klp("lct"), 5452, 0},
		{"qc/train_5500.coarse.klp.gz", klp("loct"), 5452, 0},
		{"qc/train_5500.coarse.klp.gz", klp("cgrct"), 5452, 0},
		{"qc/train_5500.coarse.klp.gz", klp("clct"), 5452, 0},
	} {
		t.Run(c.pattern+c.o.Representation, func(t *testing.T) {
			c.o.Symbols = index.NewSymbols()
			in, err := read.Open(real(t, c.pattern), c.o)
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			var tree index.Tree
			trees, words := 0, 0
			for {
				err := in.Next(&tree)
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				trees++
				words += tree.Words()
			}
			if trees != c.trees || words != c.words && c.words > 0 {
				t.Errorf("%d trees, %d words; want %d, %d", trees, words, c.trees, c.words)
			}
		})
	}
}

// TestRealLists reads lists with their gold trees. It is known how many lists contain their gold tree.
func TestRealLists(t *testing.T) {
	for _, c := range []struct {
		name                    string
		candidates, found, adds int
	}{
		{"ewt-conll18", 11482, 1136, 295},
		{"ewt-dev-10best", 17623, 1426, 575},
		{"ewt-train-10best", 114278, 7665, 4879},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := read.Open(real(t, "kbest/"+c.name+".kbest.conllu.gz"), read.InputOptions{
				Symbols: index.NewSymbols(), Gold: real(t, "kbest/"+c.name+".gold.conllu.gz")[0],
			})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			var tree index.Tree
			var n [3]int
			for {
				err := in.Next(&tree)
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				n[tree.Gold]++
			}
			if n[0]+n[1] != c.candidates || n[1] != c.found || n[2] != c.adds {
				t.Errorf("%d candidates, %d gold trees found, %d added; want %d, %d, %d", n[0]+n[1], n[1], n[2], c.candidates, c.found, c.adds)
			}
		})
	}
}

// TestRealIdentity prints each real CoNLL-U file back, byte for byte.
func TestRealIdentity(t *testing.T) {
	for _, path := range append(real(t, "ud/*.conllu.gz"), real(t, "kbest/*.conllu.gz")...) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		want, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		s := index.NewSymbols()
		in, err := read.Open([]string{path}, read.InputOptions{Symbols: s})
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		conllu, err := read.FormatByName("conllu")
		if err != nil {
			t.Fatal(err)
		}
		var tree index.Tree
		var got []byte
		for in.Next(&tree) == nil {
			if got, err = conllu.Append(got, &tree, s); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: not the same", path)
		}
	}
}

// BenchmarkInputs measures everything: the reader, and also decompression, hashing, names and labels.
func BenchmarkInputs(b *testing.B) {
	for name, pattern := range map[string]string{
		"ptb": "trees/icepahc.psd.gz", "conllu": "ud/en_ewt-ud-train.conllu.gz",
	} {
		b.Run(name, func(b *testing.B) { benchmarkInputs(b, real(b, pattern), nil) })
	}
	line := "-1 |BT| (S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat))))) |ET| 1:0.25 7:1e-3 |EV|\n"
	text := []byte(strings.Repeat(line, 20_000))
	b.Run("svmtk", func(b *testing.B) { benchmarkInputs(b, []string{"-"}, text) })
}

func benchmarkInputs(b *testing.B, paths []string, stdin []byte) {
	b.ReportAllocs()
	s := index.NewSymbols()
	for range b.N {
		in, err := read.Open(paths, read.InputOptions{
			Symbols: s, Stdin: bytes.NewReader(stdin),
			LabelOptions: read.LabelOptions{LabelFrom: []string{"file"}},
		})
		if err != nil {
			b.Fatal(err)
		}
		var tree index.Tree
		for {
			err := in.Next(&tree)
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		in.Close()
		b.SetBytes(in.Read()[0].Bytes)
	}
}
