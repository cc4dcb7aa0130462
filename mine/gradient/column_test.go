package gradient

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A column has the numbers that were added: in memory, in a mapped file, or in a file that is read. It leaves
// no file.
func TestColumn(t *testing.T) {
	for _, fs := range []vfs.FS{vfs.NewMem(), vfs.Default} {
		for _, n := range []int{0, 1, columnSize, columnSize + 1, 3*columnSize + 7} {
			r := rand.New(rand.NewPCG(1, 1))
			s := &streamFiles{fs: fs}
			if fs == vfs.Default {
				s.dir = t.TempDir()
			}
			w, d := column[float64]{s: s}, column[int32]{s: s}
			var want []int32
			for range n {
				x := int32(r.Uint32())
				w.add(float64(x))
				d.add(x)
				want = append(want, x)
			}
			if err := errors.Join(w.finish(), d.finish()); err != nil {
				t.Fatal(err)
			}
			if inFile := d.file != nil; inFile != (n > columnSize) || int(d.n) != n {
				t.Errorf("%d: %d, in a file %v", n, d.n, inFile)
			}
			var readers sync.WaitGroup
			for range 2 { // pages that one reader has released are read again by the other
				readers.Go(func() {
					for id, x := range want {
						if d.at(uint32(id)) != x || w.at(uint32(id)) != float64(x) {
							t.Errorf("%d of %d: %d and %g, want %d", id, n, d.at(uint32(id)), w.at(uint32(id)), x)
							return
						}
						if id%(columnSize/3) == 0 {
							w.release()
							d.release()
						}
					}
				})
			}
			readers.Wait()
			for range 2 {
				if err := errors.Join(w.close(), d.close()); err != nil {
					t.Errorf("%d: %v", n, err)
				}
			}
			if left, err := s.fs.List(s.dir); err != nil || len(left) > 0 {
				t.Errorf("%d: %v, %v", n, left, err)
			}
		}
	}
}

// If any operation on a file fails, the column returns the error.
func TestColumnFails(t *testing.T) {
	failed := errors.New("no more")
	for from := 1; ; from++ {
		n := -from
		var want error
		s := &streamFiles{fs: errorfs.Wrap(vfs.NewMem(), errorfs.InjectorFunc(func(op errorfs.Op) error {
			if n++; n == 0 && op.Kind != errorfs.OpRemove {
				want = failed
			} else {
				return nil
			}
			return failed
		}))}
		c := column[int32]{s: s}
		for id := range int32(3 * columnSize) {
			c.add(id)
		}
		told := c.finish()
		if told == nil && c.at(2*columnSize) != 2*columnSize {
			t.Fatalf("%d: %d, and no error", from, c.at(2*columnSize))
		}
		closed := c.close()
		if n < 0 {
			break
		}
		if err := errors.Join(told, closed); !errors.Is(err, want) {
			t.Fatalf("%d: %v, want %v", from, err, want)
		}
	}
}

// Runs whose weights and gradients are in files keep the same fragments as runs that have them in memory,
// with and without packs. If a file cannot be read, the run returns the error.
func TestColumnsOfFiles(t *testing.T) {
	l := newLists(t, "dep:siblings=any,root-arcs,template=rel+h.form+m.upos,template=h.upos+m.form,template=rel,template=h.form+m.form,template=rel+m.upos,template=h.upos+m.upos+rel,template=h.form", 7, 250, 3, 3)
	o := l.options(3)
	o.C, o.Iterations, o.Keep = 0, 3, KeepWeights
	failed := errors.New("no more")
	var reads atomic.Int64 // how many reads succeed before one fails
	run := func(memory int64, unpacked bool) (outcome, error) {
		o.Memory, o.unpacked = memory, unpacked
		o.Checkpoint = &Checkpoint{Key: 7}
		return mineKept(context.Background(), errorfs.Wrap(emptyStore(t), errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind == errorfs.OpFileReadAt && strings.Contains(op.Path, "gradient-") && reads.Add(-1) == 0 {
				return failed
			}
			return nil
		})), l, o)
	}
	want, err := run(1<<40, false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Iterations {
		if n := want.Iterations[i].Weights; n < columnSize {
			t.Errorf("iteration %d: %d weights fill no chunk", i+1, n)
		}
	}
	measured := cmpopts.IgnoreFields(Iteration{}, "MineSeconds", "MergeSeconds", "ScoreSeconds", "SpilledBytes", "MemoryBytes")
	for _, unpacked := range []bool{false, true} {
		reads.Store(0)
		got, err := run(0, unpacked)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want.Iterations, got.Iterations, measured); d != "" {
			t.Errorf("-held +of files, unpacked %v:\n%s", unpacked, d)
		}
		same := func(a, b Fragment) bool {
			return bytes.Equal(a.Code, b.Code) && a.Weight == b.Weight && a.Gold == b.Gold && a.Predicted == b.Predicted && a.ID == b.ID
		}
		if !slices.EqualFunc(want.Fragments[0], got.Fragments[0], same) {
			t.Errorf("unpacked %v: other fragments", unpacked)
		}
	}
	all := -reads.Load()
	for _, n := range []int64{2, all} {
		reads.Store(n)
		if _, err := run(0, true); !errors.Is(err, failed) {
			t.Errorf("%d of %d: %v", n, all, err)
		}
	}
}
