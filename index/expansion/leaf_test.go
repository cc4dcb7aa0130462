package expansion

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"fstore/index"
)

// wide returns codes whose last steps have many leaves. All blocks are in leaf form, except for root 2, which
// has a child with children, and root 6, which is no code. Root 4 has few leaves, and root 5 has one.
func wide(r *rand.Rand) (codes []index.Code) {
	for root := uint32(1); root <= 6; root++ {
		c := index.EncodeSteps(nil, []index.Step{{Sym: root}})
		if root != 6 {
			codes = append(codes, c)
		}
		for off := uint32(0); off < 3; off++ {
			for sym := uint32(1); sym < 300; sym += 1 + r.Uint32N(4) {
				if root == 4 && sym > 10 || root == 5 && (off != 2 || sym != 1) {
					continue
				}
				k := index.Code(index.AppendStep(bytes.Clone(c), index.Step{Off: off, Sym: sym}))
				codes = append(codes, k)
				if root == 2 && sym > 280 {
					codes = append(codes, index.AppendStep(bytes.Clone(k), index.Step{Off: 1, Sym: 7}))
				}
			}
		}
	}
	for sym := uint32(3); sym < 6; sym++ { // first steps with another Off
		codes = append(codes, index.EncodeSteps(nil, []index.Step{{Off: 1, Sym: sym}}))
	}
	return codes
}

// join builds an index of two parts. The second part begins with the code of number `cut`.
func join(t testing.TB, codes []index.Code, cut int) []byte {
	t.Helper()
	var parts []Part
	var blocks []io.Reader
	for _, half := range [][]index.Code{codes[:cut], codes[cut:]} {
		var buf bytes.Buffer
		b := NewBuilder(&buf)
		for _, c := range half {
			if err := b.Add(c); err != nil {
				t.Fatal(err)
			}
		}
		p, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		parts, blocks = append(parts, p), append(blocks, &buf)
	}
	var out bytes.Buffer
	if err := Join(&out, parts, blocks); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestLeafBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	codes := wide(r)
	cut := 0
	for first, _, _ := codes[cut].Next(); first.Sym < 3; first, _, _ = codes[cut].Next() {
		cut++
	}
	data := join(t, codes, cut)
	if whole := join(t, codes, 0); !bytes.Equal(data, whole) {
		t.Fatal("two parts differ from one")
	}
	x, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Verify(); err != nil {
		t.Fatal(err)
	}
	// Each block is in the form that it should be in.
	root := x.Root()
	for sym, want := range map[uint32]bool{1: true, 2: false, 3: true, 4: true, 5: true, 6: false} {
		rec, ok := x.Find(&root, 0, sym)
		if !ok || (rec.N&origin == leaves) != want || rec.Single() != (sym == 5) || rec.MaxOff != 2 {
			t.Errorf("root %d: %+v", sym, rec)
		}
	}
	want := map[string]uint32{}
	for i, c := range codes {
		want[string(c)] = uint32(i + 1)
	}
	// Every code is there, and no other.
	for root1 := uint32(1); root1 < 8; root1++ {
		for off := uint32(0); off < 5; off++ {
			for sym := uint32(1); sym < 310; sym++ {
				steps := []index.Step{{Sym: root1}, {Off: off, Sym: sym}}
				state, ok := x.Root(), true
				for _, st := range steps {
					if ok {
						state, ok = x.Step(&state, st)
					}
				}
				if id := want[string(index.EncodeSteps(nil, steps))]; ok != (id != 0) || ok && state.Out != id {
					t.Fatalf("%v: %+v %v, want %d", steps, state, ok, id)
				}
			}
		}
	}
	for off := uint32(0); off < 3; off++ {
		for sym := uint32(0); sym < 9; sym++ {
			first := index.Step{Off: off, Sym: sym}
			id, want := want[string(index.EncodeSteps(nil, []index.Step{first}))], sym == 6 && off == 0
			if state, ok := x.Step(&root, first); ok != (id != 0 || want) || state.Out != id {
				t.Errorf("%v: %+v %v, want %d", first, state, ok, id)
			}
		}
	}
	// Child and Find return the same children.
	for sym := uint32(1); sym <= 6; sym++ {
		rec, _ := x.Find(&root, 0, sym)
		for i := range x.Ordered(&rec) {
			c := x.Child(&rec, i)
			if found, ok := x.Find(&rec, c.Off, c.Sym); !ok || found != c {
				t.Errorf("root %d, child %d: %+v, found %+v", sym, i, c, found)
			}
		}
	}
	// No changed byte causes a panic, and each is found by Parse or Verify.
	for i := range data {
		for _, flip := range []byte{1, 0x80, 0xFF} {
			data[i] ^= flip
			if y, err := Parse(bytes.Clone(data)); err == nil {
				root := y.Root()
				for sym := uint32(1); sym <= 6; sym++ {
					if rec, ok := y.Find(&root, 0, sym); ok {
						y.Find(&rec, 1, 40)
						y.Find(&rec, 2, 290)
						for i := range y.Ordered(&rec) {
							y.Child(&rec, i)
						}
					}
				}
				if y.Verify() == nil {
					t.Fatalf("byte %d changed, and the checksum is right", i)
				}
			}
			data[i] ^= flip
		}
	}
}
