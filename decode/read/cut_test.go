package read

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Where files can be cut. A place in the middle of a line or a tree is none.
func TestCuts(t *testing.T) {
	for _, c := range []struct {
		name, format, text string
		want               []Cut // behind each byte
	}{
		{"trees", "ptb", "(A (B b))\n\n(A\n(B \\())\n(C c) (D d)\n", []Cut{{11, 2}, {22, 4}}},
		{"text between trees", "ptb", "(A a)\n/* ( */\n(B b)\n", nil},
		{"a bracket too many", "ptb", "(A a))\n(B b)\n(C c)\n", nil},
		{"sentences", "conllu", "1\ta\n\n# text = b\n1\tb\n\n\n1\tc\n\n", []Cut{{5, 2}, {22, 6}}},
		{"documents", "conllu", "# newdoc id = a\n1\ta\n\n1\tb\n\n# newdoc id = c\n1\tc\n\n", []Cut{{26, 5}}},
		{"documents without names", "conllu", "# newdoc\n1\ta\n\n# newdoc\n1\tb\n\n", nil},
		{"paragraphs", "conllu", "1\ta\n\n# newpar\n1\tb\n\n1\tc\n\n", []Cut{{5, 2}}},
		{"lists", "conllu", "# candidate = 1\n1\ta\n\n# candidate = 2\n1\tb\n\n", nil},
		{"lines", "svmtk", "1 |BT| (A (b)) |ET|\n2 |BT| |ET|\n", []Cut{{20, 1}}},
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
