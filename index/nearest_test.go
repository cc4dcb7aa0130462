package index

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	long := strings.Repeat("x", 8<<20)
	names := []string{"nsubj", "NSUBJ:pass", "obj", "obl", "x", long, ""}
	for _, c := range []struct {
		name string
		want []string
	}{
		{"nsubjj", []string{"nsubj"}},
		{"Obj", []string{"obj", "obl"}},
		{"nsubj:pass", []string{"NSUBJ:pass"}},
		{"verb", nil},
		{"", nil},
		{long, nil}, // and that at once
	} {
		if got := Nearest(c.name, names); !slices.Equal(got, c.want) {
			t.Errorf("%.20q: %q, want %q", c.name, got, c.want)
		}
	}
}
