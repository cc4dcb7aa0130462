package read_test

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/decode/internal/decodetest"
	"fstore/decode/internal/readtest"
	"fstore/decode/read"
	"fstore/index"
)

func TestLists(t *testing.T) {
	const lists, gold = "s1 1: new/0\ns1 2: new/0\ns2 1: more/0 x/1\ns2 2: more/2 x/0\n: lonely/0\ns3 1: y/0\ns3 2: z/0\n", "s1: new/0\ns2: more/0 x/1\ns3: y/0\n"
	paths := append(readtest.Files(t, "lists", readtest.Sentences(lists)), readtest.Files(t, "gold", readtest.Sentences(gold))...)
	want := []string{"s1: 1=new/0 2=new/0", "s2: 1=more/0x/1 2=more/2x/0", "s3: 1=y/0"}
	withGold := []string{want[0] + " | new/0", want[1] + " | more/0x/1", want[2] + " | y/0"}
	for goldFile, want := range map[string][]string{"": want, paths[1]: withGold} {
		for name, syms := range map[string]*index.Symbols{"frozen": read.ScratchSymbols(), "growing": index.NewSymbols()} {
			in, err := read.OpenLists(paths[:1], read.InputOptions{Symbols: syms, Gold: goldFile, Skip: true})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, decodetest.ReadLists(t, in, syms)); diff != "" {
				t.Errorf("%s, gold %q: %s", name, goldFile, diff)
			}
			if n, _ := in.Skipped(); n != 2 {
				t.Errorf("%d left out, want the sentence that is no candidate, and the candidate with other words", n)
			}
			if err := in.Close(); err != nil {
				t.Error(err)
			}
			in.Release()
			if name == "frozen" && syms.Len(index.Words) > 0 {
				t.Errorf("%d words are left", syms.Len(index.Words))
			}
		}
	}
	// Without Skip, these samples are reported as errors.
	in, err := read.OpenLists(paths[:1], read.InputOptions{Symbols: index.NewSymbols()})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var l read.List
	var errs []string
	for err := in.NextList(&l); err != io.EOF; err = in.NextList(&l) {
		if err != nil {
			errs = append(errs, err.Error())
		}
	}
	if diff := cmp.Diff([]string{
		paths[0] + ":23: sentence 5: no candidate of a K-best list: expected comments sent_id and candidate",
		paths[0] + `:30: sentence 7: word 1 is "z", and "y" in the first candidate: expected the same words`,
	}, errs); diff != "" {
		t.Error(diff)
	}
}

// After an error in a list, the next list is read. Of the list with the error nothing is returned, not even
// its gold tree.
func TestGoldTreeAfterError(t *testing.T) {
	paths := readtest.Files(t,
		"lists", readtest.Sentences("s1 1: a/0 b/1\ns1 2: a/0 x/1\ns2 1: c/0 d/1\n"),
		"gold", readtest.Sentences("s1: a/2 b/0\ns2: c/2 d/0\n"))
	syms := index.NewSymbols()
	in, err := read.OpenLists(paths[:1], read.InputOptions{Symbols: syms, Gold: paths[1]})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	want := []string{`word 2 is "x", and "b" in the gold tree (` + paths[1] + `, sentence 1): expected the same words`, "s2: 1=c/0d/1 | c/2d/0"}
	if diff := cmp.Diff(want, decodetest.ReadLists(t, in, syms)); diff != "" {
		t.Error(diff)
	}
}

// TestMajority: each column is voted on separately, and of equal values the first one wins. Heads stay.
func TestMajority(t *testing.T) {
	s := index.NewSymbols()
	id := func(x string) uint32 { return s.Intern(index.Words, []byte(x)) }
	tree := func(score float64, head int32, lemma, upos, xpos, feats string) *index.Tree {
		return &index.Tree{Kind: index.Dependency, Score: score, Tokens: []index.Token{
			{Form: id("w"), Lemma: id(lemma), UPOS: id(upos), XPOS: id(xpos), Feats: id(feats), Rel: id("r"), Head: head},
		}}
	}
	all := []*index.Tree{
		tree(2, 0, "a", "N", "x", "_"), tree(3, 1, "b", "V", "x", "_"), tree(2, 2, "c", "N", "y", "f"),
	}
	var g read.Tagger
	tokens := g.Majority(all)
	for _, c := range all {
		read.Apply(c, tokens)
	}
	want := []*index.Tree{
		tree(2, 0, "b", "N", "x", "_"), tree(3, 1, "b", "N", "x", "_"), tree(2, 2, "b", "N", "x", "_"),
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Error(diff)
	}
	all = []*index.Tree{tree(-1, 0, "a", "N", "x", "_"), tree(-9, 0, "b", "V", "y", "f")}
	if got := g.Majority(all)[0]; got != all[0].Tokens[0] {
		t.Errorf("of equals: %+v", got)
	}
}

// TestTagsOfLists: all trees of a list get the tags of most candidates. So do the first candidate, and a gold
// tree that is added or found. With TagsOwn, each tree keeps its own tags.
func TestTagsOfLists(t *testing.T) {
	tagged := func(tag, text string) string {
		return strings.ReplaceAll(readtest.Sentences(text), "\tX\t", "\t"+tag+"\t")
	}
	paths := readtest.Files(t,
		"lists", tagged("F", "s1 1: a/0 b/1\n")+tagged("M", "s1 2: a/0 b/0\ns1 3: a/2 b/0\n")+
			tagged("F", "s2 1: c/0 d/1\n")+tagged("M", "s2 2: c/0 d/0\ns2 3: c/0 d/1\n"),
		"gold", tagged("G", "s1: a/0 b/1\ns2: c/2 d/0\n"))
	for _, c := range []struct {
		tags read.Tags
		want string
	}{
		{read.TagsMajority, "M M M M M M M"},
		{read.TagsOwn, "F M M F M M G"},
	} {
		syms := index.NewSymbols()
		in, err := read.Open(paths[:1], read.InputOptions{Symbols: syms, Gold: paths[1], Tags: c.tags})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		var tree index.Tree
		for err = in.Next(&tree); err == nil; err = in.Next(&tree) {
			got = append(got, string(syms.Bytes(index.Words, tree.Tokens[0].UPOS)))
		}
		if err != io.EOF || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s; %v", c.tags, got, c.want, err)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
}
