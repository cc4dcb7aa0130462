package posting

import (
	"encoding/binary"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// model is a posting list in its plainest form.
func model(occ []uint32) (ids, counts []uint32) {
	for i, id := range occ {
		if i == 0 || id != occ[i-1] {
			ids, counts = append(ids, id), append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	return ids, counts
}

func check(t rapid.TB, occ []uint32, set *roaring.Bitmap) {
	t.Helper()
	b := Append([]byte("pre"), occ)[3:]
	wantIDs, wantCounts := model(occ)
	if c := AppendCounts([]byte("pre"), wantIDs, wantCounts)[3:]; !slices.Equal(b, c) {
		t.Fatalf("AppendCounts %x, Append %x", c, b)
	}
	support, occurrences, err := Header(b)
	if err != nil || int(support) != len(wantIDs) || int(occurrences) != len(occ) {
		t.Fatalf("Header = %d, %d, %v, want %d, %d", support, occurrences, err, len(wantIDs), len(occ))
	}
	ids, counts, err := Decode(b, []uint32{7}, []uint32{8, 9})
	if err != nil {
		t.Fatalf("Decode: %v", err)
	}
	if d := cmp.Diff(append([]uint32{7}, wantIDs...), ids); d != "" {
		t.Fatalf("ids (-want +got):\n%s", d)
	}
	if d := cmp.Diff(append([]uint32{8, 9}, wantCounts...), counts); d != "" {
		t.Fatalf("counts (-want +got):\n%s", d)
	}
	if ids, err = IDs(b, nil); err != nil || !slices.Equal(ids, wantIDs) {
		t.Fatalf("IDs: %v, %v", ids, err)
	}
	all, err := Occurrences(b, []uint32{1}, len(occ))
	if err != nil || !slices.Equal(all[1:], occ) {
		t.Fatalf("Occurrences: %v, %v, want %v", all[1:], err, occ)
	}
	if _, err := Occurrences(b, nil, len(occ)-1); err == nil {
		t.Fatalf("Occurrences beyond its limit")
	}
	bm, err := Bitmap(b)
	if err != nil || !slices.Equal(bm.ToArray(), wantIDs) {
		t.Fatalf("Bitmap: %v, %v", bm, err)
	}
	want := uint32(bm.AndCardinality(set))
	if n, err := CountIn(b, set); err != nil || n != want {
		t.Fatalf("CountIn = %d, %v, want %d", n, err, want)
	}
	if n, err := CountInSet(b, SetOf(set)); err != nil || n != want {
		t.Fatalf("CountInSet = %d, %v, want %d", n, err, want)
	}
}

func drawOccurrences(t *rapid.T) []uint32 {
	universe := rapid.SampledFrom([]uint32{3, 200, 1000, 70_000, 300_000, math.MaxUint32}).Draw(t, "universe")
	n := rapid.IntRange(1, 600).Draw(t, "n")
	rng := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
	var occ []uint32
	for len(occ) < n {
		id := uint32(rng.Int63n(int64(universe) + 1))
		occ = append(occ, id)
		switch rng.Intn(8) {
		case 0: // the same sample again
			for range rng.Intn(5) {
				occ = append(occ, id)
			}
		case 1: // a run
			for i := range uint32(rng.Intn(60)) {
				if id+i >= id {
					occ = append(occ, id+i)
				}
			}
		}
	}
	slices.Sort(occ)
	return occ
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		occ := drawOccurrences(t)
		set := roaring.BitmapOf(occ[len(occ)/2], 5, 100)
		set.AddRange(uint64(occ[0]), min(uint64(occ[0])+700, 1<<32))
		if occ[len(occ)-1] > 1<<20 {
			set = roaring.BitmapOf(set.ToArray()...)
			set.RemoveRange(1<<20, 1<<32) // SetOf would take half a gigabyte
		}
		check(t, occ, set)
	})
}

func TestForms(t *testing.T) {
	every := func(n, step int) (occ []uint32) {
		for i := range n {
			occ = append(occ, uint32(i*step))
		}
		return occ
	}
	evens := roaring.New()
	for i := uint32(0); i < 140_000; i += 2 {
		evens.Add(i)
	}
	for name, occ := range map[string][]uint32{
		"one":           {0},
		"largest":       {math.MaxUint32},
		"one, often":    {5, 5, 5, 5},
		"two ends":      {0, math.MaxUint32},
		"list full":     every(maxList, 9),
		"roaring array": every(maxList+1, 9),
		"bitmap":        every(9000, 7),
		"run":           every(70_000, 1),
		"run, doubled":  slices.Sorted(slices.Values(append(every(70_000, 1), every(70_000, 1)...))),
		"many":          every(300, 65_536),
	} {
		t.Run(name, func(t *testing.T) { check(t, occ, evens) })
	}
}

// TestSize holds the forms to the bytes they are meant to take.
func TestSize(t *testing.T) {
	for _, c := range []struct {
		name string
		occ  []uint32
		max  int
	}{
		{"one of 100", []uint32{99}, 2},
		{"two below 100,000", []uint32{49_999, 99_999}, 7},
		{"two, one of them twice", []uint32{49_999, 49_999, 99_999}, 9},
	} {
		if n := len(Append(nil, c.occ)); n > c.max {
			t.Errorf("%s: %d bytes, want at most %d", c.name, n, c.max)
		}
	}
}

func TestEmptyPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Append(nil, nil)
}

