package lists

import (
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/decode/internal/decodetest"
	"fstore/decode/internal/readtest"
	"fstore/decode/read"
	"fstore/index"
	"fstore/store"
)

// TestListWithoutCandidates: if all candidates of a list are lost, its gold tree is ignored.
func TestListWithoutCandidates(t *testing.T) {
	paths := readtest.Files(t,
		"lists", readtest.Sentences("s1 1: a/0 b/1\ns2 1: c/0 d/1\ns2 2: c/0 d/0\ns3 1: e/0\ns4 1: f/0 g/1\n"),
		"gold", readtest.Sentences("s1: a/2 b/0\ns2: c/2 d/0\ns3: e/0\ns4: f/2 g/0\n"))
	whole := []string{"s1: 1=a/0b/1 | a/2b/0", "s2: 1=c/0d/1 2=c/0d/0 | c/2d/0", "s3: 1=e/0 | e/0", "s4: 1=f/0g/1 | f/2g/0"}
	for _, c := range []struct{ lost, want []string }{
		{nil, whole},
		{[]string{"s1"}, whole[1:]},
		{[]string{"s1", "s2"}, whole[2:]},
		{[]string{"s2", "s4"}, []string{whole[0], whole[2]}},
		{[]string{"s1", "s2", "s4"}, whole[2:3]},
	} {
		syms := index.NewSymbols()
		in, err := read.Open(paths[:1], read.InputOptions{Symbols: syms, Gold: paths[1]})
		if err != nil {
			t.Fatal(err)
		}
		got := decodetest.ReadLists(t, &storedLists{src: &lossy{Source: in, lost: c.lost}, syms: syms, kind: index.Dependency}, syms)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("without %v: %s", c.lost, diff)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDamagedLists: if samples are in a list that no build can have made, the store is damaged.
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
		var l read.List
		err := (&storedLists{src: &src, syms: syms, kind: index.Dependency}).NextList(&l)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (!errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// lossy is a source that leaves out the candidates of some sentences, as in a store that was repaired.
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
