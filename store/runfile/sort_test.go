package runfile

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// words returns n random records of fewer than 40 bytes. Many are equal, and some are empty.
func words(n int) (all [][]byte) {
	rng := rand.New(rand.NewSource(int64(n)))
	for range n {
		b := make([]byte, rng.Intn(40))
		for i := range b {
			b[i] = 'a' + byte(rng.Intn(3))
		}
		all = append(all, b)
	}
	return all
}

func sorted(t *testing.T, fs vfs.FS, all [][]byte, o SortOptions) (out [][]byte, err error) {
	t.Helper()
	s := NewSorter(&Dir{FS: fs, Path: "tmp"}, o)
	for _, b := range all {
		if err := s.Add(b); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	it, err := s.Sort()
	if err != nil {
		return nil, err
	}
	for it.Next() {
		out = append(out, bytes.Clone(it.Value()))
	}
	return out, it.Close()
}

func TestSort(t *testing.T) {
	for _, n := range []int{0, 1, 100, 20_000, 250_000} { // none, in memory, some runs, two rounds
		t.Run(fmt.Sprint(n), func(t *testing.T) { testSort(t, words(n), 1) })
	}
	// In memory, several goroutines sort keys that begin alike.
	alike := words(50_000)
	for i, b := range alike {
		alike[i] = append([]byte("a common beginning, "[:20*(i%2)]), b...)
	}
	t.Run("alike", func(t *testing.T) { testSort(t, alike, 0) })
}

func testSort(t *testing.T, all [][]byte, budget int) {
	fs := vfs.NewMem()
	out, err := sorted(t, fs, all, SortOptions{Budget: budget})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(all, bytes.Compare)
	if !slices.EqualFunc(out, all, bytes.Equal) {
		t.Fatalf("%d records, and not in order", len(out))
	}
	if names, _ := fs.List("/"); len(names) > 0 {
		t.Fatalf("left behind: %v", names)
	}
}

// TestStable sorts by the first byte only, so that the rest shows the order.
func TestStable(t *testing.T) {
	first := func(b []byte) []byte { return b[:1] }
	var all [][]byte
	rng := rand.New(rand.NewSource(1))
	for i := range 50_000 {
		all = append(all, fmt.Appendf(nil, "%c %d", 'a'+rng.Intn(4), i))
	}
	out, err := sorted(t, vfs.NewMem(), all, SortOptions{Budget: 1, Key: first})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(all, func(a, b []byte) int { return bytes.Compare(first(a), first(b)) })
	if !slices.EqualFunc(out, all, bytes.Equal) {
		t.Fatal("equal records changed places")
	}
}

func TestLargeRecords(t *testing.T) {
	var all [][]byte
	for i := range 10 {
		all = append(all, bytes.Repeat([]byte{byte(9 - i)}, 200<<10))
	}
	out, err := sorted(t, vfs.NewMem(), all, SortOptions{Budget: 1})
	if err != nil || len(out) != 10 || out[0][0] != 0 || len(out[9]) != 200<<10 {
		t.Fatal(len(out), err)
	}
}

// TestErrors fails each operation of the file system in turn. The sorter must return the error.
func TestErrors(t *testing.T) {
	all := words(8_000)
	injected := errors.New("injected")
	for k := 0; ; k++ {
		left := k
		fs := errorfs.Wrap(vfs.NewMem(), errorfs.InjectorFunc(func(errorfs.Op) error {
			if left--; left == -1 {
				return injected
			}
			return nil
		}))
		_, err := sorted(t, fs, all, SortOptions{Budget: 1})
		if left >= 0 { // there are not so many operations
			if err != nil || k < 10 {
				t.Fatalf("%d operations, %v", k, err)
			}
			return
		}
		if !errors.Is(err, injected) {
			t.Fatalf("operation %d: %v", k, err)
		}
	}
}

func BenchmarkSort(b *testing.B) {
	all := words(1_000_000)
	for b.Loop() {
		s := NewSorter(&Dir{FS: vfs.Default, Path: b.TempDir() + "/sort"}, SortOptions{Budget: 8 << 20})
		for _, w := range all {
			if err := s.Add(w); err != nil {
				b.Fatal(err)
			}
		}
		it, err := s.Sort()
		if err != nil {
			b.Fatal(err)
		}
		for it.Next() {
		}
		if err := it.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// Long records, each longer than all before, do not fit in the chunks of earlier runs. The sorter must give
// up these chunks.
func TestSortKeepsItsBudget(t *testing.T) {
	s := NewSorter(&Dir{FS: vfs.NewMem(), Path: "tmp"}, SortOptions{Budget: minBudget})
	short := make([]byte, 1000)
	for n := minBudget / 4; n < minBudget/2; n += 500 {
		if err := s.Add(make([]byte, n)); err != nil {
			t.Fatal(err)
		}
		for runs := len(s.runs); len(s.runs) == runs; {
			if err := s.Add(short); err != nil {
				t.Fatal(err)
			}
		}
		held := 0
		for _, c := range s.chunks {
			held += cap(c)
		}
		if held > 2*minBudget {
			t.Fatalf("%d bytes are held, with a budget of %d", held, minBudget)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
