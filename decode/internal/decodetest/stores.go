package decodetest

import (
	"context"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/read"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/store"
)

// Request returns the space with this name, in the form that the command `build` uses.
func Request(t *testing.T, space string) spaces.Request {
	t.Helper()
	r, err := spaces.Parse(space)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func OpenStore(t testing.TB, fs vfs.FS) *store.Store {
	t.Helper()
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

const LabelledLines = "1 |BT| (S (A b) (C d)) |ET|\n-1 |BT| (S (A b) (E f)) |ET|\n1,7 |BT| (S (C d) (C d)) |ET|\n-1 |BT| (S (E f) (E f)) |ET|\n"

// LabelledStore writes a store of LabelledLines. The second sample has no label.
func LabelledStore(t *testing.T, fs vfs.FS) {
	t.Helper()
	_, err := builder.Run(context.Background(), "s", builder.Options{
		FS: fs, Spaces: builder.Choice{MinSupport: new(uint32(1))},
		Source: func(s *index.Symbols) (index.Source, error) {
			in, err := read.Open([]string{"-"}, read.InputOptions{Symbols: s, Stdin: strings.NewReader(LabelledLines), Format: "svmtk"})
			return &withoutLabel{in, 0}, err
		},
		Event: func() store.Event { return store.Event{} },
	})
	if err != nil {
		t.Fatal(err)
	}
}

// withoutLabel removes the label of the second sample.
type withoutLabel struct {
	index.Source
	n int
}

func (s *withoutLabel) Next(t *index.Tree) error {
	err := s.Source.Next(t)
	if s.n++; s.n == 2 {
		t.Label = ""
	}
	return err
}
