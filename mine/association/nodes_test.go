package association

import (
	"math"
	"testing"
)

// A tree of three nodes occurs four times. Its nodes occur 20, 10 and 5 times among 100 nodes.
func TestNodes(t *testing.T) {
	x := Nodes{Observed: 4, Each: []float64{20, 10, 5}, N: 100}
	for i, c := range [...][2]float64{
		{x.Expected(), .1},
		{x.MI(), math.Log2(40)},
		{x.MI3(), math.Log2(640)},
		{x.Dice(), 12.0 / 35},
		{x.LogDice(), 14 + math.Log2(12.0/35)},
		{x.TScore(), 3.9 / 2},
		{x.G2(), 2 * (4*math.Log(40) - 3.9)},
		{x.SimpleLL(), 2 * (4*math.Log10(40) - 3.9)},
	} {
		if !near(c[0], c[1]) {
			t.Errorf("measure %d: %v, want %v", i, c[0], c[1])
		}
	}
}
