package maintain_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/internal/minetest"
	"fstore/mine/maintain"
	"fstore/store"
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

// Removing samples from a store gives the store that is built without these samples.
func TestRemoveEqualsBuildingWithout(t *testing.T) {
	type maker func(fs vfs.FS) builder.Options
	cases := map[string]maker{}
	for _, args := range minetest.Variants {
		cases[fmt.Sprint(args)] = func(fs vfs.FS) builder.Options { return minetest.Options(t, fs, 0, 40, args...) }
	}
	for _, args := range minetest.DepVariants {
		cases[fmt.Sprint(args)] = func(fs vfs.FS) builder.Options { return minetest.DepOptions(t, fs, 0, 40, args...) }
	}
	for name, o := range cases {
		t.Run(name, func(t *testing.T) {
			fs := vfs.NewMem()
			minetest.Build(t, fs, o(fs)).Close()
			minetest.AddSelections(t, fs)
			r := minetest.RemoveOptions(fs)
			out := map[string]bool{}
			for i := 1; i < 40; i += 1 + i%4 {
				r.Samples = append(r.Samples, fmt.Sprint(i))
				out[fmt.Sprint(i)] = true
			}
			decided, err := maintain.Remove(context.Background(), "s", r)
			if err != nil || !strings.HasPrefix(decided, index.Plural(len(out), "sample")+" removed, ") {
				t.Fatalf("%s, %v", decided, err)
			}
			s := minetest.OpenStore(t, fs)
			if p := minetest.Verify(t, s, 0); len(p) > 0 {
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
			if d := gocmp.Diff(minetest.Texts(t, minetest.Build(t, fs2, w)), minetest.Texts(t, s)); d != "" {
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
	o := minetest.Options(t, fs, 0, 30, "stk")
	open := o.Source
	o.Source = func(s *index.Symbols) (index.Source, error) {
		src, err := open(s)
		return &lists{Source: src}, err
	}
	s := minetest.Build(t, fs, o)
	before := minetest.Texts(t, s)
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
	for _, bad := range []func(*maintain.RemoveOptions){
		func(*maintain.RemoveOptions) {},
		func(o *maintain.RemoveOptions) { o.Samples = []string{"3", "thirty"} },
		func(o *maintain.RemoveOptions) { o.Labels = []string{"z"} },
		func(o *maintain.RemoveOptions) { o.Inputs = []string{"three.mrg"} },
		func(o *maintain.RemoveOptions) { o.Inputs = []string{"two.mrg", "one.mrg"} },
	} {
		o := minetest.RemoveOptions(fs)
		bad(&o)
		_, err := maintain.Remove(context.Background(), "s", o)
		var choice *index.UsageError
		if !errors.As(err, &choice) {
			t.Errorf("%+v: %v", o, err)
		}
		if err := minetest.OpenStore(t, fs).Close(); err != nil {
			t.Fatal(err)
		}
	}
	s = minetest.OpenStore(t, fs)
	if d := gocmp.Diff(before, minetest.Texts(t, s)); d != "" {
		t.Fatal(d)
	}
	s.Close()
	r := minetest.RemoveOptions(fs)
	r.Samples, r.Labels, r.Inputs = []string{"3"}, []string{"y"}, []string{"one.mrg"}
	if _, err := maintain.Remove(context.Background(), "s", r); err != nil {
		t.Fatal(err)
	}
	s = minetest.OpenStore(t, fs)
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
