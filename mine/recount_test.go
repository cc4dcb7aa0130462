package mine

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/internal/progresstest"
	"fstore/mine/query"
)

// TestRecountTellsProgressOneAtATime recounts side by side.
func TestRecountTellsProgressOneAtATime(t *testing.T) {
	fs := vfs.NewMem()
	s := build(t, fs, options(t, fs, 0, 5*recountBlock, "stk:max-order=1"))
	space, info, err := query.SpaceOf(s, "stk")
	if err != nil {
		t.Fatal(err)
	}
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	x, err := query.OpenVerifiedExpansion(s, info.Expansion, info.Features)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	var alone progresstest.Alone
	r := recounting{
		st: s, space: space, syms: syms, x: x,
		samples: s.Meta().Samples, workers: 4, progress: &alone,
		hit: func(*index.Hit, uint32) {},
	}
	if _, err := r.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if alone.Clashed() {
		t.Error("called twice at a time")
	}
}
