package read

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"fstore/decode/internal/readtest"
	"fstore/index"
)

func TestLabels(t *testing.T) {
	dir := filepath.Dir(readtest.Files(t,
		"en/news.v1.mrg.gz", "( (A b) (ID n1-12))\n(C d)\n",
		"doc.conllu", "# newdoc id = d1\n# genre = news\n# sent_id = d1-1\n# lang = en\n"+readtest.Word("a")+
			"\n# sent_id = d1-2\n# genre = blog\n"+readtest.Word("b")+"\n# newdoc id = d2\n"+readtest.Word("c"),
		"x.svmtk", "+1 |BT| (N w) |ET|\n",
		"labels.tsv", "\ufeffd1-1\tone\r\n\r\nd1-2\ttwo\r\nd1-2\tthree\nn1-12\tfour\n",
		"bad.tsv", "a\tb\nno tab\n",
		"commas.tsv", "a\tb,c\n",
		"a,b.conllu", "# genre = x,y\n"+readtest.Word("a")+"\n# genre = z\n"+readtest.Word("b"),
		"lines.klp", "x,y |BT:t| (N w) |ET|\n",
	)[1])
	ptb, conllu, svmtk := filepath.Join(dir, "en/news.v1.mrg.gz"), filepath.Join(dir, "doc.conllu"), filepath.Join(dir, "x.svmtk")
	commas, lines := filepath.Join(dir, "a,b.conllu"), filepath.Join(dir, "lines.klp")
	labels := filepath.Join(dir, "labels.tsv")
	for _, c := range []struct {
		name string
		path string
		o    LabelOptions
		want []string
	}{
		{"none", ptb, LabelOptions{}, []string{"n1-12|||b", "news.v1.mrg.gz#2|||d"}},
		{"none, line", svmtk, LabelOptions{}, []string{"x.svmtk#1|+1||w"}},
		{"none, newdoc", conllu, LabelOptions{}, []string{"d1-1||d1|a", "d1-2||d1|b", "doc.conllu#3||d2|c"}},
		{"label", svmtk, LabelOptions{Label: []string{"x,y"}}, []string{`open: --label: "x,y" has a comma, which joins the labels of a sample: expected one label`}},
		{"labels", svmtk, LabelOptions{Label: []string{"a", "b", "a"}, LabelFrom: []string{"line"}}, []string{"x.svmtk#1|a,b,+1||w"}},
		{"file", ptb, LabelOptions{LabelFrom: []string{"file"}}, []string{"n1-12|news.v1||b", "news.v1.mrg.gz#2|news.v1||d"}},
		{"path", ptb, LabelOptions{LabelFrom: []string{"path"}, LabelMatch: `/(\w+)/[^/]*$`}, []string{"n1-12|en||b", "news.v1.mrg.gz#2|en||d"}},
		{"match without group", ptb, LabelOptions{LabelFrom: []string{"file"}, LabelMatch: `v\d`}, []string{"n1-12|v1||b", "news.v1.mrg.gz#2|v1||d"}},
		{"no match", ptb, LabelOptions{LabelFrom: []string{"file"}, LabelMatch: `zzz`}, []string{"n1-12|||b", "news.v1.mrg.gz#2|||d", `--label-match: zzz matches no value of file, such as "news.v1": no sample has a label`}},
		{"id", ptb, LabelOptions{LabelFrom: []string{"id"}, LabelMatch: `(\d+)$`}, []string{"n1-12|12||b", "news.v1.mrg.gz#2|||d"}},
		{"comment", conllu, LabelOptions{LabelFrom: []string{"comment:genre"}}, []string{"d1-1|news|d1|a", "d1-2|blog|d1|b", "doc.conllu#3||d2|c"}},
		{"comments of a sentence", conllu, LabelOptions{LabelFrom: []string{"comment:lang", "comment:sent_id"}}, []string{"d1-1|en,d1-1|d1|a", "d1-2|d1-2|d1|b", "doc.conllu#3||d2|c"}},
		{"comment of brackets", ptb, LabelOptions{LabelFrom: []string{"comment:genre"}}, []string{
			"n1-12|||b", "news.v1.mrg.gz#2|||d", "--label-from: comment:genre: no sample has a label, as the input has no comments of the form # key = value",
		}},
		{"one source of two gives none", ptb, LabelOptions{LabelFrom: []string{"id", "line"}}, []string{
			"n1-12|n1-12||b", "news.v1.mrg.gz#2|||d", "--label-from: line: no sample has a label there",
		}},
		{"no id", svmtk, LabelOptions{LabelFrom: []string{"id"}}, []string{"x.svmtk#1|||w", "--label-from: id: no sample has an id of its own, sent_id or ID"}},
		{"no such key", conllu, LabelOptions{LabelFrom: []string{"comment:Gener"}}, []string{
			"d1-1||d1|a", "d1-2||d1|b", "doc.conllu#3||d2|c", "--label-from: no sample has a comment # Gener = …: did you mean comment:genre?",
		}},
		{"nothing like the key", conllu, LabelOptions{LabelFrom: []string{"comment:speaker"}}, []string{
			"d1-1||d1|a", "d1-2||d1|b", "doc.conllu#3||d2|c", "--label-from: no sample has a comment # speaker = …: there are newdoc id, genre, sent_id, lang",
		}},
		{"no document", ptb, LabelOptions{DocumentFrom: "newdoc"}, []string{"n1-12|||b", "news.v1.mrg.gz#2|||d", "--document-from: newdoc: no sample has a document there"}},
		{"labels-file", conllu, LabelOptions{LabelsFile: labels}, []string{"d1-1|one|d1|a", "d1-2|two,three|d1|b", "doc.conllu#3||d2|c"}},
		{"all", conllu, LabelOptions{LabelsFile: labels, Label: []string{"L"}, LabelFrom: []string{"file", "comment:genre"}}, []string{"d1-1|L,doc,news,one|d1|a", "d1-2|L,doc,blog,two,three|d1|b", "doc.conllu#3|L,doc|d2|c"}},
		{"labels-file, line", svmtk, LabelOptions{LabelsFile: labels}, []string{
			"x.svmtk#1|||w", "--labels-file: " + labels + ": no sample has a name that stands there, such as d1-1: names of samples look like x.svmtk#1",
		}},
		{"document file", conllu, LabelOptions{DocumentFrom: "file"}, []string{"d1-1||doc|a", "d1-2||doc|b", "doc.conllu#3||doc|c"}},
		{"document id", conllu, LabelOptions{DocumentFrom: "id"}, []string{"d1-1||d1|a", "d1-2||d1|b", "doc.conllu#3|||c"}},
		{"bad labels-file", svmtk, LabelOptions{LabelsFile: filepath.Join(dir, "bad.tsv")}, []string{`open: bad.tsv:2: "no tab": expected a name, a tab and a label`}},
		{"no labels-file", svmtk, LabelOptions{LabelsFile: filepath.Join(dir, "none.tsv")}, []string{"open: none.tsv: no such file"}},
		{"unknown source", svmtk, LabelOptions{LabelFrom: []string{"name"}}, []string{`open: --label-from: "name" is none of file, path, line, id, comment:KEY`}},
		{"no key", svmtk, LabelOptions{LabelFrom: []string{"comment:"}}, []string{`open: --label-from: "comment:" is none of file, path, line, id, comment:KEY`}},
		{"unknown document", svmtk, LabelOptions{DocumentFrom: "path"}, []string{`open: --document-from: "path" is none of newdoc, file, id`}},
		{"comma in a comment", commas, LabelOptions{LabelFrom: []string{"comment:genre"}}, []string{`a,b.conllu:1: sentence 1: the label "x,y" has a comma, which joins the labels of a sample: expected one label from comment:genre`, "a,b.conllu#2|z||b"}},
		{"comma in a file name", commas, LabelOptions{LabelFrom: []string{"file"}, LabelMatch: `(.),`}, []string{"a,b.conllu#1|a||a", "a,b.conllu#2|a||b"}},
		{"commas of the line", lines, LabelOptions{LabelFrom: []string{"line"}, Label: []string{"y"}}, []string{"lines.klp#1|y,x||w"}},
		{"comma in labels-file", svmtk, LabelOptions{LabelsFile: filepath.Join(dir, "commas.tsv")}, []string{`open: commas.tsv:1: the label "b,c" has a comma, which joins the labels of a sample: expected a line for each label`}},
		{"bad regexp", svmtk, LabelOptions{LabelFrom: []string{"file"}, LabelMatch: "("}, []string{"open: --label-match: error parsing regexp: missing closing ): `(`"}},
		{"match of nothing", svmtk, LabelOptions{LabelMatch: "x"}, []string{"open: --label-match: expected --label-from beside it"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := readInputs(t, []string{c.path}, InputOptions{LabelOptions: c.o})
			check(t, got, c.want...)
		})
	}
}

