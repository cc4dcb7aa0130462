package store

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// TestCheckEnds: Check ends whenever its context is done. It reads each file once.
func TestCheckEnds(t *testing.T) {
	mem := vfs.NewMem()
	if err := build(mem, "db", Create, 30, 20_000); err != nil {
		t.Fatal(err)
	}
	opened := map[string]int{}
	fs := hooked(mem, func(op errorfs.Op) error {
		if op.Kind == errorfs.OpOpen {
			opened[mem.PathBase(op.Path)]++
		}
		return nil
	})
	s, err := Open("db", Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	fail := func(what string) { t.Error(what) }
	clear(opened)
	c := &countedContext{Context: t.Context(), limit: math.MaxInt}
	if err := s.Check(c, fail, fail); err != nil {
		t.Fatal(err)
	}
	if n := opened["expansion-1-0"]; n != 1 {
		t.Errorf("the expansion index was opened %d times", n)
	}
	looks := c.looks
	t.Logf("%d looks", looks)
	if looks < 10+20_000/4096 {
		t.Errorf("the context was looked at %d times", looks)
	}
	for limit := range looks {
		c := &countedContext{Context: t.Context(), limit: limit}
		if err := s.Check(c, fail, fail); !errors.Is(err, context.Canceled) {
			t.Errorf("done after %d of %d looks: %v", limit, looks, err)
		}
		if c.looks > limit+10 {
			t.Errorf("done after %d looks, and looked %d times", limit, c.looks)
		}
	}
}

// countedContext is done after a number of calls of Err.
type countedContext struct {
	context.Context
	looks, limit int
}

func (c *countedContext) Err() error {
	if c.looks++; c.looks > c.limit {
		return context.Canceled
	}
	return nil
}

// TestCheckEndsWithin: Check also ends in the middle of data with many keys.
func TestCheckEndsWithin(t *testing.T) {
	fs := vfs.NewMem()
	if err := build(fs, "db", Create, 5000, 5000); err != nil {
		t.Fatal(err)
	}
	s, err := Open("db", Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := &checker{s: s, ctx: ctx, problem: func(what string) { t.Error(what) }}
	if err := c.samples(); !errors.Is(err, context.Canceled) {
		t.Errorf("samples: %v", err)
	}
	if err := c.space(s.Meta().Spaces[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("space: %v", err)
	}
	if err := c.files(func(what string) { t.Error(what) }); !errors.Is(err, context.Canceled) {
		t.Errorf("files: %v", err)
	}
}