func FuzzDecode(f *testing.F) {
	f.Add(Append(nil, []uint32{1, 1, 5, 9, 9, 9}))
	var run, sparse []uint32
	for i := range uint32(200) {
		run, sparse = append(run, i), append(sparse, i*i*7, i*i*7)
	}
	f.Add(Append(nil, run))
	f.Add(Append(nil, sparse))
	f.Add(Append(nil, []uint32{0, math.MaxUint32}))
	f.Fuzz(func(t *testing.T, b []byte) {
		support, occurrences, herr := Header(b)
		ids, counts, err := Decode(b, nil, nil)
		// The bound that the package documents: runs of 65,536 ids for 4 bytes.
		if len(ids) > 1<<16*(len(b)/4+1) {
			t.Fatalf("%d ids from %d bytes", len(ids), len(b))
		}
		set := roaring.BitmapOf(1, 2, 3, 70_000)
		a, err1 := CountIn(b, set)
		c, err2 := CountInSet(b, SetOf(set))
		if (err == nil) != (err1 == nil) || (err == nil) != (err2 == nil) {
			t.Fatalf("Decode %v, CountIn %v, CountInSet %v", err, err1, err2)
		}
		if err != nil {
			return
		}
		sum := uint64(0)
		for _, n := range counts {
			sum += uint64(n)
		}
		if herr != nil || len(ids) != int(support) || sum != uint64(occurrences) || a != c {
			t.Fatalf("header %d %d %v, ids %d, sum %d, in set %d and %d", support, occurrences, herr, len(ids), sum, a, c)
		}
		if !slices.IsSorted(ids) {
			t.Fatal("ids do not ascend")
		}
		if occurrences > 1<<20 {
			return
		}
		occ, err := Occurrences(b, nil, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		ids2, counts2, err := Decode(Append(nil, occ), nil, nil)
		if err != nil || !slices.Equal(ids, ids2) || !slices.Equal(counts, counts2) {
			t.Fatalf("encode and decode: %v", err)
		}
	})
}

func FuzzEncode(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 3, 0, 1, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		var occ []uint32
		id := uint32(0)
		for ; len(b) >= 2; b = b[2:] {
			d := uint32(binary.LittleEndian.Uint16(b))
			for range d%5 + 1 {
				occ = append(occ, id)
			}
			id += d / 5
		}
		if len(occ) > 0 {
			check(t, occ, roaring.BitmapOf(0, 1, 2, 70_000))
		}
	})
}

// lists returns posting lists of a Zipf population of supports, and their sum.
func lists(n int) (values [][]byte, total int) {
	rng := rand.New(rand.NewSource(1))
	zipf := rand.NewZipf(rng, 1.6, 1, 20_000)
	for range n {
		support := int(zipf.Uint64()) + 2
		occ := make([]uint32, support)
		for i := range occ {
			occ[i] = uint32(rng.Intn(73_000))
		}
		slices.Sort(occ)
		values = append(values, Append(nil, occ))
		total += len(values[len(values)-1])
	}
	return values, total
}

func BenchmarkAppend2(b *testing.B) {
	b.ReportAllocs()
	var dst []byte
	occ := []uint32{49_999, 99_999}
	for b.Loop() {
		dst = Append(dst[:0], occ)
	}
}

func BenchmarkDecode(b *testing.B) {
	values, total := lists(10_000)
	b.ReportAllocs()
	b.SetBytes(int64(total))
	var ids, counts []uint32
	for b.Loop() {
		for _, v := range values {
			var err error
			if ids, counts, err = Decode(v, ids[:0], counts[:0]); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkCountIn(b *testing.B) {
	values, _ := lists(10_000)
	bm := roaring.New()
	for i := range uint32(73_000) {
		if i%3 == 0 {
			bm.Add(i)
		}
	}
	b.Run("roaring", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, v := range values {
				if _, err := CountIn(v, bm); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("set", func(b *testing.B) {
		set := SetOf(bm)
		b.ReportAllocs()
		for b.Loop() {
			for _, v := range values {
				if _, err := CountInSet(v, set); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
