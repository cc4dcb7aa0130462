package decode

import (
	"path/filepath"
	"testing"
)

func TestLabels(t *testing.T) {
	dir := filepath.Dir(files(t,
		"en/news.v1.mrg.gz", "( (A b) (ID n1-12))\n(C d)\n",
		"doc.conllu", "# newdoc id = d1\n# genre = news\n# sent_id = d1-1\n# lang = en\n"+word("a")+
			"\n# sent_id = d1-2\n# genre = blog\n"+word("b")+"\n# newdoc id = d2\n"+word("c"),
		"x.svmtk", "+1 |BT| (N w) |ET|\n",
		"labels.tsv", "\ufeffd1-1\tone\r\n\r\nd1-2\ttwo\r\nd1-2\tthree\nn1-12\tfour\n",
		"bad.tsv", "a\tb\nno tab\n",
	)[1])
	ptb, conllu, svmtk := filepath.Join(dir, "en/news.v1.mrg.gz"), filepath.Join(dir, "doc.conllu"), filepath.Join(dir, "x.svmtk")
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
		{"label", svmtk, LabelOptions{Label: []string{"x,y"}}, []string{"x.svmtk#1|x,y||w"}},
		{"labels", svmtk, LabelOptions{Label: []string{"a", "b", "a"}, LabelFrom: []string{"line"}}, []string{"x.svmtk#1|a,b,+1||w"}},
		{"file", ptb, LabelOptions{LabelFrom: []string{"file"}}, []string{"n1-12|news.v1||b", "news.v1.mrg.gz#2|news.v1||d"}},
		{"path", ptb, LabelOptions{LabelFrom: []string{"path"}, LabelMatch: `/(\w+)/[^/]*$`}, []string{"n1-12|en||b", "news.v1.mrg.gz#2|en||d"}},
		{"match without group", ptb, LabelOptions{LabelFrom: []string{"file"}, LabelMatch: `v\d`}, []string{"n1-12|v1||b", "news.v1.mrg.gz#2|v1||d"}},
		{"no match", ptb, LabelOptions{LabelFrom: []string{"file"}, LabelMatch: `zzz`}, []string{"n1-12|||b", "news.v1.mrg.gz#2|||d"}},
		{"id", ptb, LabelOptions{LabelFrom: []string{"id"}, LabelMatch: `(\d+)$`}, []string{"n1-12|12||b", "news.v1.mrg.gz#2|||d"}},
		{"comment", conllu, LabelOptions{LabelFrom: []string{"comment:genre"}}, []string{"d1-1|news|d1|a", "d1-2|blog|d1|b", "doc.conllu#3||d2|c"}},
		{"held comments", conllu, LabelOptions{LabelFrom: []string{"comment:lang", "comment:sent_id"}}, []string{"d1-1|en,d1-1|d1|a", "d1-2|en,d1-2|d1|b", "doc.conllu#3||d2|c"}},
		{"comment of brackets", ptb, LabelOptions{LabelFrom: []string{"comment:genre"}}, []string{"n1-12|||b", "news.v1.mrg.gz#2|||d"}},
		{"labels-file", conllu, LabelOptions{LabelsFile: labels}, []string{"d1-1|one|d1|a", "d1-2|two,three|d1|b", "doc.conllu#3||d2|c"}},
		{"all", conllu, LabelOptions{LabelsFile: labels, Label: []string{"L"}, LabelFrom: []string{"file", "comment:genre"}}, []string{"d1-1|L,doc,news,one|d1|a", "d1-2|L,doc,blog,two,three|d1|b", "doc.conllu#3|L,doc|d2|c"}},
		{"labels-file, line", svmtk, LabelOptions{LabelsFile: labels}, []string{"x.svmtk#1|||w"}},
		{"document file", conllu, LabelOptions{DocumentFrom: "file"}, []string{"d1-1||doc|a", "d1-2||doc|b", "doc.conllu#3||doc|c"}},
		{"document id", conllu, LabelOptions{DocumentFrom: "id"}, []string{"d1-1||d1|a", "d1-2||d1|b", "doc.conllu#3|||c"}},
		{"bad labels-file", svmtk, LabelOptions{LabelsFile: filepath.Join(dir, "bad.tsv")}, []string{`open: bad.tsv:2: "no tab": expected a name, a tab and a label`}},
		{"no labels-file", svmtk, LabelOptions{LabelsFile: filepath.Join(dir, "none.tsv")}, []string{"open: none.tsv: no such file"}},
		{"unknown source", svmtk, LabelOptions{LabelFrom: []string{"name"}}, []string{`open: --label-from: "name": expected file, path, line, id or comment:KEY`}},
		{"no key", svmtk, LabelOptions{LabelFrom: []string{"comment:"}}, []string{`open: --label-from: "comment:": expected file, path, line, id or comment:KEY`}},
		{"unknown document", svmtk, LabelOptions{DocumentFrom: "path"}, []string{`open: --document-from: "path": expected newdoc, file or id`}},
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
