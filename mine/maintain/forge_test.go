package maintain_test

import (
	"bytes"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store"
)

// entry is a stored fragment.
type entry struct {
	Code  index.Code
	Value []byte
}

// forge writes the fragments of a store's only space again, changed by f. If `change` is set, it changes the
// record of the space.
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
		if err := l.Put(e.Code, e.Value); err != nil {
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
