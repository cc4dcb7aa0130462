package cli

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fstore/cli/command"
)

// parse parses a command line into a grammar.
func parse(t *testing.T, args ...string) (*grammar, error) {
	t.Helper()
	var g grammar
	p := newParser(&g, io.Discard, args)
	_, err := p.Parse(markLiterals(p.Model, args))
	return &g, err
}

func TestArgumentsFromFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return "@" + path
	}
	for _, c := range []struct{ arg, want string }{
		{file("fragment", "(NP (DT the) (NN))\n"), "(NP (DT the) (NN))"},
		{file("crlf", "(NP)\r\n"), "(NP)"},
		{file("two", "(NP)\n\n"), "(NP)\n"},
		{file("bare", "(NP)"), "(NP)"},
		{file("dash", "--where\n"), "--where"},
		{file("empty", ""), ""},
		{file("at", "@x"), "@x"},
		{"@@fragment", "@fragment"},
		{"@@@", "@@"},
		{"a@b", "a@b"},
	} {
		g, err := parse(t, "query", "s", c.arg)
		if err != nil || g.Query.Fragment == nil || *g.Query.Fragment != c.want {
			t.Errorf("%s: %+v, %v; want %s", c.arg, g.Query, err, c.want)
		}
		for _, args := range [][]string{{"--where", c.arg}, {"--where=" + c.arg}} {
			g, err := parse(t, append([]string{"query", "s"}, args...)...)
			if err != nil || g.Query.Where != c.want {
				t.Errorf("%s: %q, %v; want %q", args, g.Query.Where, err, c.want)
			}
		}
	}
	if _, err := parse(t, "query", "s", file("latin1", "(N caf\xe9)")); err == nil || !strings.Contains(err.Error(), "is no UTF-8") {
		t.Errorf("no UTF-8: %v", err)
	}
	g, err := parse(t, "build", "s", "a\xe9", file("input", "my file.mrg\n"), "--space", file("space", "stk:max-order=2\n"), "--max-order", file("n", "7\n"), "--memory", file("m", "1GB"))
	if err != nil || g.Build.Inputs[0] != "a\xe9" || g.Build.Inputs[1] != "my file.mrg" || *g.Build.MaxOrder != 7 || g.Build.Memory != 1e9 || *g.Build.Space[0].MaxOrder != 2 {
		t.Errorf("%+v, %v", g.Build, err)
	}
}

func TestValuesWithHyphens(t *testing.T) {
	g, err := parse(t, "build", "s", "-", "--label", "-1")
	if err != nil || g.Build.Label != "-1" || g.Build.Inputs[0] != "-" {
		t.Errorf("%+v, %v", g.Build, err)
	}
	g, err = parse(t, "examples", "s", "f", "--label=-x", "-o", "-")
	if err != nil || g.Examples.Label != "-x" || g.Examples.Out != "-" {
		t.Errorf("%+v, %v", g.Examples, err)
	}
	g, err = parse(t, "query", "s", "--", "-LRB-")
	if err != nil || g.Query.Fragment == nil || *g.Query.Fragment != "-LRB-" {
		t.Errorf("%+v, %v", g.Query, err)
	}
}

func TestDefaults(t *testing.T) {
	g, err := parse(t, "build", "s", "a")
	if b := g.Build; err != nil || b.MinSupport != nil || b.MaxOrder != nil || b.Closed != nil || b.MaxFragments != 50_000_000 || b.OnError != "stop" || b.LabelMatch != "" {
		t.Errorf("%+v, %v", b, err)
	}
	g, err = parse(t, "query", "s")
	if err != nil || g.Query.Limit != 20 {
		t.Errorf("%+v, %v", g.Query, err)
	}
	g, err = parse(t, "kernel", "s")
	if err != nil || g.Kernel.Lambda != 0.4 || g.Kernel.Normalize != "none" {
		t.Errorf("%+v, %v", g.Kernel, err)
	}
	g, err = parse(t, "query", "s", "--columns", "chi2,pvalue", "--columns", "id")
	if err != nil || !reflect.DeepEqual(g.Query.Columns, []string{"chi2", "pvalue", "id"}) {
		t.Errorf("%+v, %v", g.Query, err)
	}
	g, err = parse(t, "build", "s", "a", "--closed", "--min-support", "1")
	if b := g.Build; err != nil || *b.MinSupport != 1 || !*b.Closed {
		t.Errorf("%+v, %v", b, err)
	}
	g, err = parse(t, "build", "s", "a", "--label-from", "comment:genre", "--label-match", "^(.)", "--space", "stk", "--space", "st:closed")
	if b := g.Build; err != nil || b.LabelFrom != "comment:genre" || b.LabelMatch != "^(.)" || len(b.Space) != 2 || !*b.Space[1].Closed {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestGlobs(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.mrg", "a.mrg", "c.txt", "[x].mrg"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	got := command.ExpandGlobs([]string{"-", "[ab].mrg", "*.txt", "no*", "none.mrg", "[x].mrg", "*.mrg", "[bad"})
	want := "- a.mrg b.mrg c.txt no* none.mrg [x].mrg [x].mrg a.mrg b.mrg [bad"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}
