package rerank

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"fstore/index"
	"fstore/mine/internal/progresstest"
	"fstore/mine/learn/crossval"
)

// TestProgressIsToldOneAtATime trains in parallel, and wants no two calls of the progress at the same time.
func TestProgressIsToldOneAtATime(t *testing.T) {
	ctx := context.Background()
	var a progresstest.Alone
	l, v, _, o := kernelCase(1, 12)
	o.Workers, o.Progress, o.Chunks, o.HeldOut, o.Betas = 4, &a, 6, 12, nil
	if _, _, err := TrainKernel(ctx, l, o); err != nil {
		t.Fatal(err)
	}
	folds, err := crossval.Random(len(l.List), 4, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OutOfFold(ctx, l, v, folds, o.Options); err != nil {
		t.Fatal(err)
	}
	if a.Clashed() {
		t.Error("called twice at a time")
	}
}

// TestOneMachine: with only one chunk, β cannot be chosen, so it must be given. One list makes one chunk.
func TestOneMachine(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{1, 5} {
		for _, chunks := range []int{1, 10} {
			for _, betas := range [][]float64{nil, {2}, {0, 1}} {
				l, _, _, o := kernelCase(7, n)
				o.Chunks, o.HeldOut, o.Betas = chunks, 3, betas
				m, _, err := TrainKernel(ctx, l, o)
				if min(chunks, n) == 1 && len(betas) != 1 {
					if !errors.Is(err, ErrOneMachine) {
						t.Errorf("%d lists, %d chunks, betas %v: %v", n, chunks, betas, err)
					}
					continue
				}
				if err != nil || len(betas) == 1 && m.Beta != (Betas{2, 2}) {
					t.Errorf("%d lists, %d chunks, betas %v: %+v, %v", n, chunks, betas, m, err)
				}
			}
		}
	}
}

// slow is a space whose kernels take a while. It counts the kernels that are being evaluated.
type slow struct {
	vectorSpace
	running *atomic.Int32
}

func (s slow) NewKernel(*index.Symbols, float64) index.Kernel {
	return slowKernel{vectorKernel(s.vectorSpace), s.running}
}

type slowKernel struct {
	vectorKernel
	running *atomic.Int32
}

func (k slowKernel) Eval(a, b any) index.Number {
	k.running.Add(1)
	defer k.running.Add(-1)
	time.Sleep(20 * time.Microsecond)
	return k.vectorKernel.Eval(a, b)
}

// TestReadError: if a list cannot be read, no goroutine evaluates kernels any more when the error is
// returned.
func TestReadError(t *testing.T) {
	bad := errors.New("disk on fire")
	l, _, space, o := kernelCase(4, 12)
	var running atomic.Int32
	o.Space = slow{space, &running}
	o.Workers, o.Chunks, o.HeldOut, o.Betas = 3, 2, 12, nil
	read := o.Read
	var order []int
	o.Read = func(i int) ([]*index.Tree, error) {
		order = append(order, i)
		return read(i)
	}
	if _, _, err := TrainKernel(context.Background(), l, o); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(order[12:24], crossval.UpTo(12)) {
		t.Fatalf("lists are read in the order %v: expected those of the chunks, and those held out", order)
	}
	for _, last := range []int{7, 11, 14, 20, 23} { // the last read before the failure, in a chunk or held out
		reads := 0
		o.Read = func(i int) ([]*index.Tree, error) {
			if reads++; reads > last {
				return nil, bad
			}
			return read(i)
		}
		_, _, err := TrainKernel(context.Background(), l, o)
		if n := running.Load(); !errors.Is(err, bad) || n != 0 {
			t.Errorf("after %d lists: %v, and %d kernels are being evaluated", last, err, n)
		}
	}
}
