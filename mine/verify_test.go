package mine

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store"
	"fstore/store/posting"
)

type entry struct {
	code  index.Code
	value []byte
}

// forge writes the fragments of a store's only space again, changed by f.
func forge(t *testing.T, fs vfs.FS, f func([]entry) []entry, change func(*store.SpaceInfo)) {
	t.Helper()
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	var all []entry
	it, err := w.Store().Iter(0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for it.Next() {
		all = append(all, entry{bytes.Clone(it.Key()), bytes.Clone(it.Value())})
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	old := w.Meta().Spaces[0]
	n := w.SetSpace(old)
	l, err := w.Fragments(n)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range f(all) {
		if err := l.Put(e.code, e.value); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.FinishFragments(n); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&w.Meta().Spaces[0])
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

// Verify names what differs from the trees, whatever it is.
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
			c := append(bytes.Clone(e[len(e)-1].code), e[len(e)-1].code...)
			return append(e, entry{c, e[0].value})
		}, nil, []string{"code"}},
		{"support", func(e []entry) []entry {
			e[3].value = posting.Append(nil, []uint32{1, 2, 3})
			return e
		}, nil, []string{"stored support 3, occurrences 3; the trees give"}},
		{"occurrences", func(e []entry) []entry {
			e[3].value = posting.Append(nil, append([]uint32{0}, ids(t, e[3].value)...))
			return e
		}, nil, []string{"the trees give"}},
		{"samples", func(e []entry) []entry {
			occ := ids(t, e[3].value)
			occ[len(occ)-1]++ // the last sample it is in
			e[3].value = posting.Append(nil, occ)
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
			build(t, fs, options(t, fs, 0, samples, "stk")).Close()
			forge(t, fs, c.f, c.change)
			s, err := store.Open("s", store.Options{FS: fs})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			problems := strings.Join(verify(t, s, 0), "\n")
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

// What keeps verify from going on is no difference.
func TestVerifyInterrupted(t *testing.T) {
	fs := vfs.NewMem()
	s := build(t, fs, options(t, fs, 0, samples, "stk:max-order=0,min-support=1"))
	for _, stage := range []string{"read", "check stk", "mine stk"} {
		ctx, cancel := context.WithCancel(context.Background())
		err := Verify(ctx, s, VerifyOptions{Workers: 2, Progress: &cancelAt{stage: stage, cancel: cancel}},
			func(p string) { t.Errorf("%s: %s", stage, p) })
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: %v", stage, err)
		}
	}
}

// cancelAt cancels when a stage begins.
type cancelAt struct {
	index.NoProgress
	stage  string
	cancel func()
}

func (c *cancelAt) Step(stage, _ string, _ int64) {
	if stage == c.stage {
		c.cancel()
	}
}
