package where

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fstore/cli/table"
	"fstore/index"
)

var columns = []table.Column{
	{Name: "fragment"},
	{Name: "order", Kind: table.Uint},
	{Name: "support", Kind: table.Uint},
	{Name: "occurrences", Kind: table.Uint},
	{Name: "support:news", Kind: table.Uint},
	{Name: `support:it's "so"`, Kind: table.Uint},
	{Name: "chi2", Kind: table.Float},
	{Name: "delta", Kind: table.Int},
}

func row() *table.Row {
	r := table.NewRow(len(columns))
	r.SetString(0, "(NP (DT the) (NN))")
	r.SetUint(1, 2)
	r.SetUint(2, 1204)
	r.SetUint(3, 1500)
	r.SetUint(4, 7)
	r.SetUint(5, 3)
	r.SetFloat(6, 10.5)
	r.SetInt(7, -4)
	return r
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		expr string
		want bool
		uses string
	}{
		{`support >= 10 && order <= 3 && by["news"] > 3 && fragment contains "(DT the)"`, true, "fragment order support support:news"},
		{`by["news"] > 7`, false, "support:news"},
		{`by.news == 7`, true, "support:news"},
		{`by['it\'s "so"'] == 3`, true, `support:it's "so"`},
		{`freq == 1500`, true, "occurrences"},
		{`freq / support > 1.2`, true, "support occurrences"},
		{`chi2 > 10`, true, "chi2"},
		{`chi2 > 10 and delta < 0`, true, "chi2 delta"},
		{`abs(delta) == 4`, true, "delta"},
		{`order in [1, 2]`, true, "order"},
		{`order in 3..5`, false, "order"},
		{`fragment matches "^\\(NP"`, true, "fragment"},
		{`fragment startsWith "(VP" || not (support < 5)`, true, "fragment support"},
		{`let x = support * 2; x == 2408`, true, "support"},
		{`order == 2.0`, true, "order"},
		{`true`, true, ""},
	} {
		f, err := Compile(c.expr, columns)
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		var uses []string
		for _, i := range f.Uses() {
			uses = append(uses, columns[i].Name)
		}
		if got := strings.Join(uses, " "); got != c.uses {
			t.Errorf("%s uses %q, want %q", c.expr, got, c.uses)
		}
		for range 2 {
			got, err := f.Match(t.Context(), row())
			if err != nil || got != c.want {
				t.Errorf("%s = %v, %v; want %v", c.expr, got, err, c.want)
			}
		}
	}
}

func TestMatchUnset(t *testing.T) {
	empty := table.NewRow(len(columns))
	for expr, want := range map[string]bool{
		`chi2 > 0 || chi2 <= 0`: false,
		`support == 0`:          true,
		`fragment == ""`:        true,
	} {
		f, err := Compile(expr, columns)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Match(t.Context(), empty); got != want || err != nil {
			t.Errorf("%s = %v, %v; want %v", expr, got, err, want)
		}
	}
}

