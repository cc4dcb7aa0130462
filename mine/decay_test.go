package mine

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/store"
)

// What a store of seq or emb holds does not depend on workers, memory, or how it came to
// be.
func TestSequencesAndEmbeddedTreesSameHowever(t *testing.T) {
	for _, kind := range []struct {
		options func(fs vfs.FS, from, to int, args ...string) Options
		spaces  []string
	}{
		{
			func(fs vfs.FS, from, to int, args ...string) Options { return options(t, fs, from, to-from, args...) },
			[]string{"seq", "seq:unit=upos,max-gap=1,max-order=0,max-length=3,min-support=1", "emb:max-order=3"},
		},
		{
			func(fs vfs.FS, from, to int, args ...string) Options { return depOptions(t, fs, from, to, args...) },
			[]string{"seq:max-gap=2", "seq:unit=upos,max-length=3", "emb:min-support=3", "emb:unit=upos,max-order=3"},
		},
	} {
		var want string
		check := func(what string, s *store.Store) {
			t.Helper()
			if got := dump(t, s); want == "" {
				want = got
			} else if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s: %s", what, d)
			}
			for _, memory := range []int64{0, 1} {
				if p := verify(t, s, memory); len(p) > 0 {
					t.Fatalf("%s: %v", what, p)
				}
			}
		}
		const n = 40
		for _, c := range []struct {
			workers int
			memory  int64
		}{{1, 0}, {8, 0}, {1, 1}, {2, 4000}, {3, 20_000}} {
			fs := vfs.NewMem()
			o := kind.options(fs, 0, n, kind.spaces...)
			o.Workers, o.Memory = c.workers, c.memory
			check(fmt.Sprintf("%+v", c), build(t, fs, o))
		}
		fs := vfs.NewMem()
		for _, part := range [][2]int{{0, 10}, {10, 11}, {11, n}} {
			o := kind.options(fs, part[0], part[1], kind.spaces...)
			if part[0] > 0 {
				o.Mode = store.Append
			}
			if _, err := Build(context.Background(), "s", o); err != nil {
				t.Fatal(err)
			}
		}
		s, err := store.Open("s", store.Options{FS: fs})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		check("appended", s)
	}
}

// Sixty different words have 2^60 subsequences, and a head with sixty different
// dependents as many embedded trees: building ends at the limit of fragments, and leaves
// nothing. So does one that counts more occurrences of a fragment than it can.
func TestDecayingSpacesEndAtTheLimit(t *testing.T) {
	for _, c := range []struct {
		space  string
		unique bool // the words
	}{
		{"seq:max-order=0,min-support=1", true},
		{"seq:max-order=0,min-support=1,max-gap=8", true},
		{"emb:max-order=0,min-support=1", true},
		{"seq:max-order=0,min-support=1", false},
		{"emb:max-order=0,min-support=1", false},
	} {
		fs := vfs.NewMem()
		o := depOptions(t, fs, 0, 0, c.space)
		o.Source = func(s *index.Symbols) (index.Source, error) {
			return &wideSource{dependencySource{s: s, end: 1, wide: 60}, c.unique}, nil
		}
		o.MaxFragments = 100_000
		_, err := Build(context.Background(), "s", o)
		var occurrences *index.OccurrenceError
		if c.unique && !errors.Is(err, ErrTooMany) || !c.unique && !errors.As(err, &occurrences) {
			t.Errorf("%s: %v", c.space, err)
		}
		if names, err := fs.List(""); err != nil || len(names) > 0 {
			t.Errorf("%s left %v, %v", c.space, names, err)
		}
	}
}

// wideSource makes the words of its trees all different, or all the same.
type wideSource struct {
	dependencySource
	unique bool
}

func (w *wideSource) Next(t *index.Tree) error {
	err := w.dependencySource.Next(t)
	for i := range t.Tokens {
		form := "w"
		if w.unique {
			form = fmt.Sprint("w", i)
		}
		t.Tokens[i].Form = w.s.Intern(index.Words, []byte(form))
	}
	return err
}
