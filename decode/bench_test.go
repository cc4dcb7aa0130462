package decode

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fstore/index"

	"github.com/klauspost/compress/gzip"
)

// real returns the files of FSTORE_DATA that match, and skips where it is unset.
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
	for _, c := range []struct {
		pattern      string
		trees, words int
	}{
		{"trees/icepahc.psd.gz", 73051, 1131511},
		{"trees/greynir.psd.gz", 5000, 195341},
		{"trees/gum-*.mrg.gz", 4636, 98363},
		{"ud/en_ewt-*.conllu.gz", 16622, 254818},
		{"ud/af_afribooms-*.conllu.gz", 1934, 49258},
		{"ud/[djztm]*.conllu.gz", 5620, 89287},
		{"kbest/ewt-conll18.kbest.conllu.gz", 11482, 218966},
		{"kbest/ewt-dev-10best.kbest.conllu.gz", 17623, 247197},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			in, err := OpenInputs(real(t, c.pattern), InputOptions{Symbols: index.NewSymbols()})
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
			if trees != c.trees || words != c.words {
				t.Errorf("%d trees, %d words; want %d, %d", trees, words, c.trees, c.words)
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
		in, err := OpenInputs([]string{path}, InputOptions{Symbols: s})
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		conllu, err := FormatByName("conllu")
		if err != nil {
			t.Fatal(err)
		}
		var tree index.Tree
		var got []byte
		for in.Next(&tree) == nil {
			if got, err = Append(got, conllu, &tree, s); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: not the same", path)
		}
	}
}

// BenchmarkInputs is the whole way: decompression, hashing, names and labels
// beside the reader.
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
		in, err := OpenInputs(paths, InputOptions{
			Symbols: s, Stdin: bytes.NewReader(stdin),
			LabelOptions: LabelOptions{LabelFrom: []string{"file"}},
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
