package linear

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func models() []*Model {
	v := Vectors{Space: "stk", Weight: "kernel", Normalize: "l2", Lambda: 0.4}
	return []*Model{
		{Vectors: v, Labels: []string{"+1", "-1"}, Features: 9, ID: []uint32{0, 3, 9}, Weight: []float64{-1, 0.5, 1e-300}},
		{Vectors: v, Labels: []string{"a", ""}, Features: 1, ID: []uint32{1}, Weight: []float64{2}},
		{Vectors: v, Labels: []string{"a", "b", "c"}, Features: 300, ID: []uint32{2, 300}, Weight: []float64{1, 0, 2, 3, 4, 5}},
	}
}

func TestCodec(t *testing.T) {
	for _, m := range models() {
		b := m.Append(nil)
		got, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(m, got); d != "" {
			t.Error(d)
		}
		for n := range b {
			if _, err := Decode(b[:n]); err == nil {
				t.Errorf("the first %d of %d bytes are a model", n, len(b))
			}
		}
		if _, err := Decode(append(b, 0)); err == nil {
			t.Error("a byte too many, and no error")
		}
	}
}

// FuzzDecode wants a model that was read to be written as the same bytes.
func FuzzDecode(f *testing.F) {
	for _, m := range models() {
		f.Add(m.Append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Decode(m.Append(nil))
		if err != nil || !bytes.Equal(again.Append(nil), m.Append(nil)) {
			t.Fatalf("%+v and then %+v, %v", m, again, err)
		}
	})
}
