package runfile

import (
	"errors"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/disk"
	"fstore/store/filetest"
)

// A saved state is read back unchanged. A state of another version, number or type counts as missing.
func TestState(t *testing.T) {
	type part struct {
		Key  string
		Sums []uint64
	}
	d := &Dir{FS: vfs.NewMem(), Path: "run"}
	if err := d.make(); err != nil {
		t.Fatal(err)
	}
	none := func(what string, number uint32, version int) {
		t.Helper()
		if got, err := ReadState[[]part](d, number, version); !errors.Is(err, disk.ErrNotFound) || got != nil {
			t.Errorf("%s: %v, %v", what, got, err)
		}
	}
	none("nothing is put", 1, 7)
	want := []part{{"a", []uint64{1, 1 << 63}}, {"b", nil}}
	if err := PutState(d, 1, 7, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadState[[]part](d, 1, 7)
	if err != nil || !slices.EqualFunc(got, want, func(a, b part) bool { return a.Key == b.Key && slices.Equal(a.Sums, b.Sums) }) {
		t.Errorf("%v, %v", got, err)
	}
	none("another number", 0, 7)
	none("another version", 1, 6)
	if err := PutState(d, 1, 7, "text"); err != nil {
		t.Fatal(err)
	}
	none("another type", 1, 7)
	for _, b := range []string{"", "\xc1", "\x81\xa7Version\x07"} {
		if err := d.disk().ReplaceSummed(stateName(1), []byte(b)); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadState[[]part](d, 1, 7); len(got) > 0 || err != nil && !errors.Is(err, disk.ErrNotFound) {
			t.Errorf("%q: %v, %v", b, got, err)
		}
	}
}

// A state whose file is damaged counts as missing.
func TestStateDamaged(t *testing.T) {
	fs := vfs.NewMem()
	for _, b := range []string{"", "short", "12345678state"} {
		filetest.Write(t, fs, stateName(3), []byte(b))
		if state, err := ReadState[string](In(fs, ""), 3, 1); !errors.Is(err, disk.ErrNotFound) {
			t.Errorf("%q, %v", state, err)
		}
	}
}
