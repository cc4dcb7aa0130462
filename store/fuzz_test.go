package store

import (
	"bytes"
	"math"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"fstore/index"
	"fstore/store/disk"
)

// Each fuzz target checks two things: (1) bytes that this package did not write cause an error and never a
// panic; (2) decoded data stay the same when they are written and read again.

func FuzzSample(f *testing.F) {
	syms := index.NewSymbols()
	b := index.Builder{Symbols: syms}
	var t index.Tree
	b.Start(&t, false)
	b.Open([]byte("S"))
	b.Word([]byte("w"))
	b.Close()
	t.Name, t.Label, t.Candidate, t.Score = "n", "x,y", 3, -1.5
	v, err := newSampleEncoder().encode(&t, t.Group, index.AppendTree(nil, &t))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(bytes.Clone(v))
	t.Gold = index.GoldAdded
	if v, err = newSampleEncoder().encode(&t, t.Group, index.AppendTree(nil, &t)); err != nil {
		f.Fatal(err)
	}
	f.Add(bytes.Clone(v))
	t.Corrections = []index.Correction{{Text: "X"}}
	if v, err = newSampleEncoder().encode(&t, t.Group, index.AppendTree(nil, &t)); err != nil {
		f.Fatal(err)
	}
	f.Add(v)
	decode := func(v []byte) (*index.Tree, error) {
		t := new(index.Tree)
		b, err := newSampleDecoder().decode(v, t)
		if err == nil {
			err = b.read(syms, t)
		}
		return t, err
	}
	f.Fuzz(func(t *testing.T, v []byte) {
		tree, err := decode(v)
		if err != nil {
			return
		}
		w, err := newSampleEncoder().encode(tree, tree.Group, index.AppendTree(nil, tree))
		if err != nil {
			t.Fatal(err)
		}
		again, err := decode(w)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tree, again, cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzMeta(f *testing.F) {
	m := &Meta{
		Version: FormatVersion, Generation: 3, Samples: 5,
		Settings: map[string]string{"label-from": "file"},
		Spaces:   []SpaceInfo{{ID: "stk", Generation: 2, Fragments: []uint64{0, 5}, Expansion: "expansion-2-0"}},
		Files:    []FileInfo{{Name: "expansion-2-0", Size: 5, Sum: 7}},
		Models:   []ModelInfo{{Name: "m", Generation: 1}},
		History:  []Event{{Command: "build", Inputs: []Input{{"a", 1, 2}}}},
	}
	b, err := encodeMeta(m)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	for _, field := range []string{"Spaces", "Settings", "Symbols", "Files"} { // a length of two billion
		for _, head := range []byte{0xDB, 0xDD, 0xDF} {
			b := append([]byte{0x81, 0xA0 | byte(len(field))}, field...)
			f.Add(append(b, head, 0x7F, 0xFF, 0xFF, 0xFF))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := decodeMeta(disk.Dir{Path: "db"}, b)
		if err != nil {
			return
		}
		b, err = encodeMeta(m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decodeMeta(disk.Dir{Path: "db"}, b)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(m, again, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzValues(f *testing.F) {
	e := Entry{Code: testCode(1), Score: 1, Stats: []float64{math.Inf(1)}}
	f.Add(e.Append(nil))
	bm := roaring.BitmapOf(1, 2, 3, 70_000)
	b, _ := bm.ToBytes()
	f.Add(b)
	f.Add([]byte{1, 'a', 0, 2, 'b', 'c'})
	f.Fuzz(func(t *testing.T, b []byte) {
		var e, again Entry
		if e.decode(b, 1) == nil {
			if err := again.decode(e.Append(nil), 1); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(e, again, cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); d != "" {
				t.Fatal(d)
			}
		}
		if bm, err := decodeBitmap(b); err == nil {
			_ = bm.ToArray()
		}
		n := 0
		if symbols, err := appendBlock(nil, b); err == nil {
			for _, s := range symbols {
				n += 1 + len(s)
			}
		}
		if n > len(b) {
			t.Fatalf("%d bytes of symbols in %d", n, len(b))
		}
		_, _, _ = parsePlace(b)
		_, _ = parseNumber(b)
		_ = newestMeta(disk.Dir{Path: "db"}, [][]byte{b})
		_ = commandsAgain([][]byte{b})
	})
}

// TestKeysKeepOrder: the byte order of keys is the order of the numbers in the keys.
func TestKeysKeepOrder(t *testing.T) {
	number := rapid.OneOf(rapid.Uint32Range(0, 200), rapid.Uint32())
	draw := func(t *rapid.T) (parts []uint32, key []byte) {
		p := keyspace{Kind(rapid.IntRange(int(KindLabel), int(KindModel)).Draw(t, "kind")), number.Draw(t, "generation"), number.Draw(t, "number")}
		n := number.Draw(t, "n")
		key = p.numbered(n)
		q, rest, ok := parsePlace(key)
		if m, ok2 := parseNumber(rest); !ok || !ok2 || q != p || m != n {
			t.Fatalf("%+v %d became %+v %d", p, n, q, m)
		}
		if s := p.span(); bytes.Compare(s.lo, key) > 0 || bytes.Compare(key, s.hi) >= 0 {
			t.Fatalf("%x is not in its own span", key)
		}
		return []uint32{uint32(p.kind), p.generation, p.number, n}, key
	}
	rapid.Check(t, func(t *rapid.T) {
		a, ka := draw(t)
		b, kb := draw(t)
		want := 0
		for i := range a {
			if a[i] != b[i] {
				want = map[bool]int{true: -1, false: 1}[a[i] < b[i]]
				break
			}
		}
		got := 0
		switch {
		case string(ka) < string(kb):
			got = -1
		case string(ka) > string(kb):
			got = 1
		}
		if got != want {
			t.Fatalf("%v %x against %v %x", a, ka, b, kb)
		}
	})
}
