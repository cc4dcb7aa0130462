package grow_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"fstore/mine/builder"
	"fstore/mine/grow"
	"fstore/mine/internal/minetest"
)

// smallOptions are for a build by levels, in several parts.
func smallOptions(t *testing.T, fs vfs.FS) builder.Options {
	o := minetest.Options(t, fs, 0, minetest.Samples, "stk:max-order=3,min-support=2")
	o.Memory = 4000
	return o
}

// If an operation on any of its own files fails, a build by levels ends with that error, leaves no files, and
// has no file open.
func TestLevelsWithoutFiles(t *testing.T) {
	for n, step := 0, 1; ; n, step = n+step, 1+n/20 {
		var at atomic.Int64 // workers use files at once
		mem := vfs.NewMem()
		fs := &minetest.OpenFiles{FS: errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind == errorfs.OpFileClose || !strings.Contains(op.Path, "levels/") {
				return nil
			}
			if at.Add(1) == int64(n)+1 {
				return errorfs.ErrInjected
			}
			return nil
		}))}
		_, err := builder.Run(context.Background(), "s", smallOptions(t, fs))
		if err == nil {
			if n < 30 {
				t.Fatalf("%d uses of files", at.Load())
			}
			return
		}
		if !errors.Is(err, errorfs.ErrInjected) {
			t.Fatalf("%d: %v", n, err)
		}
		if fs.Now > 0 {
			t.Fatalf("%d: %d files are open", n, fs.Now)
		}
		if names, err := mem.List(""); err != nil || len(names) > 0 {
			t.Fatalf("%d: left %v, %v", n, names, err)
		}
	}
}

// A build by levels ends at the limit of fragments and when it is interrupted. It leaves no files.
func TestLevelsEnd(t *testing.T) {
	fs := vfs.NewMem()
	o := smallOptions(t, fs)
	o.MaxFragments = 20
	if r, err := builder.Run(context.Background(), "s", o); !errors.Is(err, grow.ErrTooMany) {
		t.Fatal(r, err)
	}
	for _, stage := range []string{"mine stk, order 1 to 2", "mine stk, order 3", "load stk"} {
		ctx, cancel := context.WithCancel(context.Background())
		o := smallOptions(t, fs)
		o.Progress = &minetest.InterruptAfter{Stage: stage, Cancel: cancel}
		if _, err := builder.Run(ctx, "s", o); !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: %v", stage, err)
		}
	}
	if names, err := fs.List(""); err != nil || len(names) > 0 {
		t.Fatalf("left %v, %v", names, err)
	}
}

// A build with little memory makes the same store, for any maximum order.
func TestLevelsOfAnyOrder(t *testing.T) {
	for _, order := range []int{1, 2, 5, 0} {
		var want string
		for _, memory := range []int64{0, 1000} {
			fs := vfs.NewMem()
			o := minetest.Options(t, fs, 0, minetest.Samples, fmt.Sprintf("stk:min-support=3,max-order=%d", order), fmt.Sprintf("sstbow:max-order=%d", order))
			o.Memory = memory
			got := minetest.Dump(t, minetest.Build(t, fs, o))
			if want == "" {
				want = got
			} else if got != want {
				t.Errorf("order %d:\n%s\nwant:\n%s", order, got, want)
			}
		}
	}
}
