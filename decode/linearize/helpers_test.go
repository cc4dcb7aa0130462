package linearize_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/internal/decodetest"
	"fstore/decode/linearize"
	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/mine/query"
	"fstore/mine/vocabulary"
	"fstore/store"
)

// textStore makes a store of the trees of a text. Every third sample has no label.
func textStore(t testing.TB, text string, args ...string) *store.Store {
	t.Helper()
	fs := vfs.NewMem()
	o := builder.Options{
		FS: fs, Spaces: builder.Choice{MaxOrder: new(3)},
		Source: func(s *index.Symbols) (index.Source, error) {
			in, err := read.Open([]string{"-"}, read.InputOptions{Symbols: s, Stdin: strings.NewReader(text)})
			return &labelling{Source: in}, err
		},
		Event: func() store.Event { return store.Event{} },
	}
	for _, a := range args {
		r, err := spaces.Parse(a)
		if err != nil {
			t.Fatal(err)
		}
		o.Spaces.Spaces = append(o.Spaces.Spaces, r)
	}
	if _, err := builder.Run(context.Background(), "s", o); err != nil {
		t.Fatal(err)
	}
	return decodetest.OpenStore(t, fs)
}

// labelling gives labels to samples: two to some, none to others.
type labelling struct {
	index.Source
	n int
}

func (s *labelling) Next(t *index.Tree) error {
	err := s.Source.Next(t)
	t.Label = []string{"", "p", "p,q"}[s.n%3]
	s.n++
	return err
}

// linearized returns the vectors and names that a stream writes.
func linearized(t testing.TB, l *linearize.Linearizer, workers int, run func(*linearize.Stream) error) string {
	t.Helper()
	var out, names bytes.Buffer
	format, err := vector.Lookup("svmlight")
	if err != nil {
		t.Fatal(err)
	}
	w := format.Open(&out, vector.Options{Features: l.Features()})
	s := l.NewStream(context.Background(), w, linearize.StreamOptions{Workers: workers, IDs: &names})
	if err := run(s); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d rows\n%s%s", s.Rows(), out.String(), names.String())
}

// eachLinearizer calls f with linearizers of a store with every weight and normalisation.
func eachLinearizer(t *testing.T, s *store.Store, sets []linearize.FeatureSet, f func(t *testing.T, l *linearize.Linearizer)) {
	for _, weight := range []linearize.Weight{linearize.Binary, linearize.Count, linearize.KernelValue, linearize.TFIDF} {
		for _, norm := range []linearize.Normalize{linearize.NormalizeNone, linearize.NormalizeL2, linearize.NormalizeKernel} {
			t.Run(fmt.Sprintf("%s/%s", weight, norm), func(t *testing.T) {
				l, err := linearize.New(s, linearize.Options{Features: sets, Weight: weight, Normalize: norm, Lambda: 0.4})
				if err != nil {
					t.Fatal(err)
				}
				defer l.Close()
				f(t, l)
			})
		}
	}
}

// sameAsTrees checks that the vectors made from posting lists are those made from trees, for any limit of
// memory.
func sameAsTrees(t *testing.T, l *linearize.Linearizer) {
	want := linearized(t, l, 2, func(s *linearize.Stream) error { return s.Run(store.NewSource(l.S)) })
	for _, memory := range []int64{0, 1, 2000} {
		got := linearized(t, l, 1, func(s *linearize.Stream) error { return s.RunStored(memory, index.NoProgress{}) })
		if got != want {
			t.Fatalf("memory %d:\n%s\nwant\n%s", memory, got, want)
		}
	}
}

func parseSpace(t testing.TB, name string) index.Space {
	t.Helper()
	r, err := spaces.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return r.Space
}

// everyOther returns every second fragment of a store's only space.
func everyOther(t *testing.T, s *store.Store) *vocabulary.Subset {
	table, err := query.Open(s, "")
	if err != nil {
		t.Fatal(err)
	}
	kept := vocabulary.NewSubset(table.Info.Features)
	err = table.Each(context.Background(), func(r *query.Row) error {
		if r.ID%2 == 0 {
			kept.Add(r.ID, r.Code)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	kept.Finish(table.Space, syms)
	return kept
}

// endless is a source that returns the same tree again and again, and counts how often it was read.
type endless struct {
	Tree *index.Tree
	Read atomic.Int64
}

func (e *endless) Next(t *index.Tree) error {
	e.Read.Add(1)
	t.Reset()
	t.Nodes = append(t.Nodes, e.Tree.Nodes...)
	return nil
}

// randomBrackets returns n trees over few symbols.
func randomBrackets(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	var node func(depth int)
	node = func(depth int) {
		fmt.Fprintf(&b, "(%c", "ABC"[r.IntN(3)])
		for range 1 + r.IntN(3) {
			if b.WriteByte(' '); depth == 3 || r.IntN(3) == 0 {
				b.WriteByte("xyz"[r.IntN(3)])
				continue
			}
			node(depth + 1)
		}
		b.WriteByte(')')
	}
	for range n {
		node(0)
		b.WriteByte('\n')
	}
	return b.String()
}
