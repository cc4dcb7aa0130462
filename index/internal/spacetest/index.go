package spacetest

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/expansion"
)

// Index makes an expansion index of codes, which it sorts, of a space without frontier.
func Index(t testing.TB, codes []index.Code) *expansion.Index {
	t.Helper()
	return makeIndex(t, codes, nil)
}

// IndexOf is Index for any space.
func IndexOf(t testing.TB, space index.Space, s *index.Symbols, codes []index.Code) *expansion.Index {
	t.Helper()
	if f, ok := space.(index.Frontier); ok {
		return makeIndex(t, codes, func(sym uint32) int { return f.Width(sym, s) })
	}
	return makeIndex(t, codes, nil)
}

func makeIndex(t testing.TB, codes []index.Code, width func(sym uint32) int) *expansion.Index {
	t.Helper()
	slices.SortFunc(codes, func(a, b index.Code) int { return bytes.Compare(a, b) })
	var buf bytes.Buffer
	b := expansion.NewBuilder(&buf)
	b.Width = width
	for _, c := range codes {
		if err := b.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	part, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	fs := vfs.NewMem()
	f, err := fs.Create("x", vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if err := expansion.Join(f, []expansion.Part{part}, []io.Reader{&buf}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := expansion.Open(fs, "x")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}
