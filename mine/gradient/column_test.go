package gradient

import (
	"bytes"
	"context"
	"errors"
	"math"
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

// columnBytes is what a chunk of differences takes.
const columnBytes = 2 * columnSize

// A column has what was added, across chunks, in memory and in files; differences also what takes
// more than two bytes. It takes no more of the budget than there is, and gives all back.
func TestColumn(t *testing.T) {
	for _, budget := range []int64{0, columnBytes, 7 * columnBytes, math.MaxInt64} {
		r := rand.New(rand.NewPCG(1, 1))
		s := &scratch{fs: vfs.NewMem(), budget: budget}
		var w column[float64]
		var d differences
		w.s, d.near.s = s, s
		var wantW []float64
		var wantD []int32
		add := func(x int32) {
			w.add(float64(x))
			d.add(x)
			wantW, wantD = append(wantW, float64(x)), append(wantD, x)
		}
		for _, x := range []int32{0, math.MinInt16, math.MinInt16 + 1, math.MaxInt16, math.MaxInt16 + 1, math.MinInt32, math.MaxInt32} {
			add(x)
		}
		for range 3*columnSize + r.IntN(columnSize) {
			add(int32(r.Uint32()) >> r.IntN(32))
		}
		if spilled := s.bytes.Load() > 0; spilled != (budget < math.MaxInt64) || s.held.Load() > budget {
			t.Errorf("budget %d: %d bytes written, %d held", budget, s.bytes.Load(), s.held.Load())
		}
		var readers sync.WaitGroup
		for range 2 { // what one gives back, the other reads again
			readers.Go(func() {
				for id, x := range wantD {
					if d.at(uint32(id)) != x || w.at(uint32(id)) != wantW[id] {
						t.Errorf("budget %d, %d: %d and %g, want %d", budget, id, d.at(uint32(id)), w.at(uint32(id)), x)
						return
					}
					if id%(columnSize/3) == 0 {
						w.release()
						d.near.release()
					}
				}
			})
		}
		readers.Wait()
		if int(d.near.n) != len(wantD) || int(w.n) != len(wantW) {
			t.Errorf("budget %d: %d and %d of %d", budget, d.near.n, w.n, len(wantD))
		}
		for range 2 {
			if err := errors.Join(w.err(), d.near.err(), w.close(), d.near.close()); err != nil {
				t.Errorf("budget %d: %v", budget, err)
			}
		}
		if left, err := s.fs.List(""); err != nil || len(left) > 0 || s.held.Load() != 0 {
			t.Errorf("budget %d: %v, %v, %d held", budget, left, err, s.held.Load())
		}
	}
}

// Whatever fails of a file, a column tells it, and gives back what it takes.
func TestColumnFails(t *testing.T) {
	failed := errors.New("no more")
	for from := 1; ; from++ {
		n := -from
		var want error
		s := &scratch{fs: errorfs.Wrap(vfs.NewMem(), errorfs.InjectorFunc(func(op errorfs.Op) error {
			if n++; n == 0 && op.Kind != errorfs.OpRemove {
				want = failed
			} else {
				return nil
			}
			return failed
		}))}
		c := column[int16]{s: s}
		for id := range uint32(3 * columnSize) {
			c.add(int16(id))
		}
		for id := range uint32(3 * columnSize) {
			if x := c.at(id); x != int16(id) && c.err() == nil {
				t.Fatalf("%d: %d is %d, and no error", from, id, x)
			}
		}
		told, closed := c.err(), c.close()
		if n < 0 {
			break
		}
		if err := errors.Join(told, closed); !errors.Is(err, want) {
			t.Fatalf("%d: %v, want %v", from, err, want)
		}
		if s.held.Load() != 0 {
			t.Fatalf("%d: %d held", from, s.held.Load())
		}
	}
}

// Where the weights and gradients of an iteration fill a chunk, iterations that read them of files
// keep what those do that hold all, with packs and without; and a file that cannot be read is the
// run's error.
func TestColumnsOfFiles(t *testing.T) {
	l := newLists(t, "dep:siblings=any,root-arcs,template=rel+h.form+m.upos,template=h.upos+m.form,template=rel,template=h.form+m.form,template=rel+m.upos,template=h.upos+m.upos+rel,template=h.form", 7, 250, 3, 3)
	o := l.options(3)
	o.C, o.Iterations, o.Keep = 0, 3, KeepWeights
	failed := errors.New("no more")
	var reads atomic.Int64 // until one fails
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
