package spacetest

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"fstore/index"
	"fstore/index/expansion"
)

// Index makes an expansion index of codes for a space without a frontier. It sorts the codes.
func Index(t testing.TB, codes []index.Code) *expansion.Index {
	t.Helper()
	return makeIndex(t, codes, nil)
}

// IndexOf is Index for any space.
func IndexOf(t testing.TB, space index.Space, s *index.Symbols, codes []index.Code) *expansion.Index {
	t.Helper()
	return makeIndex(t, codes, expansion.WidthOf(space, s))
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
	var file bytes.Buffer
	if err := expansion.Join(&file, []expansion.Part{part}, []io.Reader{&buf}); err != nil {
		t.Fatal(err)
	}
	x, err := expansion.Parse(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return x
}
