package expansion_test

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/spacetest"
)

// Parts that share first steps are written and read back. Joined, they have the same bytes as one index of
// all codes.
func TestJoinShared(t *testing.T) {
	trees, syms := spacetest.Corpus(spacetest.Brackets, 12, 30, 9)
	for _, name := range []string{"stk", "sstbow", "ptk", "seq", "emb", "tag"} {
		space := spaceNamed(t, name)
		codes := codesOf(t, space, trees, syms)
		slices.SortFunc(codes, func(a, b index.Code) int { return bytes.Compare(a, b) })
		join := func(shared bool, cuts ...[]index.Code) []byte {
			var parts []expansion.Part
			var blocks []io.Reader
			for _, part := range cuts {
				var w bytes.Buffer
				b := expansion.NewBuilderOf(&w, space, syms)
				b.Shared = shared
				for _, c := range part {
					if err := b.Add(c); err != nil {
						t.Fatal(err)
					}
				}
				p, err := b.Finish()
				if err == nil {
					p, err = expansion.ReadPart(p.Append(nil), b.Width)
				}
				if err != nil {
					t.Fatal(err)
				}
				parts, blocks = append(parts, p), append(blocks, &w)
			}
			var out bytes.Buffer
			if err := expansion.Join(&out, parts, blocks); err != nil {
				t.Fatal(err)
			}
			return out.Bytes()
		}
		var cuts [][]index.Code // each first step by itself, and below it runs of codes
		for i, c := range codes {
			first, _, _ := c.Next()
			if i > 0 {
				if before, _, _ := codes[i-1].Next(); before == first && secondOf(codes[i-1]) == secondOf(c) {
					cuts[len(cuts)-1] = append(cuts[len(cuts)-1], c)
					continue
				}
			}
			cuts = append(cuts, nil, []index.Code{c})
		}
		if len(cuts) < 6 {
			t.Fatalf("%s: %d parts", name, len(cuts))
		}
		if !bytes.Equal(join(false, codes), join(true, cuts...)) {
			t.Errorf("%s: another index of shared parts", name)
		}
	}
}

// secondOf returns the second step of a code, or the zero step if there is none.
func secondOf(c index.Code) (second index.Step) {
	_, rest, _ := c.Next()
	if len(rest) > 0 {
		second, _, _ = rest.Next()
	}
	return second
}

// FuzzPart reads any bytes as a part. A part must stay the same when it is written and read again.
func FuzzPart(f *testing.F) {
	var w bytes.Buffer
	b := expansion.NewBuilder(&w)
	for sym := range uint32(20) {
		if err := b.Add(index.EncodeSteps(nil, []index.Step{{Sym: 1 + sym/5}, {Sym: 1 + sym}})); err != nil {
			f.Fatal(err)
		}
	}
	p, err := b.Finish()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(p.Append(nil))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := expansion.ReadPart(raw, nil)
		if err != nil {
			return
		}
		again, err := expansion.ReadPart(p.Append(nil), nil)
		if err != nil || !bytes.Equal(again.Append(nil), p.Append(nil)) {
			t.Errorf("another part: %v", err)
		}
	})
}
