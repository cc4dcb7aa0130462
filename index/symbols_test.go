package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A symbol table numbers distinct strings from 1, also after growth and rollbacks.
func TestTableIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSymbols()
		var list []string
		frozen := -1 // nothing is forgotten before Freeze
		check := func(b string) {
			want := uint32(0)
			for i, x := range list {
				if x == b {
					want = uint32(i + 1)
				}
			}
			if got := s.Lookup(Words, []byte(b)); got != want {
				t.Fatalf("Lookup(%q) = %d, want %d", b, got, want)
			}
			if want > 0 && s.Text(Words, want) != b {
				t.Fatalf("Text(%d) = %q, want %q", want, s.Text(Words, want), b)
			}
		}
		word := rapid.Custom(func(t *rapid.T) string {
			w := fmt.Sprint(rapid.IntRange(0, 600).Draw(t, "n"))
			return strings.Repeat(w, rapid.SampledFrom([]int{0, 1, 1, 1, 90}).Draw(t, "long"))
		})
		t.Repeat(map[string]func(*rapid.T){
			"intern": func(t *rapid.T) {
				for range rapid.IntRange(1, 40).Draw(t, "times") {
					w := word.Draw(t, "word")
					if s.Lookup(Words, []byte(w)) == 0 {
						list = append(list, w)
					}
					s.Intern(Words, []byte(w))
					check(w)
				}
			},
			"freeze": func(*rapid.T) { s.Freeze(); frozen = len(list) },
			"rollback": func(*rapid.T) {
				s.Rollback()
				if frozen >= 0 {
					list = list[:frozen]
				}
			},
			"overlay": func(*rapid.T) { s = s.Overlay(); frozen = len(list) },
			"":        func(t *rapid.T) { check(word.Draw(t, "word")) },
		})
		for _, w := range list {
			check(w)
		}
		if s.Len(Words) != len(list) {
			t.Fatalf("%d strings, want %d", s.Len(Words), len(list))
		}
	})
}

// An overlay sees the symbols of its base and adds its own. Undo of a tree removes the added symbols.
func TestOverlay(t *testing.T) {
	base := NewSymbols()
	label := base.Intern(Labels, []byte("NP"))
	known := base.InternProduction(label, []Child{{Sym: label}, {Sym: base.Intern(Words, []byte("the")), Word: true}})
	s := base.Overlay()
	build := func() (prod uint32) {
		b, tree := Builder{Symbols: s}, Tree{}
		b.Start(&tree, false)
		vp := s.Intern(Labels, []byte("VP"))
		prod = s.InternProduction(vp, []Child{{Sym: label}, {Sym: vp}, {Sym: label}})
		if s.Arity(prod) != 3 || s.Arity(known) != 1 {
			t.Errorf("arities %d and %d, want 3 and 1", s.Arity(prod), s.Arity(known))
		}
		b.Undo()
		return prod
	}
	first := build()
	if again := build(); again != first || first != known+1 {
		t.Errorf("production %d, then %d; the base ends at %d", first, again, known)
	}
	if s.Len(Labels) != 1 || s.Len(Productions) != 1 || s.Text(Labels, label) != "NP" {
		t.Errorf("%d labels and %d productions are left", s.Len(Labels), s.Len(Productions))
	}
}

// Numbers sort as their bytes do, and have one form.
func TestOrderedNumbers(t *testing.T) {
	edges := []uint32{0, 1, base2 - 1, base2, base3 - 1, base3, base4 - 1, base4, base5 - 1, base5, 1<<32 - 1}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		edges = append(edges, r.Uint32()>>r.IntN(32))
	}
	for _, a := range edges {
		x := AppendOrdered(nil, a)
		if v, n := Ordered(append(x, 7)); v != a || n != len(x) {
			t.Fatalf("%d reads back as %d, %d bytes of %x", a, v, n, x)
		}
		for k := range x {
			if _, n := Ordered(x[:k]); n != 0 {
				t.Fatalf("%x cut to %d bytes reads", x, k)
			}
		}
		b := edges[r.IntN(len(edges))]
		if y := AppendOrdered(nil, b); strings.Compare(string(x), string(y)) != map[bool]int{a < b: -1, a > b: 1}[true] {
			t.Fatalf("%d is %x, %d is %x", a, x, b, y)
		}
	}
}

// If Ordered reads a number from some bytes, AppendOrdered writes the number as the same bytes.
func FuzzOrdered(f *testing.F) {
	f.Add([]byte{0xF0, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		v, n := Ordered(b)
		if n == 0 {
			return
		}
		if got := AppendOrdered(nil, v); string(got) != string(b[:n]) {
			t.Fatalf("%x reads as %d, which is %x", b[:n], v, got)
		}
	})
}

// Any bytes that are escaped as text are read back unchanged.
func FuzzEscapes(f *testing.F) {
	f.Add([]byte("a (b)\\\t\x00\x7f\r\n"))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		text := AppendEscaped(nil, b)
		if strings.ContainsAny(string(text), " \t\r\n\x00") || len(text) == 0 {
			t.Fatalf("%q is written %q", b, text)
		}
		back, err := AppendUnescaped(nil, text)
		if err != nil || string(back) != string(b) {
			t.Fatalf("%q is written %q and read %q, %v", b, text, back, err)
		}
		_, _ = AppendUnescaped(nil, b)
	})
}
