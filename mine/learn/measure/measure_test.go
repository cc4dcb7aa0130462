package measure

import (
	"math"
	"testing"
)

func TestOutcomes(t *testing.T) {
	var o Outcomes
	for _, s := range []struct {
		predicted string
		gold      []string
	}{
		{"+1", []string{"1"}},
		{"1", []string{"1.0"}},
		{"1", []string{"-1"}},
		{"-1", []string{"1"}},
		{"-1", []string{"-1"}},
		{"a", []string{"a", "b"}},
		{"", []string{"a"}},
	} {
		o.Add(s.predicted, s.gold)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("accuracy", o.Accuracy(), 4.0/7)
	one, a, b := o.Of("1"), o.Of("a"), o.Of("b")
	near("precision", one.Precision(), 2.0/3)
	near("recall", one.Recall(), 2.0/3)
	near("F1", one.F1(), 2.0/3)
	near("F1 of a", a.F1(), 2.0/3)
	near("F1 of b", b.F1(), 0)
	near("macro F1", o.MacroF1(), (2.0/3+1.0/2+2.0/3+0)/4)
	if n := len(o.Labels()); n != 4 {
		t.Errorf("%d labels", n)
	}
	near("none", new(Outcomes).MacroF1()+new(Outcomes).Accuracy(), 0)
}
