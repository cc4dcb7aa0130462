package query_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/mine/query"
	"fstore/store"
)

// A name without options stands for the space that has no options, or else for the only space with that name.
func TestSpaceOf(t *testing.T) {
	fs := vfs.NewMem()
	var chosen []spaces.Request
	for _, arg := range []string{"stk", "seq:unit=upos", "ptk:mu=0.5", "ptk:mu=0.25"} {
		r, err := spaces.Parse(arg)
		if err != nil {
			t.Fatal(err)
		}
		chosen = append(chosen, r)
	}
	one := 1
	_, err := builder.Run(context.Background(), "s", builder.Options{
		FS: fs, Spaces: builder.Choice{Spaces: chosen, MaxOrder: &one},
		Source: func(s *index.Symbols) (index.Source, error) {
			return &source{b: index.Builder{Symbols: s}, r: rand.New(rand.NewPCG(5, 5)), n: 5, words: []string{"u"}}, nil
		},
		Event: func() store.Event { return store.Event{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for name, want := range map[string]string{"stk": "stk", "seq": "seq:unit=upos", "seq:unit=upos": "seq:unit=upos", "ptk:mu=0.50": "ptk:mu=0.5"} {
		if sp, info, err := query.SpaceOf(s, name); err != nil || sp.ID() != want || info.ID != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	for name, want := range map[string]error{"": query.ErrWhichSpace, "ptk": query.ErrWhichSpace, "emb": query.ErrNoSpace, "seq:unit=form": query.ErrNoSpace, "sep": query.ErrNoSpace} {
		if _, _, err := query.SpaceOf(s, name); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}
