package svmtk

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"fstore/decode/format"
	"fstore/index"
)

// modelText returns a model file with the given lines. In its head, pairs of strings are replaced.
func modelText(lines string, replace ...string) string {
	head := `SVM-light Version V5.01-TK-1.5
5 # kernel type
empty# kernel parameter -u 
0.4 # kernel parameter -L 
T # kernel parameter -C 
1 # kernel parameter -F 
0.25 # kernel parameter -M 
3 # kernel parameter -N 
S # kernel parameter -W 
3 # number of support vectors plus 1 
-0.5 # threshold b, each following line is a SV (starting with alpha*y)
`
	return strings.NewReplacer(replace...).Replace(head) + lines
}

const twoLines = "0.25 |BT| (A b) |ET| \n-1e-3 |BT| (A (b)) |ET|\n"

// readModel reads a model file to its end or its first error, as text.
func readModel(text string) (string, error) {
	s := index.NewSymbols()
	m, err := OpenModel(strings.NewReader(text), format.Options{File: "F", Symbols: s})
	if err != nil {
		return "", err
	}
	out := fmt.Sprintf("%+v", m.Model)
	var t index.Tree
	for {
		w, err := m.Next(&t)
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out += fmt.Sprintf(" %v:%d", w, len(t.Nodes))
	}
}

func TestModelFile(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// Both forms of leaves are read.
		{modelText(twoLines), "{Space:stk Lambda:0.4 Normalize:true Threshold:-0.5} 0.25:2 -0.001:2"},
		{"\ufeff\r\n" + strings.ReplaceAll(modelText(twoLines), "\n", "\r\n"), "{Space:stk Lambda:0.4 Normalize:true Threshold:-0.5} 0.25:2 -0.001:2"},
		{modelText(twoLines, "1 # kernel parameter -F", "0 # kernel parameter -F", "3 # kernel parameter -N", "0 # kernel parameter -N"), "{Space:st Lambda:0.4 Normalize:false Threshold:-0.5} 0.25:2 -0.001:2"},
		{modelText(twoLines, "1 # kernel parameter -F", "2 # kernel parameter -F", "3 # kernel parameter -N", "1 # kernel parameter -N"), "{Space:sstbow Lambda:0.4 Normalize:true Threshold:-0.5} 0.25:2 -0.001:2"},
		{modelText(twoLines, "1 # kernel parameter -F", "3 # kernel parameter -F", "3 # kernel parameter -N", "2 # kernel parameter -N"), "{Space:ptk:mu=0.25 Lambda:0.4 Normalize:false Threshold:-0.5} 0.25:2 -0.001:2"},
		{modelText("1 |BT| (A b) |BT| (A c) |ET|\n1 |BT| |ET|\n", "3 # kernel parameter -N", "0 # kernel parameter -N", "S # kernel parameter -W", "A # kernel parameter -W"), "{Space:stk Lambda:0.4 Normalize:false Threshold:-0.5} 1:4 1:0"},

		{"", "F: no model: the file is empty"},
		{"1 |BT| (A b) |ET|\n", `F:1: "1 |BT| (A b) |ET|": expected a model file, which begins with SVM-light Version`},
		{"\xff", "F:1: invalid UTF-8 at column 1: expected UTF-8 text"},
		{modelText("")[:200], "F:8: a model file without a threshold: expected a line that ends with # threshold b before the support vectors"},
		{modelText(twoLines, "5 # kernel type", "1 # kernel type"), `F:11: the head of the model file: kernel type "1", combination "T": expected 5 and T, a tree kernel without vectors`},
		{modelText(twoLines, "1 # kernel parameter -F", "4 # kernel parameter -F"), `F:11: the head of the model file: -F "4": expected 0, 1, 2 or 3`},
		{modelText(twoLines, "3 # kernel parameter -N", "x # kernel parameter -N"), `F:11: the head of the model file: -N "x": expected 0, 1, 2 or 3`},
		{modelText(twoLines, "0.4 # kernel parameter -L", "0 # kernel parameter -L"), `F:11: the head of the model file: -L "0": expected a decay above 0, up to 1`},
		{modelText(twoLines, "1 # kernel parameter -F", "3 # kernel parameter -F", "0.25 # kernel parameter -M", "2 # kernel parameter -M"), `F:11: the head of the model file: -M "2": expected a decay above 0, up to 1`},
		{modelText(twoLines, "-0.5 # threshold", "nan # threshold"), `F:11: the head of the model file: the threshold "nan" is no number`},
		{modelText("1,2 |BT| (A b) |ET|\n"), `F:12: sentence 1: the weight "1,2" is no number: expected one number, α·y`},
		{modelText("1 |BT| (A b) |BT| (A c) |ET|\n"), `F:12: sentence 1: 2 trees: expected one, as the kernels of several are not those of a forest under -N 3 and -W S`},
		{modelText("1 |BT| (A b |ET|\n"), `F:12: sentence 1: tree 1: 1 bracket open at |ET|: expected ")"`},
		{modelText("1 |BT| (A b) |ET|\n"), `F:12: the model file ends after 1 support vector: expected 2, as its head says`},
	} {
		got, err := readModel(c.text)
		var bad *index.InputError
		if err != nil && !errors.As(err, &bad) {
			t.Errorf("%q: %v is no input error", c.text, err)
		}
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q:\n%s, want\n%s", c.text, got, c.want)
		}
	}
}

