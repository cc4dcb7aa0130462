package crossval

import (
	"testing"
)

func TestBest(t *testing.T) {
	trial := func(c float64, right int) Trial {
		x := Trial{C: c}
		for i := range 10 {
			label := "a"
			if i >= right {
				label = "b"
			}
			x.Outcomes.Add(label, []string{"a"})
		}
		return x
	}
	if got := Best([]Trial{trial(10, 8), trial(1, 9), trial(0.1, 9), trial(100, 7)}); got != 2 {
		t.Errorf("trial %d is the best", got)
	}
}