func TestUsageErrors(t *testing.T) {
	for expr, want := range map[string]string{
		`suport > 3`:                 `unknown column suport: did you mean support? (columns: fragment, order, support, occurrences, support:news,`,
		`by["nws"] > 3`:              `unknown label "nws" (labels: news, it's "so")`,
		`by["new" + "s"] > 3`:        `by wants a label`,
		`len(by) > 3`:                `by wants a label`,
		`support`:                    `expected bool, but got int`,
		`support >`:                  `unexpected token EOF`,
		`support > "a"`:              `(at character 9)`,
		`fragment + 1 == 2`:          `mismatched types string and int`,
		``:                           `unexpected token EOF`,
		`now() > date("2020-01-01")`: `now`,
		`nosuch(support) > 1`:        `nosuch`,
	} {
		_, err := Compile(expr, columns)
		var u *index.UsageError
		if !errors.As(err, &u) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v\nwant a usage error of one line with %q", expr, err, want)
		}
	}
	f, err := Compile(`split(fragment, " ")[support] == "x"`, columns)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Match(t.Context(), row())
	var u *index.UsageError
	if !errors.As(err, &u) || !strings.Contains(err.Error(), "out of range") {
		t.Errorf("run-time error: %v", err)
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, e := range []string{`support >= 10`, `support >= 10 && order <= 3 && by["news"] > 3`, `fragment contains "(DT the)"`} {
		b.Run(e, func(b *testing.B) {
			f, err := Compile(e, columns)
			if err != nil {
				b.Fatal(err)
			}
			r := row()
			b.ReportAllocs()
			for b.Loop() {
				if ok, err := f.Match(b.Context(), r); !ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}

func TestLongExpressions(t *testing.T) {
	for _, begin := range []string{"(", "-", "[", "!", "not ", "{a:", "true?", "2**", "any([1],"} {
		for _, n := range []int{5_000, 29_000, 3_000_000} {
			_, err := Compile(strings.Repeat(begin, n), columns)
			if u := (*index.UsageError)(nil); !errors.As(err, &u) || len(err.Error()) > 500 {
				t.Fatalf("%d %s: %.1000v", n, begin, err)
			}
		}
	}
}

func TestMatchNamesRow(t *testing.T) {
	for expr, want := range map[string]string{
		`support % 0 == 1`:            `--where support % 0 == 1: row (NP (DT the) (NN)): % by 0 (at character 9)`,
		`1 > 0 && order % (2-2) > 1`:  `--where 1 > 0 && order % (2-2) > 1: row (NP (DT the) (NN)): % by 0 (at character 16)`,
		`any([1], # % delta % 0 > 1)`: `--where any([1], # % delta % 0 > 1): row (NP (DT the) (NN)): % by 0 (at character 20)`,
	} {
		f, err := Compile(expr, columns)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = f.Match(t.Context(), row()); err == nil || err.Error() != want {
			t.Errorf("%s: %v", expr, err)
		}
	}
}

// The evaluation of a row can take hours. It ends when the context ends.
func TestMatchInterrupted(t *testing.T) {
	f, err := Compile(`let a = 1..20000; all(a, all(a, # > 0))`, columns)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := f.Match(ctx, row()); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

func TestEquals(t *testing.T) {
	columns := []table.Column{{Name: "fragment"}, {Name: "label"}, {Name: "order", Kind: table.Uint}}
	for source, want := range map[string][]string{
		`fragment == "A"`: {"A"},
		`"A" == fragment && order > 2 || fragment == "B"`: {"A", "B"},
		`fragment in ["B", "A"] && label == "C"`:          {"A", "B"},
		`fragment != "A"`:                                 nil,
		`fragment contains "A"`:                           nil,
		`order == 2`:                                      nil,
		`not (fragment in ["A"])`:                         {"A"},
		`fragment == "A" + "B"`:                           {"AB"},
	} {
		f, err := Compile(source, columns)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Equals("fragment"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

func TestAtLeast(t *testing.T) {
	columns := []table.Column{{Name: "fragment"}, {Name: "support", Kind: table.Uint}, {Name: "order", Kind: table.Uint}}
	for source, want := range map[string]uint64{
		`support >= 10`: 10, `support > 10`: 11, `support == 10`: 10, `10 <= support`: 10, `10 < support`: 11,
		`support >= 5 && order < 3 && support > 8`: 9, `order > 3 && (support >= 7 && fragment contains "A")`: 7,
		`support >= 10 || order == 1`: 0, `support <= 10`: 0, `not (support > 10)`: 0, `support != 10`: 0, `10 >= support`: 0,
		`support > order`: 0, `support + 1 >= 10`: 0, `support in 10..20`: 10, `support >= -3`: 0, `(support >= 4 && order > 1) == false`: 0,
	} {
		f, err := Compile(source, columns)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.AtLeast("support"); got != want {
			t.Errorf("%s: %d, want %d", source, got, want)
		}
	}
}