func TestDocumentOf(t *testing.T) {
	for id, want := range map[string]string{
		"weblog-juancole-0002": "weblog-juancole", "1150.FIRST.SCI,.12": "1150.FIRST.SCI", "GUM_art-1": "GUM_art",
		"s12": "s12", "12": "12", "": "", "-3": "-3", "a": "a", "a-b": "a-b", "x.y_7": "x.y", "é#1": "é",
	} {
		if got := documentOf(id); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
}

func TestBaseLabel(t *testing.T) {
	for file, want := range map[string]string{
		"a/gum-news.mrg.gz": "gum-news", "1150.first.sci-lin.psd": "1150.first.sci-lin", "x": "x", ".mrg": ".mrg", "x.gz": "x", "stdin": "stdin",
	} {
		if got := baseLabel(file); got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
}

// A sample that is refused because of its label is counted as refused, and adds no symbols.
func TestRefusedLabel(t *testing.T) {
	syms := index.NewSymbols()
	in, err := Open(readtest.Files(t, "a.conllu", "# genre = x,y\n"+readtest.Word("a")+"\n# genre = z\n"+readtest.Word("b")), InputOptions{
		Symbols: syms, Skip: true, LabelOptions: LabelOptions{LabelFrom: []string{"comment:genre"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var tree index.Tree
	for err == nil {
		err = in.Next(&tree)
	}
	if r := in.Read(); err != io.EOF || len(r) != 1 || r[0].Samples != 1 || r[0].Refused != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	for c := range index.NumClasses {
		if syms.Lookup(index.Class(c), []byte("a")) != 0 {
			t.Errorf("class %d has a word of a refused sample", c)
		}
	}
}

// Documents and lists without a name get the name of their file. It is without the directories, no matter how
// the system writes them.
func TestNamelessHaveTheBase(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"conllu", "# newdoc\n" + readtest.Word("a"), "b.x#doc1"},
		{"nbest", "1 x\n-1\n(S a)\n", "b.x#1"},
	} {
		f, err := FormatByName(c.format)
		if err != nil {
			t.Fatal(err)
		}
		src := f.Open(strings.NewReader(c.text), Options{File: `C:\a\b.x`, Base: "b.x", Symbols: index.NewSymbols()})
		var tree index.Tree
		if err := src.Next(&tree); err != nil || tree.Document+tree.Group != c.want {
			t.Errorf("%s: %q %q, %v", c.format, tree.Document, tree.Group, err)
		}
	}
}
