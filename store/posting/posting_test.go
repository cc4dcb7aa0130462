package posting

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand"
	"runtime"
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

// listOf is the list of a fragment with these occurrences.
func listOf(occ ...uint32) []byte { return Append(nil, occ, nil, nil) }

func check(t rapid.TB, occ []uint32, set *roaring.Bitmap) {
	t.Helper()
	wantIDs, wantCounts := model(occ)
	b := Append([]byte("pre"), occ, nil, nil)[3:]
	if c := Append([]byte("pre"), wantIDs, wantCounts, nil)[3:]; !slices.Equal(b, c) {
		t.Fatalf("with counts %x, without %x", c, b)
	}
	support, occurrences, err := Header(b)
	if err != nil || int(support) != len(wantIDs) || int(occurrences) != len(occ) {
		t.Fatalf("Header = %d, %d, %v, want %d, %d", support, occurrences, err, len(wantIDs), len(occ))
	}
	limit := occ[len(occ)-1] + 1 // no more samples than that
	ids, counts, err := Decode(b, limit, []uint32{7}, []uint32{8, 9})
	if err != nil {
		t.Fatalf("Decode: %v", err)
	}
	if d := cmp.Diff(append([]uint32{7}, wantIDs...), ids); d != "" {
		t.Fatalf("ids (-want +got):\n%s", d)
	}
	if d := cmp.Diff(append([]uint32{8, 9}, wantCounts...), counts); d != "" {
		t.Fatalf("counts (-want +got):\n%s", d)
	}
	if ids, err = IDs(b, limit, nil); err != nil || !slices.Equal(ids, wantIDs) {
		t.Fatalf("IDs: %v, %v", ids, err)
	}
	bm, err := Bitmap(b, limit)
	if err != nil || !slices.Equal(bm.ToArray(), wantIDs) {
		t.Fatalf("Bitmap: %v, %v", bm, err)
	}
	want := uint32(bm.AndCardinality(set))
	if n, err := CountIn(b, set); err != nil || n != want {
		t.Fatalf("CountIn = %d, %v, want %d", n, err, want)
	}
	if within, err := IsWithin(b, set); err != nil || within != (want == support) {
		t.Fatalf("IsWithin = %v, %v: %d of %d", within, err, want, support)
	}
	if within, err := IsWithin(b, bm); err != nil || !within {
		t.Fatalf("IsWithin its own samples = %v, %v", within, err)
	}
	refuses(t, b, limit-1) // the last sample is beyond
	checkPlaces(t, wantIDs, wantCounts, b)
}

// checkPlaces encodes the samples with random numbers of places, and wants the same numbers after decoding.
// If every occurrence has its place, the result must be `plain`, the list without places.
func checkPlaces(t rapid.TB, ids, counts []uint32, plain []byte) {
	t.Helper()
	rng := rand.New(rand.NewSource(int64(len(ids))))
	want, total := make([]uint32, len(ids)), uint32(0)
	for i, n := range counts {
		want[i] = 1 + uint32(rng.Intn(int(n)))
		total += want[i]
	}
	b := Append(nil, ids, counts, want)
	gotIDs, gotCounts, got, err := DecodePlaces(b, math.MaxUint32, nil, nil, []uint32{7})
	if err != nil || !slices.Equal(gotIDs, ids) || !slices.Equal(gotCounts, counts) || !slices.Equal(got[1:], want) {
		t.Fatalf("DecodePlaces: %v %v %v, %v; want places %v", gotIDs, gotCounts, got, err, want)
	}
	if n, err := placesOf(b); err != nil || n != total {
		t.Fatalf("placesOf = %d, %v, want %d", n, err, total)
	}
	if alone, _, err := Decode(b, math.MaxUint32, nil, nil); err != nil || !slices.Equal(alone, ids) {
		t.Fatalf("Decode with places: %v, %v", alone, err)
	}
	if b = Append(nil, ids, counts, counts); !slices.Equal(b, plain) {
		t.Fatalf("%x where each occurrence has its place, want %x", b, plain)
	}
}

// refuses fails unless every function refuses b for this number of samples.
func refuses(t rapid.TB, b []byte, limit uint32) {
	t.Helper()
	_, err1 := IDs(b, limit, nil)
	_, _, err2 := Decode(b, limit, nil, nil)
	_, err3 := Bitmap(b, limit)
	for i, err := range []error{err1, err2, err3} {
		if !errors.Is(err, ErrMalformed) {
			t.Fatalf("function %d: %v below %d", i+1, err, limit)
		}
	}
}

func drawOccurrences(t *rapid.T) []uint32 {
	universe := rapid.SampledFrom([]uint32{3, 200, 1000, 70_000, 300_000, math.MaxUint32 - 1}).Draw(t, "universe")
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
				if id+i >= id && id+i < math.MaxUint32 {
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
		"largest":       {math.MaxUint32 - 1},
		"one, often":    {5, 5, 5, 5},
		"two ends":      {0, math.MaxUint32 - 1},
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

// TestSize checks that each form takes the expected number of bytes.
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
		if n := len(listOf(c.occ...)); n > c.max {
			t.Errorf("%s: %d bytes, want at most %d", c.name, n, c.max)
		}
	}
}

