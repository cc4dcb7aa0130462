package query_test

import (
	"errors"
	"strings"
	"testing"

	"fstore/index"
	"fstore/mine/query"
)

func TestUnknownLabel(t *testing.T) {
	genres := []string{"Recipe", "letter", "letters", "news"}
	many := make([]string, 20)
	for i := range many {
		many[i] = string(rune('a' + i))
	}
	for _, c := range []struct {
		label  string
		labels []string
		want   string
	}{
		{"lettre", genres, "the store has no label lettre: did you mean letter or letters?"},
		{"recipe", genres, "the store has no label recipe: did you mean Recipe?"},
		{"blog", genres, "the store has no label blog: it has Recipe, letter, letters, news"},
		{"x", nil, "the store has no label x: it has none"},
		{"blog", many, "the store has no label blog: it has 20 others (fstore info lists them)"},
	} {
		if _, err := query.FindLabel(c.label, c.labels); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	tab := table(t, "stk")
	var unknown *index.UsageError
	if _, err := tab.FindLabel("z"); !errors.As(err, &unknown) {
		t.Error(err)
	}
	if _, err := tab.FindLabel("x"); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{"y": "y", "y,x": "y,x", "x,y,x": "x,y"} {
		if got, err := tab.FindUnion(text); err != nil || strings.Join(got, ",") != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "x,", ",x", "x,z", "x y"} {
		if _, err := tab.FindUnion(text); !errors.As(err, &unknown) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
