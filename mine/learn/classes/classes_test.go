package classes

import (
	"slices"
	"testing"
)

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		names    []string
		positive string
		labels   []string
		machines int // 0 means that Plan returns an error
	}{
		{nil, "", nil, 0},
		{[]string{"a"}, "", nil, 0},
		{[]string{"a", "b"}, "c", nil, 0},
		{[]string{"a", "b"}, "", []string{"a", "b"}, 1},
		{[]string{"a", "b"}, "b", []string{"b", "a"}, 1},
		{[]string{"+1", "-1"}, "", []string{"+1", "-1"}, 1},
		{[]string{"-1", "1"}, "", []string{"1", "-1"}, 1},
		{[]string{"-1", "1"}, "-1", []string{"-1", "1"}, 1},
		{[]string{"1", "a"}, "", []string{"1", "a"}, 1},
		{[]string{"a", "b", "c"}, "", []string{"a", "b", "c"}, 3},
		{[]string{"a", "b", "c"}, "b", []string{"b", ""}, 1},
	} {
		labels, n, err := Plan(c.names, c.positive)
		if (err != nil) != (c.machines == 0) || n != c.machines || !slices.Equal(labels, c.labels) {
			t.Errorf("%q, positive %q: %q, %d, %v", c.names, c.positive, labels, n, err)
		}
	}
}

func TestSignsAndNames(t *testing.T) {
	samples := [][]string{{"b"}, {"a", "b"}, {"a"}}
	if got := Names(samples); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("names %q", got)
	}
	if got := Signs(samples, "b"); !slices.Equal(got, []float64{1, 1, -1}) {
		t.Errorf("signs %v", got)
	}
}

func TestPredict(t *testing.T) {
	three := []string{"a", "b", "c"}
	for _, c := range []struct {
		labels []string
		scores []float64
		want   string
	}{
		{[]string{"+1", "-1"}, []float64{0.5}, "+1"},
		{[]string{"+1", "-1"}, []float64{0}, "-1"},
		{[]string{"a", ""}, []float64{-1}, ""},
		{three, []float64{-2, -1, -1}, "b"},
		{three, []float64{0, 0, 0}, "a"},
	} {
		if got := Predict(c.labels, c.scores); got != c.want {
			t.Errorf("%q %v: %q, want %q", c.labels, c.scores, got, c.want)
		}
	}
}

func TestGold(t *testing.T) {
	for _, c := range []struct{ labels, own, want []string }{
		{[]string{"a", ""}, []string{"b"}, []string{""}},
		{[]string{"a", ""}, []string{"b", "a"}, []string{"b", "a"}},
		{[]string{"a", "b"}, []string{"b"}, []string{"b"}},
		{[]string{"a", "b", "c"}, []string{"b"}, []string{"b"}},
	} {
		if got := Gold(c.labels, c.own); !slices.Equal(got, c.want) {
			t.Errorf("%q of %q: %q, want %q", c.own, c.labels, got, c.want)
		}
	}
}

func TestPrices(t *testing.T) {
	signs := []float64{1, -1, 1}
	weight := map[string]float64{"a": 3, "b": 5}
	for _, c := range []struct {
		labels []string
		k      int
		want   []float64
	}{
		{[]string{"a", "b"}, 0, []float64{6, 10, 6}},
		{[]string{"a", ""}, 0, []float64{6, 2, 6}},
		{[]string{"a", "b", "c"}, 1, []float64{10, 2, 10}},
		{[]string{"a", "b", "c"}, 2, []float64{2, 2, 2}},
	} {
		if got := Prices(signs, c.labels, c.k, 2, weight); !slices.Equal(got, c.want) {
			t.Errorf("%q, machine %d: %v, want %v", c.labels, c.k, got, c.want)
		}
	}
}
