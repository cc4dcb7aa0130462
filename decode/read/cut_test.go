package read

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/decode/internal/readtest"
	"fstore/index"
)

// TestCuts checks where files can be cut. Places in the middle of a line or a tree are not such places.
func TestCuts(t *testing.T) {
	for _, c := range []struct {
		name, format, text string
		want               []Cut // behind each byte
	}{
		{"trees", "ptb", "(A (B b))\n\n(A\n(B \\())\n(C c) (D d)\n", []Cut{{11, 2, 1}, {22, 4, 2}}},
		{"text between trees", "ptb", "(A a)\n/* ( */\n(B b)\n", nil},
		{"a bracket too many", "ptb", "(A a))\n(B b)\n(C c)\n", nil},
		{"sentences", "conllu", "1\ta\n\n# text = b\n1\tb\n\n\n1\tc\n\n", []Cut{{5, 2, 1}, {22, 6, 2}}},
		{"documents", "conllu", "# newdoc id = a\n1\ta\n\n1\tb\n\n# newdoc id = c\n1\tc\n\n", []Cut{{26, 5, 2}}},
		{"documents without names", "conllu", "# newdoc\n1\ta\n\n# newdoc\n1\tb\n\n", nil},
		{"paragraphs", "conllu", "1\ta\n\n# newpar\n1\tb\n\n1\tc\n\n", []Cut{{5, 2, 1}}},
		{"lists", "conllu", "# candidate = 1\n1\ta\n\n# candidate = 2\n1\tb\n\n", nil},
		{"lines", "svmtk", "1 |BT| (A (b)) |ET|\n2 |BT| |ET|\n", []Cut{{20, 1, 1}}},
		{"lists of brackets", "nbest", "1\ts\n1\n(A a)\n", nil},
	} {
		file := filepath.Join(t.TempDir(), "in")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		var places []int64
		for at := range c.text {
			places = append(places, int64(at))
		}
		got, err := Cuts(context.Background(), file, c.format, places)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// The message of a bad sentence is the same whether its file is read at once or in blocks.
func TestBadSentenceOfBlock(t *testing.T) {
	for _, c := range []struct{ format, good, bad string }{
		{"ptb", "(A (B b) (C \\(c))\n\n( (D\n d) (ID own))\n", "(A ())\n"},
		{"conllu", "# text = a\n" + readtest.Word("a") + "\n\n" + readtest.Word("b") + "\n", "1\tx\n\n"},
		{"svmtk", "# note\n1 |BT| (A (b)) |ET|\n\n-1 |BT| (A (c)) |ET|\n", "1 |BT| (A |ET|\n"},
	} {
		for k := range 4 {
			text := strings.Repeat(c.good, k) + c.bad + strings.Repeat(c.good, 4-k)
			path := readtest.Files(t, "in", text)[0]
			var places []int64
			for at := range text {
				places = append(places, int64(at))
			}
			cuts, err := Cuts(context.Background(), path, c.format, places)
			if err != nil || len(cuts) < 4 {
				t.Fatal(cuts, err)
			}
			pieces := []Piece{{To: -1}}
			for _, cut := range cuts {
				pieces[len(pieces)-1].To = cut.At
				pieces = append(pieces, Piece{cut.At, -1, cut.Lines, cut.Sentences, c.format})
			}
			want := firstError(t, path, InputOptions{Format: c.format})
			got := ""
			for i := 0; i < len(pieces) && got == ""; i++ {
				got = firstError(t, path, InputOptions{Format: c.format, Pieces: pieces[i : i+1]})
			}
			if got != want || want == "" {
				t.Errorf("%s, %d before it: %q, want %q", c.format, k, got, want)
			}
		}
	}
}

// firstError returns the first error of an input.
func firstError(t *testing.T, path string, o InputOptions) string {
	t.Helper()
	o.Symbols = index.NewSymbols()
	in, err := Open([]string{path}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var x index.Tree
	for {
		switch err := in.Next(&x); {
		case err == io.EOF:
			return ""
		case err != nil:
			return err.Error()
		}
	}
}
