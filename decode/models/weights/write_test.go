package weights

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fstore/mine/learn/classes"
	"fstore/mine/learn/linear"
)

// predicted returns the label of a vector that has these values for all features.
func predicted(m *linear.Model, values []float64) (string, []float64) {
	ids := make([]uint32, len(values))
	for i := range ids {
		ids[i] = uint32(i + 1)
	}
	scores := make([]float64, m.Scores())
	linear.NewScorer(m).Score(scores, ids, values)
	return classes.Predict(m.Labels, scores), scores
}

// A model that was written reads back as a model with exactly the same scores.
func TestWrite(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		labels := [][]string{{"1", "2"}, {"2", "1"}, {"3", ""}, {"1", "2", "3"}, {"10", "7", "8", "9"}}[r.IntN(5)]
		n := len(labels)
		if n == 2 {
			n = 1
		}
		dense := make([][]float64, n)
		for k := range dense {
			for range 6 {
				x := 0.0
				if r.IntN(3) > 0 {
					x = r.NormFloat64() * math.Pow(10, float64(r.IntN(40)-20))
				}
				dense[k] = append(dense[k], x)
			}
		}
		m := linear.NewModel(labels, dense, 1)
		for _, form := range []struct {
			write func(*bytes.Buffer) error
			read  func(*bytes.Buffer) (*linear.Model, error)
		}{
			{func(b *bytes.Buffer) error { return WriteTable(b, m) }, func(b *bytes.Buffer) (*linear.Model, error) { return ReadTable(b, "F") }},
			{func(b *bytes.Buffer) error { return WriteLIBLINEAR(b, m, "L2R_LR", labels) }, func(b *bytes.Buffer) (*linear.Model, error) { return ReadLIBLINEAR(b, "F") }},
		} {
			var b bytes.Buffer
			if err := form.write(&b); err != nil {
				if !slices.Contains(labels, "") {
					t.Fatal(err)
				}
				continue // LIBLINEAR has no class that is any other
			}
			text := b.String()
			got, err := form.read(&b)
			if err != nil {
				t.Fatalf("seed %d: %v of\n%s", seed, err, text)
			}
			for range 5 {
				values := make([]float64, 5)
				for i := range values {
					values[i] = float64(r.IntN(3))
				}
				a, want := predicted(m, values)
				z, have := predicted(got, values)
				for k, l := range m.Labels[:n] {
					score := 0.0
					if at := slices.Index(got.Labels, l); at < len(have) {
						score = have[at]
					} else {
						score = -have[0] // the other of two
					}
					if score != want[k] {
						t.Fatalf("seed %d: label %s scores %v, want %v\n%s", seed, l, score, want[k], text)
					}
				}
				if a != z && want[0] != 0 {
					t.Fatalf("seed %d: predicted %s, want %s\n%s", seed, z, a, text)
				}
			}
		}
	}
	m := linear.NewModel([]string{"a\tb", "c"}, [][]float64{{1, 2}}, 1)
	if WriteTable(&bytes.Buffer{}, m) == nil || WriteLIBLINEAR(&bytes.Buffer{}, m, "L2R_LR", []string{"a", "1"}) == nil {
		t.Error("no error for a label that cannot be written")
	}
}
