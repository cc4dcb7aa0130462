package recount_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/internal/minetest"
	"fstore/mine/internal/progresstest"
	"fstore/mine/query"
	"fstore/mine/recount"
)

// TestRecountTellsProgressOneAtATime recounts with several workers. Their reports of progress must not
// overlap.
func TestRecountTellsProgressOneAtATime(t *testing.T) {
	fs := vfs.NewMem()
	s := minetest.Build(t, fs, minetest.Options(t, fs, 0, 5*recount.Block, "stk:max-order=1"))
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
	r := recount.Run{
		St: s, Space: space, Syms: syms, X: x,
		Samples: s.Meta().Samples, Workers: 4, Progress: &alone,
		Hit: func(*index.Hit, uint32) {},
	}
	if _, err := r.Count(t.Context()); err != nil {
		t.Fatal(err)
	}
	if alone.Clashed() {
		t.Error("called twice at a time")
	}
}
