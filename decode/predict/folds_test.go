package predict

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fstore/index"
	"fstore/mine/learn/crossval"
)

func TestReadFolds(t *testing.T) {
	names := []string{"a", "b", "a", "c d"}
	for _, c := range []struct {
		text string
		want crossval.Folds
		bad  string
	}{
		{"a\t7\nb\t2\nc d\t7\n", crossval.Folds{1, 0, 1, 1}, ""},
		{"\ufeffc d\t1\r\n\r\nx\t3\r\na\t0\r\nb\t0\r\na\t0", crossval.Folds{0, 0, 0, 1}, ""},
		{"a\t7\nb 2\n", nil, `F:2: "b 2": expected a sample's name, a tab and the number of its fold`},
		{"a\t-1\n", nil, `F:1: "a\t-1": expected a sample's name, a tab and the number of its fold`},
		{"a\t0\nb\t1\na\t1\n", nil, `F:3: "a" is in two folds, 0 and 1`},
		{"a\t0\nb\t1\n", nil, `F: no fold for the sample "c d"`},
		{"a\t0\xff\n", nil, `F:1: invalid UTF-8 at column 4: expected UTF-8 text`},
	} {
		got, err := ReadFolds(strings.NewReader(c.text), "F", names)
		if c.bad != "" {
			var bad *index.InputError
			if !errors.As(err, &bad) || err.Error() != c.bad {
				t.Errorf("%q: %v, want %s", c.text, err, c.bad)
			}
			continue
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, %v, want %v", c.text, got, err, c.want)
		}
	}
}

// FuzzFolds expects either folds without gaps, or an error about the input.
func FuzzFolds(f *testing.F) {
	f.Add("a\t7\nb\t2\n")
	f.Fuzz(func(t *testing.T, text string) {
		folds, err := ReadFolds(strings.NewReader(text), "F", []string{"a", "b"})
		var bad *index.InputError
		if err != nil && !errors.As(err, &bad) {
			t.Fatal(err)
		}
		if err == nil && (len(folds) != 2 || slices.Min(folds) != 0 || slices.Max(folds) > 1) {
			t.Fatal(folds)
		}
	})
}
