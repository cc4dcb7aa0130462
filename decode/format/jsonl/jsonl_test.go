package jsonl_test

import (
	"cmp"
	"testing"

	"fstore/decode/format"
	"fstore/decode/format/conllu"
	"fstore/decode/format/jsonl"
	"fstore/decode/format/ptb"
	"fstore/decode/format/svmtk"
	"fstore/decode/internal/readtest"
)

// reader reads texts in one format.
func reader(f *format.Format) readtest.Reader {
	return readtest.Reader{Print: f, Format: jsonl.New(func(text []byte) *format.Format {
		if f.Sniff("", text) > 0 {
			return f
		}
		return nil
	})}
}

// TestRead checks that each line that is not blank gives a sample or an error.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		of                               *format.Format
		line, label, name, document, err string
	}{
		{line: `"(S (NP a))"`},
		{line: ` {"text": "\n(S\n(NP a))", "label": "x", "name": "n", "document": "d"}`, label: "x", name: "n", document: "d"},
		{of: &conllu.Format, line: `"1\tA\t_\tN\t_\t_\t0\troot\t_\t_\n"`},
		{of: &conllu.Format, line: `"# sent_id = s\n1\tA\t_\tN\t_\t_\t0\troot\t_\t_\n"`, name: "s"},
		{of: &svmtk.Format, line: `"1 |BT| (S a) |ET|"`, label: "1"},
		{line: `""`, err: "the text is empty: expected a tree"},
		{line: `" \n"`, err: "the text is empty: expected a tree"},
		{line: `"(S"`, err: "the tree that starts here is truncated: 1 bracket open at the end of the input, expected \")\""},
		{line: `"(S a)\n(S"`, err: "line 2 of the text: the tree that starts here is truncated: 1 bracket open at the end of the input, expected \")\""},
		{line: `"(S a) (S b)"`, err: "more than one tree in the text: expected one"},
		{line: `"\"(S a)\""`, err: "no tree: the text is in no format that is known"},
		{line: `"the cat"`, err: "no tree: the text is in no format that is known"},
		{line: `"(S a)`, err: expected},
		{line: `"(S a)" "(S b)"`, err: expected},
		{line: `{"text": "(S a)", "colour": 1}`, err: `the key "colour": ` + expected},
		{line: `{"text": 1}`, err: expected},
		{line: `[]`, err: expected},
		{line: `{"text": "(S a)"`, err: expected},
		{line: `{"text": "(S a)"}}`, err: expected},
		{line: `"(S a)"]`, err: expected},
		{line: `{"Text": "(S a)"}`, err: `the key "Text": ` + expected},
		{line: `{"text": "(S a)", "text": "(S b)"}`, err: `the key "text" stands there twice`},
		{line: `{"text": "(S a)", "label": null}`},
		{line: `"(S (N \ud83d\ude00) (N \\ud800))"`},
		{line: `"(S caf\ud800)"`, err: `\ud800 at column 8 is half of a surrogate pair, and no character`},
		{line: `{"text": "(S a)", "label": "\udce9"}`, err: `\udce9 at column 29 is half of a surrogate pair, and no character: Python has it for the byte 0xe9, which is no UTF-8`},
		{line: "\"(S caf\xe9)\"", err: "invalid UTF-8 at column 8: expected UTF-8 text"},
	} {
		got := reader(cmp.Or(c.of, &ptb.Format)).Read(t, "\n"+c.line+"\n\n", format.Options{File: "f"})
		want := ""
		if c.err != "" {
			want = "f:2: sentence 1: " + c.err
		}
		switch {
		case len(got.Errors)+len(got.Trees) != 1:
			t.Errorf("%s: %v, %d trees", c.line, got.Errors, len(got.Trees))
		case len(got.Errors) == 1 && got.Errors[0].Error() != want || len(got.Trees) == 1 && c.err != "":
			t.Errorf("%s: %v, want %s", c.line, got.Errors, want)
		case c.err == "":
			if x := got.Trees[0]; x.Label != c.label || x.Name != c.name || x.Document != c.document || x.Line != 2 {
				t.Errorf("%s: %+v", c.line, x)
			}
		}
	}
}

const expected = `expected a JSON string with the text of a tree, or an object with that under "text", and "label", "name" and "document"`

func FuzzRead(f *testing.F) {
	reader(&ptb.Format).Fuzz(f, []string{
		"\"(S (NP a))\"\n{\"text\":\"(S b)\",\"label\":\"x\"}\n\"\"\n[]\n",
		"\"1\\tA\"\n\"(S\"\n",
	})
}
