package index

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// TestPath compares the number of shared steps with a simple count.
func TestPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.Custom(func(t *rapid.T) Step {
			number := rapid.SampledFrom([]uint32{0, 1, 2, 127, 128, 129, 20_000, 1 << 30})
			return Step{number.Draw(t, "off"), number.Draw(t, "sym")}
		})
		var p Path
		var before []Step
		for range 10 {
			steps := append(firstSteps(rapid.IntRange(0, len(before)).Draw(t, "keep"), before),
				rapid.SliceOfN(step, 0, 12).Draw(t, "steps")...)
			c := EncodeSteps(nil, steps)
			want := 0
			for want < min(len(steps), len(before)) && steps[want] == before[want] {
				want++
			}
			if got := p.Follow(c); got != want || !bytes.Equal(p.Code(), c) {
				t.Fatalf("%v after %v share %d, want %d", steps, before, got, want)
			}
			for n := range len(steps) + 1 {
				if want := len(EncodeSteps(nil, steps[:n])); p.End(n) != want {
					t.Fatalf("%d steps end at %d, want %d", n, p.End(n), want)
				}
			}
			before = steps
		}
	})
}

// firstSteps is a copy of the first n steps.
func firstSteps(n int, steps []Step) []Step { return append([]Step(nil), steps[:n]...) }