// TestHostileRuns decodes few bytes that say that a fragment is in every possible sample. Nothing must be
// allocated for samples that do not exist.
func TestHostileRuns(t *testing.T) {
	const n = 1 << 16
	b := binary.AppendUvarint([]byte{0}, math.MaxUint32)     // the roaring form
	b = binary.LittleEndian.AppendUint32(b, 12347|(n-1)<<16) // containers of runs
	for range n / 8 {
		b = append(b, 0xFF)
	}
	for key := range n { // all 65,536 ids, but for the last of all
		b = binary.LittleEndian.AppendUint16(b, uint16(key))
		b = binary.LittleEndian.AppendUint16(b, uint16(0xFFFF-key/(n-1)))
	}
	b = append(b, make([]byte, 4*n)...) // offsets
	for key := range n {
		b = append(b, 1, 0, 0, 0)
		b = binary.LittleEndian.AppendUint16(b, uint16(0xFFFF-key/(n-1)))
	}
	l, err := open(b)
	if err == nil {
		_, err = l.bitmap()
	}
	if err != nil {
		t.Fatal("not well-formed:", err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	refuses(t, b, 1_000_000)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes allocated for %d", n, len(b))
	}
}

func TestEmptyPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Append(nil, nil, nil, nil)
}

func FuzzDecode(f *testing.F) {
	f.Add(listOf(1, 1, 5, 9, 9, 9))
	var run, sparse, bits []uint32
	for i := range uint32(5000) {
		bits = append(bits, 3*i+i%2)
	}
	f.Add(listOf(bits...))
	for i := range uint32(200) {
		run, sparse = append(run, i), append(sparse, i*i*7, i*i*7)
	}
	f.Add(listOf(run...))
	f.Add(Append(nil, []uint32{3, 5, 9}, []uint32{4, 1, 3}, []uint32{2, 1, 3}))
	f.Add(Append(nil, []uint32{3}, []uint32{4}, []uint32{2}))
	f.Add(listOf(sparse...))
	f.Add(listOf(0, math.MaxUint32-1))
	const limit = 1 << 17
	f.Fuzz(func(t *testing.T, b []byte) {
		support, occurrences, herr := Header(b)
		ids, counts, err := Decode(b, limit, nil, nil)
		// The bounds that the package documents: runs of 65,536 ids for 4 bytes.
		if len(ids) > min(limit, 1<<16*(len(b)/4+1)) {
			t.Fatalf("%d ids from %d bytes", len(ids), len(b))
		}
		if l, lerr := openBelow(b, limit); lerr == nil && l.roaring {
			var bm roaring.Bitmap
			n, berr := bm.FromBuffer(l.ids)
			if berr == nil {
				berr = bm.Validate()
			}
			want := berr == nil && n == int64(len(l.ids))
			if c := (portable{rest: l.ids}); c.read() != want {
				t.Fatalf("the library takes %d bytes of %d, %v", n, len(l.ids), berr)
			}
			if set, serr := l.bitmap(); serr != nil != (err != nil) && l.extra == 0 || err == nil && !slices.Equal(ids, set.ToArray()) {
				t.Fatalf("ids %v, set %v", err, serr)
			}
		}
		set := roaring.BitmapOf(1, 2, 3, 70_000)
		in, cerr := CountIn(b, set)
		if err != nil {
			return
		}
		sum := uint64(0)
		for _, n := range counts {
			sum += uint64(n)
		}
		if herr != nil || len(ids) != int(support) || sum != uint64(occurrences) {
			t.Fatalf("header %d %d %v, ids %d, sum %d", support, occurrences, herr, len(ids), sum)
		}
		if !slices.IsSorted(ids) || ids[len(ids)-1] >= limit {
			t.Fatal("ids do not ascend, or beyond the limit")
		}
		if want := roaring.BitmapOf(ids...).AndCardinality(set); cerr != nil || uint64(in) != want {
			t.Fatalf("CountIn = %d, %v, want %d", in, cerr, want)
		}
		if occurrences > 1<<20 {
			return
		}
		var occ []uint32
		for i, id := range ids {
			occ = append(occ, slices.Repeat([]uint32{id}, int(counts[i]))...)
		}
		_, _, places, perr := DecodePlaces(b, limit, nil, nil, nil)
		if n, err := placesOf(b); perr == nil && (err != nil || n != total(places) || slices.Contains(places, 0)) {
			t.Fatalf("%d places, %v; decoded %v", n, err, places)
		}
		ids2, counts2, err := Decode(listOf(occ...), limit, nil, nil)
		if err != nil || !slices.Equal(ids, ids2) || !slices.Equal(counts, counts2) {
			t.Fatalf("encode and decode: %v", err)
		}
	})
}

func total(all []uint32) (sum uint32) {
	for _, n := range all {
		sum += n
	}
	return sum
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
		values = append(values, listOf(occ...))
		total += len(values[len(values)-1])
	}
	return values, total
}

func BenchmarkAppend2(b *testing.B) {
	b.ReportAllocs()
	var dst []byte
	occ := []uint32{49_999, 99_999}
	for b.Loop() {
		dst = Append(dst[:0], occ, nil, nil)
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
			if ids, counts, err = Decode(v, 73_000, ids[:0], counts[:0]); err != nil {
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
	b.ReportAllocs()
	for b.Loop() {
		for _, v := range values {
			if _, err := CountIn(v, bm); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// placesOf returns the places of a list, as its header has them.
func placesOf(b []byte) (uint32, error) {
	l, err := header(b)
	return l.support + l.extra - l.shared, err
}
