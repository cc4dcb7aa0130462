package decode

import "testing"

func TestSniff(t *testing.T) {
	for _, c := range []struct{ file, head, want string }{
		{"", "(S (NP x))\n", "ptb"},
		{"", "\n  ( (S x))", "ptb"},
		{"x.mrg", "foo\n(A b)\n", "ptb"},
		{"", "foo\n(A b)\n", "ptb"},
		{"x.mrg", "foo\n", "ptb"},
		{"", "1\tw\t_\tX\t_\t_\t0\troot\t_\t_\n", "conllu"},
		{"", "# sent_id = 1\n1-2\tw\t_\tX\t_\t_\t_\t_\t_\t_\n", "conllu"},
		{"x.conllu", "1 w _ X\n", "conllu"},
		{"", "1 w _ X\n", "conllu"},
		{"", "1 |BT| (a b) |ET|\n", "svmtk"},
		{"x.conllu", "1 |BT| (a b) |ET|\n", "svmtk"},
		{"", "# c\n-1\t|BT| (a b) |ET|\n", "svmtk"},
		{"", "+1 1:0.5 2:1\n", "svmtk"},
		{"", "|BT| (a b) |ET|\n", "svmtk"},
		{"x.svmtk", "hello\n", "svmtk"},
		{"", "hello\n", ""},
		{"", "hello world\n", ""},
		{"x.txt", "A sentence (with brackets).\n", ""},
	} {
		got := ""
		if f := sniff(c.file, []byte(c.head)); f != nil {
			got = f.Name
		}
		if got != c.want {
			t.Errorf("%q %q: %q, want %q", c.file, c.head, got, c.want)
		}
	}
}
