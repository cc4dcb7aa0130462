package decode

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/store"
)

// readLists reads lists and says of each: name, candidates, and the gold tree after a bar,
// each tree as its forms and heads.
func readLists(t *testing.T, src ListSource, syms *index.Symbols) (all []string) {
	t.Helper()
	var l List
	show := func(t *index.Tree) string {
		text := ""
		for _, k := range t.Tokens {
			text += fmt.Sprintf("%s/%d", syms.Text(index.Words, k.Form), k.Head)
		}
		return text
	}
	for n := 0; ; n++ {
		err := src.NextList(&l)
		if err == io.EOF {
			return all
		}
		if bad := (*index.InputError)(nil); errors.As(err, &bad) {
			all = append(all, bad.Msg)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range l.trees[:l.used] {
			if x.Name != l.Candidates[0].Name {
				t.Errorf("a tree of %s is in the list of %s", x.Name, l.Candidates[0].Name)
			}
		}
		text := l.Candidates[0].Name + ":"
		for _, c := range l.Candidates {
			text += fmt.Sprintf(" %d=%s", c.Candidate, show(c))
		}
		if l.Gold != nil {
			text += " | " + show(l.Gold)
		}
		all = append(all, text)
		if n%2 == 1 {
			src.Release() // two lists at a time are held
		}
	}
}

func TestLists(t *testing.T) {
	const lists, gold = "s1 1: new/0\ns1 2: new/0\ns2 1: more/0 x/1\ns2 2: more/2 x/0\n: lonely/0\ns3 1: y/0\ns3 2: z/0\n", "s1: new/0\ns2: more/0 x/1\ns3: y/0\n"
	paths := append(files(t, "lists", sentences(lists)), files(t, "gold", sentences(gold))...)
	want := []string{"s1: 1=new/0 2=new/0", "s2: 1=more/0x/1 2=more/2x/0", "s3: 1=y/0"}
	withGold := []string{want[0] + " | new/0", want[1] + " | more/0x/1", want[2] + " | y/0"}
	for goldFile, want := range map[string][]string{"": want, paths[1]: withGold} {
		for name, syms := range map[string]*index.Symbols{"frozen": scratchSymbols(), "growing": index.NewSymbols()} {
			in, err := OpenLists(paths[:1], InputOptions{Symbols: syms, Gold: goldFile, Skip: true})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, readLists(t, in, syms)); diff != "" {
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
	// Without Skip, it is these that are complained of.
	in, err := OpenLists(paths[:1], InputOptions{Symbols: index.NewSymbols()})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var l List
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

// lossy leaves out the candidates of some sentences, as a store that was repaired may.
type lossy struct {
	index.Source
	lost []string
}

func (s *lossy) Next(t *index.Tree) error {
	for {
		if err := s.Source.Next(t); err != nil || t.Gold == index.GoldAdded || !slices.Contains(s.lost, t.Name) {
			return err
		}
	}
}

// TestListWithoutCandidates: a gold tree whose candidates are lost is no list, and is in none.
func TestListWithoutCandidates(t *testing.T) {
	paths := files(t,
		"lists", sentences("s1 1: a/0 b/1\ns2 1: c/0 d/1\ns2 2: c/0 d/0\ns3 1: e/0\ns4 1: f/0 g/1\n"),
		"gold", sentences("s1: a/2 b/0\ns2: c/2 d/0\ns3: e/0\ns4: f/2 g/0\n"))
	whole := []string{"s1: 1=a/0b/1 | a/2b/0", "s2: 1=c/0d/1 2=c/0d/0 | c/2d/0", "s3: 1=e/0 | e/0", "s4: 1=f/0g/1 | f/2g/0"}
	for _, c := range []struct{ lost, want []string }{
		{nil, whole},
		{[]string{"s1"}, whole[1:]},
		{[]string{"s1", "s2"}, whole[2:]},
		{[]string{"s2", "s4"}, []string{whole[0], whole[2]}},
		{[]string{"s1", "s2", "s4"}, whole[2:3]},
	} {
		syms := index.NewSymbols()
		in, err := OpenInputs(paths[:1], InputOptions{Symbols: syms, Gold: paths[1]})
		if err != nil {
			t.Fatal(err)
		}
		got := readLists(t, &storedLists{src: &lossy{in, c.lost}, syms: syms, kind: index.Dependency}, syms)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("without %v: %s", c.lost, diff)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
}

// sourceOf is a source of some trees.
type sourceOf []*index.Tree

// Next implements index.Source.
func (s *sourceOf) Next(t *index.Tree) error {
	if len(*s) == 0 {
		return io.EOF
	}
	*t, *s = *(*s)[0].Clone(), (*s)[1:]
	return nil
}

// TestDamagedLists: samples of a list that no build has put together are damage.
func TestDamagedLists(t *testing.T) {
	syms := index.NewSymbols()
	tree := func(words string, change func(*index.Tree)) *index.Tree {
		x := &index.Tree{Kind: index.Dependency, Group: "1"}
		for i, w := range strings.Fields(words) {
			x.Tokens = append(x.Tokens, index.Token{Form: syms.Intern(index.Words, []byte(w)), Head: int32(i)})
		}
		if change != nil {
			change(x)
		}
		return x
	}
	for _, c := range []struct {
		name  string
		trees []*index.Tree
		want  string // "": no error
	}{
		{"whole", []*index.Tree{tree("a b", nil), tree("a b", nil)}, ""},
		{"kinds", []*index.Tree{tree("a b", nil), tree("", func(x *index.Tree) { x.Kind = index.Constituency })}, "sample 1: it is of another kind than the store's"},
		{"alphabets", []*index.Tree{tree("a", func(x *index.Tree) { x.OneAlphabet = true })}, "sample 0: it is of another kind"},
		{"words", []*index.Tree{tree("a b", nil), tree("a c", nil)}, `sample 1: word 2 is "c", and "b" in the first candidate`},
		{"words after gold", []*index.Tree{tree("a b", func(x *index.Tree) { x.Gold = index.GoldAdded }), tree("a b c", nil)}, "sample 1: 3 words, and 2 in"},
		{"score", []*index.Tree{tree("a", func(x *index.Tree) { x.Score = math.Inf(1) })}, "sample 0: a score of +Inf: expected at most 1e+100"},
		{"no score", []*index.Tree{tree("a", func(x *index.Tree) { x.Score = math.NaN() })}, "sample 0: a score of NaN"},
	} {
		src := sourceOf(c.trees)
		var l List
		err := (&storedLists{src: &src, syms: syms, kind: index.Dependency}).NextList(&l)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (!errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestGoldTreeAfterError: of a list that an error has ended, a gold tree alone is left, and that
// is no list either.
func TestGoldTreeAfterError(t *testing.T) {
	paths := files(t,
		"lists", sentences("s1 1: a/0 b/1\ns1 2: a/0 x/1\ns2 1: c/0 d/1\n"),
		"gold", sentences("s1: a/2 b/0\ns2: c/2 d/0\n"))
	syms := index.NewSymbols()
	in, err := OpenLists(paths[:1], InputOptions{Symbols: syms, Gold: paths[1]})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	want := []string{`word 2 is "x", and "b" in the gold tree (` + paths[1] + `, sentence 1): expected the same words`, "s2: 1=c/0d/1 | c/2d/0"}
	if diff := cmp.Diff(want, readLists(t, in, syms)); diff != "" {
		t.Error(diff)
	}
}

// TestMajority: columns by themselves, by votes, ties to the first; heads stay.
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
	var g tagger
	tokens := g.majority(all)
	for _, c := range all {
		apply(c, tokens)
	}
	want := []*index.Tree{
		tree(2, 0, "b", "N", "x", "_"), tree(3, 1, "b", "N", "x", "_"), tree(2, 2, "b", "N", "x", "_"),
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Error(diff)
	}
	all = []*index.Tree{tree(-1, 0, "a", "N", "x", "_"), tree(-9, 0, "b", "V", "y", "f")}
	if got := g.majority(all)[0]; got != all[0].Tokens[0] {
		t.Errorf("of equals: %+v", got)
	}
}

// TestTagsOfLists: all trees of a list have the tags of most candidates, also the first one
// and a gold tree that is added or found; with TagsOwn each has its own.
func TestTagsOfLists(t *testing.T) {
	tagged := func(tag, text string) string { return strings.ReplaceAll(sentences(text), "\tX\t", "\t"+tag+"\t") }
	paths := files(t,
		"lists", tagged("F", "s1 1: a/0 b/1\n")+tagged("M", "s1 2: a/0 b/0\ns1 3: a/2 b/0\n")+
			tagged("F", "s2 1: c/0 d/1\n")+tagged("M", "s2 2: c/0 d/0\ns2 3: c/0 d/1\n"),
		"gold", tagged("G", "s1: a/0 b/1\ns2: c/2 d/0\n"))
	for _, c := range []struct {
		tags Tags
		want string
	}{
		{TagsMajority, "M M M M M M M"},
		{TagsOwn, "F M M F M M G"},
	} {
		syms := index.NewSymbols()
		in, err := OpenInputs(paths[:1], InputOptions{Symbols: syms, Gold: paths[1], Tags: c.tags})
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
