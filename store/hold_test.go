package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
)

// Fragments read from memory, in any range of codes, are the same as those on disk. Their ids and codes are
// also found in memory.
func TestLoaded(t *testing.T) {
	fs, dir := vfs.NewMem(), "db"
	if err := build(fs, dir, Create, 100, 2000); err != nil {
		t.Fatal(err)
	}
	open := func(hold int64) *Store {
		s, err := Open(dir, Options{FS: fs, HoldBytes: hold})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	disk, memory, none := open(0), open(1<<24), open(1)
	if l, err := none.Load(0); l != nil || err != nil {
		t.Fatal("fragments without room", err)
	}
	type fragment struct{ code, list []byte }
	read := func(s *Store, lo, hi index.Code) (all []fragment) {
		it, err := s.Iter(0, lo, hi)
		if err != nil {
			t.Fatal(err)
		}
		for it.Next() {
			all = append(all, fragment{bytes.Clone(it.Key()), bytes.Clone(it.Value())})
		}
		if err := errors.Join(it.Err(), it.Close()); err != nil {
			t.Fatal(err)
		}
		return all
	}
	equal := func(a, b []fragment) bool {
		for i := range min(len(a), len(b)) {
			if !bytes.Equal(a[i].code, b[i].code) || !bytes.Equal(a[i].list, b[i].list) {
				return false
			}
		}
		return len(a) == len(b)
	}
	all := read(disk, nil, nil)
	l, err := memory.Load(0)
	if err != nil || l == nil || len(all) < 10 {
		t.Fatal(l, err, len(all))
	}
	for i, f := range all {
		code, list := l.At(uint32(i + 1))
		id, err := memory.Rank(0, f.code)
		if !bytes.Equal(code, f.code) || !bytes.Equal(list, f.list) || int(id) != i+1 || err != nil {
			t.Fatalf("fragment %d: %x, %d, %v", i+1, code, id, err)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	bound := func() index.Code {
		if rng.IntN(5) == 0 {
			return nil
		}
		c := bytes.Clone(all[rng.IntN(len(all))].code)
		return append(c[:rng.IntN(len(c)+1)], make([]byte, rng.IntN(2))...)
	}
	for range 300 {
		if lo, hi := bound(), bound(); !equal(read(disk, lo, hi), read(memory, lo, hi)) {
			t.Fatalf("from %x to %x", lo, hi)
		}
	}
}

// Hold does not read a value again that it has read, but reads again after an error. It does not read a
// value without room. Room is set aside once for each value.
func TestHold(t *testing.T) {
	fs, dir := vfs.NewMem(), "db"
	if err := build(fs, dir, Create, 100, 2000); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir, Options{FS: fs, HoldBytes: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	reads := 0
	fails := errors.New("fails")
	ask := func(key string, most int64) (any, error) {
		return s.Hold(key, most, func() (any, int64, error) {
			if reads++; reads == 1 {
				return nil, 0, fails
			}
			return reads, 10, nil
		})
	}
	if _, err := ask("a", 60); !errors.Is(err, fails) {
		t.Fatal(err)
	}
	for _, most := range []int64{0, 60} {
		if v, err := ask("a", most); v != 2 || err != nil {
			t.Fatal(v, err)
		}
	}
	if v, err := ask("b", 91); v != nil || err != nil || reads != 2 {
		t.Fatal(v, err, reads)
	}
	if v, err := ask("c", 90); v != 3 || err != nil {
		t.Fatal(v, err)
	}
}
