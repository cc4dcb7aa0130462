package grow_test

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/internal/minetest"
)

// codes is a sink that keeps the codes and the posting lists.
type codes []string

// Put implements grow.Sink.
func (l *codes) Put(c index.Code, _ int, list []byte) error {
	*l = append(*l, string(bytes.Clone(c)), string(list))
	return nil
}

// Finish implements grow.Sink.
func (*codes) Finish() error { return nil }

// Abort implements grow.Sink.
func (*codes) Abort() {}

// The two halves of a first step together have the same fragments and candidates as the whole, with little
// memory or much.
func TestHalvesOfAStep(t *testing.T) {
	for _, space := range []string{"stk:max-order=3", "ptk:max-order=3", "seq:max-order=3"} {
		fs := vfs.NewMem()
		o := minetest.Options(t, fs, 0, 1500, space)
		s := minetest.Build(t, fs, o)
		syms, err := s.Symbols()
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := o.Spaces.ForNew(index.Constituency)
		if err != nil {
			t.Fatal(err)
		}
		source := grow.Source{
			Ctx: context.Background(), St: s, Syms: syms, Samples: s.Meta().Samples,
			Workers: 1, Memory: 1 << 30, Progress: index.NoProgress{},
		}
		within := func(memory int64, r index.Range) (found codes, counts index.Counts) {
			g := grow.Growth{Source: source, Tallied: grow.Tallied{SpaceLimits: chosen[0]}}
			g.Memory = memory
			if err := g.Within(r, nil, func(index.Range) (grow.Task, error) { return grow.Into(&found, nil), nil }); err != nil {
				t.Fatal(err)
			}
			return found, g.Counts
		}
		tallied, err := source.TallyStored(chosen[0])
		if err != nil {
			t.Fatal(err)
		}
		var roots []grow.Root
		tallied.Tally.Each(func(step index.Step, occ, _ uint32) { roots = append(roots, grow.Root{Step: step, Occ: uint64(occ)}) })
		slices.SortFunc(roots, func(a, b grow.Root) int { return cmp.Compare(b.Occ, a.Occ) })
		for i, root := range slices.Repeat(roots[:3], 2) {
			first := root.Step.Packed()
			r := index.Range{Lo: first, Hi: first + 1}
			chosen[0].Limits.MinSupport = 2
			want, counts := within(1<<30, r)
			_, rest, _ := index.Code(want[len(want)/4*2]).Next() // of the fragment in the middle
			second, _, ok := rest.Next()
			if !ok || len(want) < 20 {
				t.Fatalf("%s: only %d fragments", space, len(want)/2)
			}
			if i >= 3 { // the first step is rare: nothing grows below it
				chosen[0].Limits.MinSupport = tallied.Tally.Support(root.Step) + 1
				want, counts = within(1<<30, r)
			}
			low, high := r, r
			low.Hi2, high.Lo2, high.Hi2 = second.Packed(), second.Packed(), index.All.Hi
			for _, memory := range []int64{2000, 1 << 30} {
				found, sum := within(memory, low)
				more, also := within(memory, high)
				sum.Add(also)
				if d := gocmp.Diff(want, append(found, more...)); d != "" {
					t.Errorf("%s within %d bytes: %s", space, memory, d)
				}
				if d := gocmp.Diff(counts, sum); d != "" {
					t.Errorf("%s within %d bytes: %s", space, memory, d)
				}
			}
		}
	}
}
