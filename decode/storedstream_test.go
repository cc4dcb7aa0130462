package decode

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine"
	"fstore/store"
)

// randomBrackets is n trees over few symbols.
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

// randomDependencies is n sentences over few symbols, as CoNLL-U.
func randomDependencies(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for range n {
		size := 1 + r.IntN(7)
		for i := 1; i <= size; i++ {
			head := 0
			if i > 1 {
				head = 1 + r.IntN(i-1)
			}
			form := "xyz"[r.IntN(3)]
			fmt.Fprintf(&b, "%d\t%c\t%c\t%c\t_\t_\t%d\t%c\t_\t_\n", i, form, form, "NV"[r.IntN(2)], head, "rs"[r.IntN(2)])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// textStore is a store of what a text holds; every third sample has no label.
func textStore(t testing.TB, text string, args ...string) *store.Store {
	t.Helper()
	fs := vfs.NewMem()
	o := mine.Options{
		FS: fs, Spaces: mine.Choice{MaxOrder: new(3)},
		Source: func(s *index.Symbols) (index.Source, error) {
			in, err := OpenInputs([]string{"-"}, InputOptions{Symbols: s, Stdin: strings.NewReader(text)})
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
	if _, err := mine.Build(context.Background(), "s", o); err != nil {
		t.Fatal(err)
	}
	return openStore(t, fs)
}

func openStore(t testing.TB, fs vfs.FS) *store.Store {
	t.Helper()
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// labelling gives samples labels: some two, some none.
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

// linearized is what a stream writes, vectors and names.
func linearized(t testing.TB, l *Linearizer, workers int, run func(*Stream) error) string {
	t.Helper()
	var out, names bytes.Buffer
	format, err := vector.Lookup("svmlight")
	if err != nil {
		t.Fatal(err)
	}
	w := format.Open(&out, vector.Options{Features: l.Features()})
	s := l.NewStream(context.Background(), w, StreamOptions{Workers: workers, IDs: &names})
	if err := run(s); err != nil {
		t.Fatal(err)
	}
	rows, _ := s.Rows()
	return fmt.Sprintf("%d rows\n%s%s", rows, out.String(), names.String())
}

// eachLinearizer calls f with linearizers of a store with every weight and normalisation.
func eachLinearizer(t *testing.T, s *store.Store, sets []FeatureSet, f func(t *testing.T, l *Linearizer)) {
	for _, weight := range []Weight{Binary, Count, KernelValue, TFIDF} {
		for _, norm := range []Normalize{NormalizeNone, NormalizeL2, NormalizeKernel} {
			t.Run(fmt.Sprintf("%s/%s", weight, norm), func(t *testing.T) {
				l, err := NewLinearizer(s, LinearizerOptions{Features: sets, Weight: weight, Normalize: norm, Lambda: 0.4})
				if err != nil {
					t.Fatal(err)
				}
				defer l.Close()
				f(t, l)
			})
		}
	}
}

// sameAsTrees wants what is made of posting lists to be what is made of trees, whatever
// the memory.
func sameAsTrees(t *testing.T, l *Linearizer) {
	want := linearized(t, l, 2, func(s *Stream) error { return s.Run(StoredSamples(l.s)) })
	for _, memory := range []int64{0, 1, 2000} {
		got := linearized(t, l, 1, func(s *Stream) error { return s.RunStored(memory, index.NoProgress{}) })
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

// The vectors of stored samples are the same bytes from posting lists and from trees.
func TestStoredSamplesInEverySpace(t *testing.T) {
	for _, c := range []struct {
		text   func(int, uint64) string
		spaces []string
	}{
		{randomBrackets, []string{"stk", "st", "sstbow", "ptk", "seq", "emb", "tag"}},
		{randomDependencies, []string{"dep:siblings=adjacent,template=rel+h.upos+m.upos", "seq", "seq:unit=upos", "emb", "poly", "tag"}},
	} {
		s := textStore(t, c.text(20, 1), c.spaces...)
		for _, name := range c.spaces {
			t.Run(name, func(t *testing.T) {
				eachLinearizer(t, s, []FeatureSet{{Space: parseSpace(t, name)}}, sameAsTrees)
			})
		}
		t.Run("side by side", func(t *testing.T) {
			var sets []FeatureSet
			for _, name := range c.spaces[:3] {
				sets = append(sets, FeatureSet{Space: parseSpace(t, name)})
			}
			eachLinearizer(t, s, sets, sameAsTrees)
		})
	}
}
