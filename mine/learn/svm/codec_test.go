package svm

import (
	"bytes"
	"context"
	"testing"
)

// Reading any bytes does not panic. A model that was read is written, and read again as the same model.
func FuzzDecode(f *testing.F) {
	st := open(f, 3, 12, "x", "y", "z")
	s, err := st.Symbols()
	if err != nil {
		f.Fatal(err)
	}
	o := Options{Config: kernelOf(f, "stk", 0.4, true)}
	for _, learn := range []func() (*Model, *Report, error){
		func() (*Model, *Report, error) { return Train(context.Background(), st, o) },
		func() (*Model, *Report, error) { return TrainPerceptron(context.Background(), st, o) },
	} {
		m, _, err := learn()
		if err != nil {
			f.Fatal(err)
		}
		b := m.Append(nil)
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Decode(b, s)
		if err != nil {
			return
		}
		again, err := Decode(m.Append(nil), s)
		if err != nil || !bytes.Equal(again.Append(nil), m.Append(nil)) {
			t.Errorf("%v", err)
		}
	})
}
