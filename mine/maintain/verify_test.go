package maintain_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/mine/internal/minetest"
	"fstore/mine/maintain"
	"fstore/store"
	"fstore/store/posting"
)

// Verify reports each kind of difference from the trees.
func TestVerifyNamesDifferences(t *testing.T) {
	same := func(e []entry) []entry { return e }
	cases := []struct {
		name   string
		f      func([]entry) []entry
		change func(*store.SpaceInfo)
		want   []string // each in some problem
	}{
		{"nothing", same, nil, nil},
		{"missing", func(e []entry) []entry { return slices.Delete(e, 5, 6) }, nil, []string{"is missing: support", "vocabulary", "expansion index", "the record says"}},
		{"extra", func(e []entry) []entry {
			c := append(bytes.Clone(e[len(e)-1].Code), e[len(e)-1].Code...)
			return append(e, entry{Code: c, Value: e[0].Value})
		}, nil, []string{"code"}},
		{"support", func(e []entry) []entry {
			e[3].Value = posting.Append(nil, []uint32{1, 2, 3}, nil, nil)
			return e
		}, nil, []string{"stored support 3, occurrences 3; the trees give"}},
		{"occurrences", func(e []entry) []entry {
			e[3].Value = posting.Append(nil, append([]uint32{0}, ids(t, e[3].Value)...), nil, nil)
			return e
		}, nil, []string{"the trees give"}},
		{"samples", func(e []entry) []entry {
			occ := ids(t, e[3].Value)
			occ[len(occ)-1]++ // the last sample it is in
			e[3].Value = posting.Append(nil, occ, nil, nil)
			return e
		}, nil, []string{"the trees give"}},
		{"counts", same, func(s *store.SpaceInfo) { s.Below[1]++; s.Candidates[2]-- }, []string{"order 1: the record says", "order 2: the record says"}},
		{"orders", same, func(s *store.SpaceInfo) { s.Fragments[1]++; s.Fragments[2]-- }, []string{"order 1: the record says", "fragments, the trees give"}},
		{"hash", same, func(s *store.SpaceInfo) { s.VocabularyHash++ }, []string{"vocabulary"}},
		{"limits", same, func(s *store.SpaceInfo) { s.MinSupport++ }, []string{"should not be"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			fs := vfs.NewMem()
			minetest.Build(t, fs, minetest.Options(t, fs, 0, minetest.Samples, "stk")).Close()
			forge(t, fs, c.f, c.change)
			s, err := store.Open("s", store.Options{FS: fs})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			problems := strings.Join(minetest.Verify(t, s, 0), "\n")
			if (problems == "") != (c.want == nil) {
				t.Fatalf("problems: %s", problems)
			}
			for _, w := range c.want {
				if !strings.Contains(problems, w) {
					t.Fatalf("no %q in:\n%s", w, problems)
				}
			}
		})
	}
}

func ids(t *testing.T, value []byte) []uint32 {
	t.Helper()
	ids, counts, err := posting.Decode(value, 1<<20, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var occ []uint32
	for i, id := range ids {
		occ = append(occ, slices.Repeat([]uint32{id}, int(counts[i]))...)
	}
	return occ
}

// If Verify cannot go on, it returns an error, and reports no difference.
func TestVerifyInterrupted(t *testing.T) {
	fs := vfs.NewMem()
	s := minetest.Build(t, fs, minetest.Options(t, fs, 0, minetest.Samples, "stk:max-order=0,min-support=1"))
	for _, stage := range []string{"read", "check stk", "mine stk"} {
		ctx, cancel := context.WithCancel(context.Background())
		err := maintain.Verify(ctx, s, maintain.VerifyOptions{Workers: 2, Progress: &minetest.InterruptAfter{Stage: stage, Cancel: cancel}},
			func(p string) { t.Errorf("%s: %s", stage, p) })
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: %v", stage, err)
		}
	}
}
