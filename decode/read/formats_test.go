package read

import (
	"strings"
	"testing"
)

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
		{"", "1 qid:3 1:1\n", "svmtk"},
		{"", "# global.columns = ID FORM UPOS\n1\tw\tX\n", "conllu"},
		{"", "|BT| (a b) |ET|\n", "svmtk"},
		{"x.svmtk", "hello\n", "svmtk"},
		{"", "1\tdogs\tdog\tN\tNNS\t_\t2\tSBJ\t_\t_\n", "conllx"},
		{"", "1\tdogs\tdog\tNOUN\tNNS\t_\t2\tSBJ\t2\tSBJ\n", "conllx"},
		{"x.conllx", "1\tdogs\tdog\tNOUN\tNNS\t_\t2\tSBJ\t_\t_\n", "conllx"},
		{"x.conll", "1\tdogs\tdog\tNOUN\tNNS\t_\t2\tSBJ\t_\t_\n", "conllx"},
		{"x.conllu", "1\tdogs\tdog\tN\tNNS\t_\t2\tSBJ\t_\t_\n", "conllu"},
		{"", "# c\n1\tdogs\tdog\tN\tNNS\t_\t2\tSBJ\t_\t_\n", "conllu"},
		{"", "1-2\tdogs\tdog\tN\tNNS\t_\t2\tSBJ\t_\t_\n", "conllu"},
		{"", "\n1" + strings.Repeat("\t_", 13) + "\n", "conll09"},
		{"x.conll", "1" + strings.Repeat("\t_", 15) + "\r\n", "conll09"},
		{"x.conll09", "1 w\n", "conll09"},
		{"", "NUM |BS:q| How ? |ES| |BT:t| (a b) |ET|\n", "klp"},
		{"", "1 |BT:t| (a b) |ET|\n", "klp"},
		{"x.svmtk", "1 |BT:t| (a b) |ET|\n", "klp"},
		{"x.klp", "hello\n", "klp"},
		{"", "13 x\n-8.8 -30\n(S1 (X x))\n", "nbest"},
		{"", "\n1 x y\n-8\n(", "nbest"},
		{"", "13 x\n", "nbest"},
		{"", "13 x\n(S1 (X x))\n", "ptb"},
		{"", "SVM-light Version V5.01-TK-1.5\n5 # kernel type\n", "svmtk"},
		{"x.conllx", "# c\n", "conllx"},
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