// A model file that was written reads back with the same head, weights and trees.
func TestWriteModel(t *testing.T) {
	for _, m := range []Model{
		{"stk", 0.4, true, 0.1}, {"st", 1, false, -1e-300}, {"sstbow", 0.05, true, 0}, {"ptk:mu=0.3", 0.4, false, 3},
	} {
		s := index.NewSymbols()
		text, err := AppendHead(nil, m, 2)
		for i, line := range []string{"0.1 |BT| (S (A b) (C)) |ET|\n", "-1e-17 |BT| (S (A b)) |BT| (D (E f)) |ET|\n"} {
			var tree index.Tree
			in := Open(strings.NewReader(line), format.Options{File: "F", Symbols: s})
			if err := in.Next(&tree); err != nil {
				t.Fatal(err)
			}
			if m.Normalize && i == 1 {
				if _, err := AppendVector(nil, m, 1, &tree, s); err == nil {
					t.Error("no error of a forest")
				}
				in = Open(strings.NewReader("-1e-17 |BT| (S (A b)) |ET|\n"), format.Options{File: "F", Symbols: s})
				if err := in.Next(&tree); err != nil {
					t.Fatal(err)
				}
			}
			w, ok := format.Decimal([]byte(tree.Label))
			if err == nil && ok {
				text, err = AppendVector(text, m, w, &tree, s)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%+v 0.1:4 -1e-17:6", m)
		if m.Normalize {
			want = fmt.Sprintf("%+v 0.1:4 -1e-17:3", m)
		}
		if got, err := readModel(string(text)); got != want || err != nil {
			t.Errorf("%s, %v, want %s:\n%s", got, err, want, text)
		}
	}
	if text, err := AppendHead(nil, Model{Space: "ptk", Lambda: 0.4}, 0); err != nil || !strings.Contains(string(text), "\n0.4 # kernel parameter -M") {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := AppendHead(nil, Model{Space: "seq"}, 0); err == nil {
		t.Error("no error of a space without a letter")
	}
	s := index.NewSymbols()
	var tree index.Tree
	b := &index.Builder{Symbols: s}
	for _, oneAlphabet := range []bool{false, true} {
		b.Start(&tree, oneAlphabet)
		b.Open([]byte("a b"))
		b.Word([]byte("w"))
		b.Close()
		if _, err := AppendVector(nil, Model{}, 1, &tree, s); err == nil {
			t.Error("no error of a name, or an alphabet, that is not written")
		}
	}
}

func FuzzModel(f *testing.F) {
	f.Add(modelText(twoLines))
	f.Add(modelText(twoLines, "1 # kernel parameter -F", "3 # kernel parameter -F"))
	f.Add("SVM-light Version V5.01\n# threshold b\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := readModel(text)
		var bad *index.InputError
		if err != nil && !errors.As(err, &bad) {
			t.Errorf("%v is no input error", err)
		}
	})
}
