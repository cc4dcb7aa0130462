package foreign

import (
	"strings"
	"testing"
)

func TestRecognise(t *testing.T) {
	for _, c := range []struct{ head, want string }{
		{"(S (VP (VB 0=Wake) (PRP 1=him) (RP 2=up)) (. 3=.))\n", "discbracket"},
		{"\n(S (VP (VB 0=Wake)\n (RP 2=up)) (NP (PRP 1=him)))\n(A b)", "discbracket"},
		{"(S (VP (VB 0=Wake) (PRP 1=hi", "discbracket"},
		{"(S 1=b 0=a)", "discbracket"},
		{"(S (A 0=) (B 1==))", "discbracket"},
		{"(S (NP (CD 0=x)) (VP sat))", ""},
		{"(S (NP (CD 1=x)) (VP (V 2=y)))", ""},
		{"(S (NP (CD 0=x)) (VP (V 0=y)))", ""},
		{"(S (A =x))", ""},
		{"(S (A +0=x))", ""},
		{"(S (A", ""},
		{"(S (0=A b))", ""},
		{"( (S (A b)) )", ""},
		{"", ""},
		{" \n", ""},
		{"#FORMAT 3\n#BOS 1 1 0 0\nWake\t--\tVVIMP\t--\tHD\t500\n", "NEGRA export"},
		{"%% version 2\n#BOS 1 1 0 0\n", "NEGRA export"},
		{"#BOT ORIGIN\n", "NEGRA export"},
		{"# sent_id = #BOS 1\n1\tw\n", ""},
		{"1\tw\n#BOS 1\n", ""},
		{"<?xml version=\"1.0\"?>\n<corpus id=\"c\">\n", "TIGER-XML"},
		{"<corpus id='c'>", "TIGER-XML"},
		{"<?xml version=\"1.0\"?>\n", "XML"},
		{"<alpino_ds version='1.3'>\n", "XML"},
		{"<s> a b\n", ""},
		{"ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1\n(<T S[dcl] 0 2> (<L NP NNP NNP Pierre NP>) )\n", "CCGbank"},
		{"(<L NP NNP NNP Pierre NP>)\n", "CCGbank"},
		{"(<T (A b))", ""},
		{"(< T)", ""},
		{"(a / and :op1 (b / boy))\n", "AMR"},
		{"# ::id 1\n# ::snt The boy.\n(b / boy)\n", "AMR"},
		{"(S (SYM /) (NN boy))", ""},
		{"(SYM /)\n(NN boy)", ""},
		{"(SYM / )", ""},
		{"(X a/b / c)", ""},
		{"\xff\xfe(\x00S\x00", "UTF-16"},
		{"\xfe\xff\x00(\x00S", "UTF-16"},
	} {
		got, _, _ := strings.Cut(Recognise([]byte(c.head)), " is not read")
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.head, got, c.want)
		}
	}
	for name, want := range map[string]string{"tiger": "TIGER-XML is not read: ", "Export": "NEGRA export is not read: ", "ptb": ""} {
		if got := Refusal(name); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
