package linear

import (
	"context"
	"math/rand/v2"
	"testing"
)

// BenchmarkTrain trains each learner on 2,000 samples of 300 features.
func BenchmarkTrain(b *testing.B) {
	s := randomSamples(rand.New(rand.NewPCG(1, 1)), 2000, 300, 2, 1)
	for _, l := range Learners() {
		b.Run(l.Name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Train(context.Background(), l, s, Options{Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
