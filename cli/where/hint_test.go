package where

import (
	"strings"
	"testing"
)

// For an operator of another language, the error suggests the operator of this language.
func TestHints(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`order = 3`, `--where order = 3: write order == 3`},
		{`support:news > 3`, `--where support:news > 3: write by["news"] > 3`},
		{`support:"news">3`, `--where support:"news">3: write by["news"]>3`},
		{`order <> 3`, `write order != 3`},
		{`order => 3 & support =< 9`, `write order >= 3 && support <= 9`},
		{`order >= 3 AND NOT support = 2`, `write order >= 3 && ! support == 2 (and then: `},
		{`support > 1 | order = 2`, `write support > 1 || order == 2`},
		{`fragment = "a = b"`, `write fragment == "a = b"`},
		{`fragment = 'it\'s = b'`, `write fragment == 'it\'s = b'`},
		{`support:nws > 3`, `write by["nws"] > 3 (and then: unknown label "nws" (labels: news, it's "so"))`},
		{`label = "news"`, `write label == "news" (and then: unknown column label: by["news"] > 0 asks for samples with a label (labels: news, it's "so"))`},
		{`label == "news"`, `unknown column label: by["news"] > 0 asks for samples with a label`},
		{`fragment contains “(NP”`, `write fragment contains "(NP"`},
		{`fragment==‘a “b”’`, `write fragment=='a "b"'`},
		{`fragment startswith "(NP"`, `write fragment startsWith "(NP"`},
		{`startswith(fragment, "(NP")`, `startsWith stands between two texts, as in fragment startsWith "(NP"`},
		{`order > 2 && fragment.contains("(NP")`, `contains stands between two texts`},
		{`order > 2; support > 3`, `only the last would count: write && (both)`},
		{`fragment contains NP`, `--where fragment contains NP: write fragment contains "NP"`},
		{`fragment == (NP N) and support > 3`, `write fragment == "(NP N)" and support > 3`},
		{`fragment contains (NP && by[news] > 3`, `write fragment contains "(NP" && by["news"] > 3`},
		{`suport > 3`, `unknown column suport: did you mean support? (columns: `},
		{`let x = 3; x = 4`, `--where let x = 3; x = 4: unexpected token`},
	} {
		_, err := Compile(c.source, columns)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.source, err, c.want)
		}
	}
}

// An expression that looks for a text differs from an expression that excludes this text.
func TestSeeks(t *testing.T) {
	for source, want := range map[string]bool{
		`fragment == "(NP)"`:                         true,
		`fragment contains "(NP" && order < 3`:       true,
		`order < 3`:                                  false,
		`fragment != "(NP)"`:                         false,
		`not (fragment contains "(NP")`:              false,
		`fragment not contains "(NP"`:                false,
		`(fragment contains "(NP") == false`:         false,
		`len(fragment) < 5`:                          false,
		`order < 3 ? fragment contains "a" : true`:   false,
		`fragment in ["(NP)", "(VP)"] && !(order>3)`: true,
		`lower(fragment) contains "np"`:              true,
	} {
		f, err := Compile(source, columns)
		if err != nil {
			t.Fatal(err)
		}
		if f.Seeks("fragment") != want {
			t.Errorf("%s: %v", source, !want)
		}
	}
}
