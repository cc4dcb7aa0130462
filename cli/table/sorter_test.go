package table

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
)

func TestParseOrder(t *testing.T) {
	columns := []Column{{Name: "fragment"}, {Name: "support", Kind: Uint}, {Name: "support:desc", Kind: Uint}, {Name: "chi2", Kind: Float}}
	for spec, want := range map[string]Order{
		"support":           {1, true},
		"support:asc":       {1, false},
		"support:desc":      {2, true}, // the column of a label "desc"
		"support:desc:asc":  {2, false},
		"chi2:desc":         {3, true},
		"fragment":          {0, false},
		"fragment:desc":     {0, true},
		"support:desc:desc": {2, true},
	} {
		if got, err := ParseOrder(spec, columns); got != want || err != nil {
			t.Errorf("%s: %v, %v; want %v", spec, got, err, want)
		}
	}
	for _, spec := range []string{"", "suport", "suport:asc", "support:up", ":asc"} {
		_, err := ParseOrder(spec, columns)
		var u *index.UsageError
		if !errors.As(err, &u) || !strings.Contains(err.Error(), "fragment, support, support:desc, chi2") {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

// testRow is a row of the columns text, n, d, x and tie; nil is unset.
type testRow [5]any

func (v testRow) fill(r *Row) {
	r.Clear()
	for i, c := range v {
		switch c := c.(type) {
		case string:
			r.SetString(i, c)
		case uint64:
			r.SetUint(i, c)
		case int64:
			r.SetInt(i, c)
		case float64:
			r.SetFloat(i, c)
		}
	}
}

// randomRows returns rows of few different values, so that equal rows and unset cells are common.
func randomRows(rng *rand.Rand, n int) []testRow {
	pick := func(values ...any) any { return values[rng.IntN(len(values))] }
	rows := make([]testRow, n)
	for i := range rows {
		rows[i] = testRow{
			pick("", "a", "a\x00", "abcdefgh", "abcdefghi", "abcdefgha", "b", nil),
			pick(uint64(0), uint64(1), uint64(300), uint64(math.MaxUint64), nil),
			pick(int64(0), int64(-1), int64(math.MinInt64), int64(math.MaxInt64), nil),
			pick(0.0, math.Copysign(0, -1), -1.5, 1.5, math.Inf(1), math.Inf(-1), math.NaN(), nil),
			pick("", "x", "y"),
		}
	}
	return rows
}

// reference compares two rows as the documentation of Sorter says.
func reference(a, b testRow, o Order, tie int) int {
	one := func(x, y any) int {
		switch x := x.(type) {
		case string:
			return cmp.Compare(x, y.(string))
		case uint64:
			return cmp.Compare(x, y.(uint64))
		case int64:
			return cmp.Compare(x, y.(int64))
		case float64:
			return cmp.Compare(x+0, y.(float64)+0)
		}
		return 0
	}
	last := func(x any) bool {
		f, ok := x.(float64)
		return x == nil || ok && math.IsNaN(f)
	}
	x, y := a[o.Column], b[o.Column]
	switch {
	case last(x) != last(y):
		if last(x) {
			return 1
		}
		return -1
	case !last(x):
		c := one(x, y)
		if o.Descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	if tie >= 0 {
		return one(a[tie], b[tie])
	}
	return 0
}

func TestSorter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		rows := randomRows(rng, 1+rng.IntN(12_000)*(trial%10/9))
		if trial%10 != 9 {
			rows = randomRows(rng, rng.IntN(50))
		}
		o := Order{rng.IntN(5), rng.IntN(2) == 0}
		tie := []int{-1, 4}[rng.IntN(2)]
		limit := []int{0, 1, 20, 1000}[rng.IntN(4)]
		fs := vfs.NewMem()
		spill := Spill{FS: fs, Dir: "spill", Budget: rng.IntN(2)} // 0: all fits
		s := NewSorter(5, o, tie, limit, spill)
		tail := limit > 0 && rng.IntN(2) == 0
		if tail {
			s = NewTailSorter(5, o, tie, limit, spill)
		}
		byRank := limit > 0 && tie >= 0 && rng.IntN(2) == 0 // of texts: "" is before "x"
		r := NewRow(5)
		for _, v := range rows {
			v.fill(r)
			if byRank && !s.AdmitsRank(r, uint32((v[4].(string) + " ")[0])) || !s.Admits(r) {
				continue
			}
			if err := s.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		want := slices.Clone(rows)
		slices.SortStableFunc(want, func(a, b testRow) int { return reference(a, b, o, tie) })
		if tail {
			want = want[max(0, len(want)-limit):]
		} else if limit > 0 {
			want = want[:min(limit, len(want))]
		}
		i := 0
		expected := NewRow(5)
		err := s.Rows(func(r *Row) error {
			want[i].fill(expected)
			if g, w := fmt.Sprint(r.text, r.cells), fmt.Sprint(expected.text, expected.cells); g != w {
				return fmt.Errorf("row %d: %s, want %s", i, g, w)
			}
			i++
			return nil
		})
		if err == nil && i != len(want) {
			err = fmt.Errorf("%d rows, want %d", i, len(want))
		}
		if err != nil {
			t.Fatalf("trial %d, %d rows, order %v, tie %d, limit %d: %v", trial, len(rows), o, tie, limit, err)
		}
		if limit > 0 && s.rows > 2*limit+slack {
			t.Fatalf("limit %d holds %d rows", limit, s.rows)
		}
		if names, err := fs.List(""); err != nil || len(names) > 0 || s.Close() != nil {
			t.Fatalf("left %v, %v", names, err)
		}
	}
}

func BenchmarkSorter(b *testing.B) {
	for _, limit := range []int{20, 0} {
		b.Run(fmt.Sprint("limit=", limit), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			s := NewSorter(4, Order{1, true}, 0, limit, Spill{FS: vfs.Default, Dir: filepath.Join(b.TempDir(), "spill")})
			r := NewRow(4)
			b.ReportAllocs()
			for b.Loop() {
				r.Clear()
				r.SetUint(1, uint64(rng.ExpFloat64()*100))
				if !s.Admits(r) {
					continue
				}
				r.SetString(0, "(NP (DT the) (NN))")
				r.SetUint(2, 3)
				if err := s.Add(r); err != nil {
					b.Fatal(err)
				}
			}
			_ = s.Rows(func(*Row) error { return nil })
		})
	}
}

// TestSorterOfLongTexts: long rows are cut before there are thousands of rows.
func TestSorterOfLongTexts(t *testing.T) {
	const rows, long = 1000, 100_000
	s := NewSorter(2, Order{Column: 1}, 0, 2, Spill{FS: vfs.NewMem(), Dir: "spill"})
	row := NewRow(2)
	for i := range rows {
		row.Clear()
		row.SetText(0, []byte(strings.Repeat("x", long)+fmt.Sprintf("%04d", rows-i)))
		row.SetUint(1, 7)
		if err := s.Add(row); err != nil {
			t.Fatal(err)
		}
		if s.bytes > 2*slackBytes {
			t.Fatalf("%d bytes are kept", s.bytes)
		}
	}
	var got []string
	if err := s.Rows(func(r *Row) error { got = append(got, string(r.Text(0)[long:])); return nil }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"0001", "0002"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
