package mine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/query"
	"fstore/store"
	"fstore/store/posting"
)

// without leaves samples out of a source.
type without struct {
	index.Source
	names map[string]bool
}

func (s *without) Next(t *index.Tree) error {
	for {
		if err := s.Source.Next(t); err != nil || !s.names[t.Name] {
			return err
		}
	}
}

// texts is what a store holds, but for the ids of symbols: what is named by them is named
// by text, and in the order of texts.
func texts(t *testing.T, s *store.Store) string {
	t.Helper()
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	m := s.Meta()
	var out strings.Builder
	fmt.Fprintln(&out, m.Kind, m.OneAlphabet, m.Samples, m.Sentences, m.Words, m.Documents, m.Lists, m.Labels, m.Inputs)
	fresh := index.NewSymbols()
	err = s.Samples(0, m.Samples, func(id uint32, tr *index.Tree) error {
		index.Translate(tr, syms, fresh)
		fmt.Fprintf(&out, "%d %q %q %q %q %v %v %x\n", id, tr.Name, tr.Label, tr.Document, tr.Group, tr.Gold, tr.Corrections, index.AppendTree(nil, tr))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	labels, err := s.LabelBitmaps()
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		fmt.Fprintln(&out, label, labels[label].ToArray())
	}
	for _, info := range m.Spaces {
		req, err := spaces.Parse(info.ID)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s %v %v %d\n", info.ID, info.Fragments, info.Templates, info.Features)
		unordered := strings.Contains(info.ID, "ordered=false") || strings.HasPrefix(info.ID, "poly")
		if !unordered {
			fmt.Fprintln(&out, info.Candidates, info.Below)
		}
		var lines []string
		it, err := s.Iter(info.Number, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for it.Next() {
			ids, counts, err := posting.Decode(it.Value(), m.Samples, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			text := req.Space.AppendText(nil, it.Key(), syms)
			if unordered { // siblings are in the order of their symbols
				slices.Sort(text)
			}
			lines = append(lines, fmt.Sprintf("%s %v %v", text, ids, counts))
		}
		if err := it.Close(); err != nil {
			t.Fatal(err)
		}
		slices.Sort(lines)
		fmt.Fprintln(&out, strings.Join(lines, "\n"))
	}
	return out.String()
}

func removeOptions(fs vfs.FS) RemoveOptions {
	return RemoveOptions{RebuildOptions: RebuildOptions{Options: store.Options{FS: fs}, Event: store.Event{Command: "remove"}}}
}

// A store that samples are removed from is one that was built without them.
func TestRemoveEqualsBuildingWithout(t *testing.T) {
	type maker func(fs vfs.FS) Options
	cases := map[string]maker{}
	for _, args := range variants {
		cases[fmt.Sprint(args)] = func(fs vfs.FS) Options { return options(t, fs, 0, 40, args...) }
	}
	for _, args := range depVariants {
		cases[fmt.Sprint(args)] = func(fs vfs.FS) Options { return depOptions(t, fs, 0, 40, args...) }
	}
	for name, o := range cases {
		t.Run(name, func(t *testing.T) {
			fs := vfs.NewMem()
			build(t, fs, o(fs)).Close()
			addSelections(t, fs)
			r := removeOptions(fs)
			out := map[string]bool{}
			for i := 1; i < 40; i += 1 + i%4 {
				r.Samples = append(r.Samples, fmt.Sprint(i))
				out[fmt.Sprint(i)] = true
			}
			done, err := Remove(context.Background(), "s", r)
			if err != nil || int(done.Samples) != len(out) {
				t.Fatalf("%+v, %v", done, err)
			}
			s := openStore(t, fs)
			if p := verify(t, s, 0); len(p) > 0 {
				t.Fatal(p)
			}
			if err := s.Check(t.Context(), func(p string) { t.Error(p) }, func(p string) { t.Error(p) }); err != nil {
				t.Error(err)
			}
			if n := len(s.Meta().Selections); n != len(s.Meta().Spaces) {
				t.Errorf("%d selections", n)
			}
			fs2 := vfs.NewMem()
			w := o(fs2)
			open := w.Source
			w.Source = func(s *index.Symbols) (index.Source, error) {
				src, err := open(s)
				return &without{src, out}, err
			}
			if d := gocmp.Diff(texts(t, build(t, fs2, w)), texts(t, s)); d != "" {
				t.Error(d)
			}
		})
	}
}

// lists is a source of inputs, labels and K-best lists.
type lists struct {
	index.Source
	n int
}

func (s *lists) Next(t *index.Tree) error {
	if err := s.Source.Next(t); err != nil {
		return err
	}
	t.Group = fmt.Sprint("list", s.n/4)
	t.Document = fmt.Sprint("d", s.n/7)
	s.n++
	return nil
}

func (s *lists) Where() (string, int) {
	return []string{"a/one.mrg", "b/two.mrg", "one.mrg"}[cmp.Compare((s.n-1)/8, 1)+1], 0
}

// Samples are named by name, by label, and by input.
func TestRemoveChoices(t *testing.T) {
	fs := vfs.NewMem()
	o := options(t, fs, 0, 30, "stk")
	open := o.Source
	o.Source = func(s *index.Symbols) (index.Source, error) {
		src, err := open(s)
		return &lists{Source: src}, err
	}
	s := build(t, fs, o)
	before := texts(t, s)
	var want []string
	if err := s.SampleHeads(0, 30, func(id uint32, tr *index.Tree) error {
		if tr.Label != "y" && tr.Name != "3" && id >= 8 && id < 16 {
			want = append(want, tr.Name)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for _, bad := range []func(*RemoveOptions){
		func(*RemoveOptions) {},
		func(o *RemoveOptions) { o.Samples = []string{"3", "thirty"} },
		func(o *RemoveOptions) { o.Labels = []string{"z"} },
		func(o *RemoveOptions) { o.Inputs = []string{"three.mrg"} },
		func(o *RemoveOptions) { o.Inputs = []string{"two.mrg", "one.mrg"} },
	} {
		o := removeOptions(fs)
		bad(&o)
		_, err := Remove(context.Background(), "s", o)
		var choice *ChoiceError
		var label *query.LabelError
		if !errors.As(err, &choice) && !errors.As(err, &label) {
			t.Errorf("%+v: %v", o, err)
		}
		if err := openStore(t, fs).Close(); err != nil {
			t.Fatal(err)
		}
	}
	s = openStore(t, fs)
	if d := gocmp.Diff(before, texts(t, s)); d != "" {
		t.Fatal(d)
	}
	s.Close()
	r := removeOptions(fs)
	r.Samples, r.Labels, r.Inputs = []string{"3"}, []string{"y"}, []string{"one.mrg"}
	if _, err := Remove(context.Background(), "s", r); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, fs)
	var left []string
	if err := s.SampleHeads(0, 30, func(_ uint32, tr *index.Tree) error {
		left = append(left, tr.Name)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if d := gocmp.Diff(want, left); d != "" {
		t.Error(d)
	}
	if d := gocmp.Diff([]store.InputSamples{{Name: "b/two.mrg", Samples: uint32(len(want))}}, s.Meta().Inputs); d != "" {
		t.Error(d)
	}
	if h := s.Meta().History; len(h) != 2 || !strings.HasPrefix(h[1].Decided, fmt.Sprintf("%d samples removed, %d left\nspace stk", 30-len(want), len(want))) {
		t.Errorf("history %+v", h)
	}
}
