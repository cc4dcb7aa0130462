package rerank

import (
	"io"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store/runfile"
)

// TestVectors compares the differences between trees of a list with those of the original vectors, in memory
// and in a file. Equal trees take no bytes.
func TestVectors(t *testing.T) {
	for seed := range uint64(40) {
		_, v, all := random(seed, 5, seed%2 == 0)
		var w [features + 1]float64
		for j := range w {
			w[j] = float64(j * j % 7)
		}
		r := v.reader()
		for i, trees := range all {
			got := make([]float64, len(trees))
			if err := r.scores(got, i, w[:]); err != nil {
				t.Fatal(err)
			}
			for k := range trees {
				if d, want := got[k]-got[0], product(w, dense(trees[k]))-product(w, dense(trees[0])); d != want {
					t.Fatalf("seed %d, list %d, tree %d: %v, want %v", seed, i, k, d, want)
				}
				var d [features + 1]float64
				err := r.difference(i, k, 0, func(ids []uint32, x float64) {
					for _, id := range ids {
						d[id] += x
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				a, b := dense(trees[k]), dense(trees[0])
				for j := range a {
					if d[j] != a[j]-b[j] {
						t.Fatalf("seed %d, list %d, tree %d, feature %d: %v, want %v", seed, i, k, j, d[j], a[j]-b[j])
					}
				}
			}
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		if names, err := v.scratch.FS.List(""); err != nil || len(names) > 0 {
			t.Fatalf("left: %v %v", names, err)
		}
	}
	x := NewListVectors(2, &Blocks{})
	x.AddTrees([]Vector{{[]uint32{1, 7}, []float64{1, 3}}, {[]uint32{1, 7}, []float64{1, 3}}})
	if n := x.size(); n > 0 {
		t.Fatalf("%d bytes of two trees that are alike", n)
	}
}

// TestLargeList tests a list with more ids than are read at a time or fit into a slab. Some ids are far
// apart.
func TestLargeList(t *testing.T) {
	const largest = 1 << 27
	for _, memory := range []int64{0, 1 << 30} {
		v := NewVectors(largest, Scratch{Dir: runfile.Dir{FS: vfs.NewMem(), Path: "vectors"}, Memory: memory})
		var blocks Blocks
		var want [2][4]uint64 // by list and mask: the sum of the ids
		for list := range want {
			blocks.Free()
			x := NewListVectors(2, &blocks)
			r := rand.New(rand.NewPCG(uint64(list), 3))
			last := uint32(1)
			for range 600_000 {
				id, mask := r.Uint32N(largest)+1, 1+r.Uint64N(3)
				if r.IntN(3) > 0 { // often near the id before
					id = min(largest, last+r.Uint32N(9))
				}
				last = id
				x.Add(id, 0, mask, float64(mask))
				want[list][mask] += uint64(id)
			}
			place, err := v.Put(x)
			if err != nil {
				t.Fatal(err)
			}
			v.Add(place)
		}
		if err := v.Seal(); err != nil {
			t.Fatal(err)
		}
		r := v.reader()
		for list := range want {
			// Only features of one tree are in the difference: of tree 0 alone or of tree 1 alone.
			var got [4]uint64
			err := r.difference(list, 0, 1, func(ids []uint32, x float64) {
				mask := 1
				if x < 0 {
					mask = 2
				}
				for _, id := range ids {
					got[mask] += uint64(id)
				}
			})
			if want[list][3] = 0; err != nil || got != want[list] {
				t.Fatalf("memory %d, list %d: %v, want %v, %v", memory, list, got, want[list], err)
			}
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestManyTrees tests a list with more trees than a mask has bits.
func TestManyTrees(t *testing.T) {
	const n = 2*index.MaxPack + 5
	trees := make([]Vector, n)
	for k := range trees {
		trees[k] = Vector{[]uint32{uint32(k%3 + 1), 9}, []float64{1, 0.5}}
	}
	x := NewListVectors(n, &Blocks{})
	x.AddTrees(trees)
	v := NewVectors(9, Scratch{Memory: 1 << 20})
	place, err := v.Put(x)
	if err != nil {
		t.Fatal(err)
	}
	v.Add(place)
	scores := make([]float64, n)
	if err := v.reader().scores(scores, 0, []float64{9: 8, 1: 1, 2: 2, 3: 3}); err != nil {
		t.Fatal(err)
	}
	for k, s := range scores {
		if s != float64(k%3+1)+4 {
			t.Fatalf("tree %d: %v", k, s)
		}
	}
}

// Reading any bytes of a scratch file ends, and does not panic.
func FuzzVectors(f *testing.F) {
	x := NewListVectors(3, &Blocks{})
	x.AddTrees([]Vector{{[]uint32{1, 7, 400}, []float64{1, 3, 1}}, {[]uint32{7}, []float64{3}}, {}})
	v := NewVectors(500, Scratch{Memory: 1 << 20})
	place, err := v.Put(x)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(place.held, int64(0))
	f.Add(place.held, int64(-3))
	f.Fuzz(func(t *testing.T, b []byte, more int64) {
		fs := vfs.NewMem()
		file, err := fs.Create("v", vfs.WriteCategoryUnspecified)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write(b); err != nil {
			t.Fatal(err)
		}
		v := NewVectors(500, Scratch{Memory: 1 << 20})
		v.file = file
		v.Add(Place{held: b})
		v.Add(Place{size: max(0, int64(len(b))+more%1000)}) // a place that can be longer than the file
		r := v.reader()
		for list := range 2 {
			if err := r.scores(make([]float64, 3), list, make([]float64, 501)); err != nil && err != errScratch && err != io.EOF {
				t.Fatal(err)
			}
			if err := r.difference(list, 0, 2, func([]uint32, float64) {}); err != nil && err != errScratch && err != io.EOF {
				t.Fatal(err)
			}
		}
	})
}
