package minetest

import (
	"fmt"
	"testing"

	"fstore/index"
	"fstore/store"
)

// InterruptAfter cancels a run when so much of its stage is done.
type InterruptAfter struct {
	index.NoProgress
	Stage  string
	After  int // calls of Add; 0 is the beginning
	Cancel func()

	in    bool
	calls int
}

func (p *InterruptAfter) Step(stage, _ string, _ int64) {
	p.in, p.calls = stage == p.Stage, 0
	if p.in && p.After == 0 {
		p.Cancel()
	}
}

func (p *InterruptAfter) Add(int64) {
	if p.calls++; p.in && p.calls == p.After {
		p.Cancel()
	}
}

// Same is all that a store holds, with its generations, and the files beside it.
func Same(t *testing.T, s *store.Store) string {
	t.Helper()
	m := s.Meta()
	return Everything(t, s) + fmt.Sprintf("%+v", *m)
}
