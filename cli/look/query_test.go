package look

import (
	"math"
	"testing"

	"github.com/alecthomas/kong"
)

func TestOrderRange(t *testing.T) {
	for text, want := range map[string]orderRange{"3": {3, 3}, "2-4": {2, 4}, "2-": {2, math.MaxInt}, "-4": {1, 4}} {
		var got struct{ Order orderRange }
		p, err := kong.New(&got)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Parse([]string{"--order=" + text}); err != nil || got.Order != want {
			t.Errorf("%s: %+v, %v", text, got.Order, err)
		}
	}
}
