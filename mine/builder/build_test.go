package builder_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/grow"
	"fstore/mine/grown"
	"fstore/mine/internal/minetest"
	"fstore/store"
)

// What a store holds does not depend on workers, memory, or the way in which it was built.
func TestSameHowever(t *testing.T) {
	for _, args := range minetest.Variants {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			minetest.SameHowever(t, minetest.Samples, func(fs vfs.FS, from, to int) builder.Options {
				return minetest.Options(t, fs, from, to-from, args...)
			}, minetest.Resources{Workers: 1, Memory: 0}, minetest.Resources{Workers: 8, Memory: 0}, minetest.Resources{Workers: 1, Memory: 1}, minetest.Resources{Workers: 3, Memory: 6_000}, minetest.Resources{Workers: 3, Memory: 60_000})
		})
	}
}

// A build that ends in an error leaves no store. An append that ends in an error leaves the store as it was.
func TestErrorsLeaveNothing(t *testing.T) {
	broken := errors.New("broken")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	cases := []struct {
		name string
		ctx  context.Context
		o    func(*builder.Options)
		want error
	}{
		{"source", context.Background(), func(o *builder.Options) {
			o.Source = func(s *index.Symbols) (index.Source, error) {
				src := minetest.NewSource(s, 7, 0, 50)
				src.Fail = broken
				return src, nil
			}
		}, broken},
		{"open", context.Background(), func(o *builder.Options) {
			o.Source = func(*index.Symbols) (index.Source, error) { return nil, broken }
		}, broken},
		{"budget", context.Background(), func(o *builder.Options) { o.MaxFragments = 3 }, grow.ErrTooMany},
		{"cancelled", ctx, func(*builder.Options) {}, context.Canceled},
		{"empty", context.Background(), func(o *builder.Options) {
			o.Source = func(s *index.Symbols) (index.Source, error) { return minetest.NewSource(s, 7, 0, 0), nil }
		}, builder.ErrNoSamples},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			fs := vfs.NewMem()
			o := minetest.Options(t, fs, 0, 50, "stk", "st")
			c.o(&o)
			if _, err := builder.Run(c.ctx, "s", o); !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			names, err := fs.List("")
			if err != nil || len(names) > 0 {
				t.Fatalf("left %v, %v", names, err)
			}
			s := minetest.Build(t, fs, minetest.Options(t, fs, 0, 20, "stk", "st"))
			before := minetest.Dump(t, s)
			s.Close()
			o = minetest.Options(t, fs, 20, 50, "stk", "st")
			o.Mode = store.Append
			c.o(&o)
			if _, err := builder.Run(c.ctx, "s", o); !errors.Is(err, c.want) {
				t.Fatalf("append: %v, want %v", err, c.want)
			}
			if s, err = store.Open("s", store.Options{FS: fs}); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if d := cmp.Diff(before, minetest.Dump(t, s)); d != "" {
				t.Fatal(d)
			}
			if p := minetest.Verify(t, s, 0); len(p) > 0 {
				t.Fatal(p)
			}
		})
	}
}

// A tiny budget makes a range of each root, or a part of each sample. The files of all these must not be open
// at once.
func TestManyRangesFewFiles(t *testing.T) {
	for _, space := range []string{"stk:min-support=1", "stk:min-support=1,closed"} {
		fs := &minetest.OpenFiles{FS: vfs.NewMem()}
		o := minetest.Options(t, fs, 0, minetest.Samples, space)
		o.Memory, o.Workers = 1, 1
		minetest.Build(t, fs, o)
		if fs.Most > 30 {
			t.Fatalf("%s: %d files open at once", space, fs.Most)
		}
	}
}

// A long fragment takes more than 1 from the budget.
func TestBudgetOfLongFragments(t *testing.T) {
	for order, want := range map[int]uint64{1: 1, 31: 1, 32: 2, 64: 3, 2000: 63} {
		if got := grown.SizeOf(order); got != want {
			t.Errorf("order %d is %d, want %d", order, got, want)
		}
	}
}

// TestClockJumps: a wrong clock changes only the times in the history.
func TestClockJumps(t *testing.T) {
	at := func(o builder.Options, seconds int64) builder.Options {
		o.Event = func() store.Event { return store.Event{Command: "test", Time: seconds} }
		return o
	}
	fs := vfs.NewMem()
	want := minetest.Dump(t, minetest.Build(t, fs, minetest.Options(t, fs, 0, 40, "stk")))
	fs = vfs.NewMem()
	times := []int64{1 << 40, 5, -1 << 62, math.MaxInt64}
	var s *store.Store
	for i, seconds := range times {
		o := at(minetest.Options(t, fs, 10*i, 10, "stk"), seconds)
		if i > 0 {
			o.Mode, o.Spaces = store.Append, builder.Choice{}
		}
		s = minetest.Build(t, fs, o)
		if p := minetest.Verify(t, s, 0); len(p) > 0 || s.Meta().History[i].Time != seconds {
			t.Fatal(p, s.Meta().History)
		}
	}
	if got := minetest.Dump(t, s); got != want {
		t.Errorf("appended:\n%s\nbuilt at once:\n%s", got, want)
	}
}
