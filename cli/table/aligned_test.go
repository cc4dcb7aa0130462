package table_test

import (
	"bytes"
	"strings"
	"testing"

	"fstore/cli/table"
)

// If a line is too wide, columns of numbers are left out, those with the highest Spare first. Columns with
// the same Spare are left out together, and those with Spare 0 one by one from the end. The column that the
// rows are about is never shortened.
func TestNoRoom(t *testing.T) {
	columns := []table.Column{
		{Name: "label"},
		{Name: "fragment", Whole: true},
		{Name: "freq_A", Kind: table.Uint, Spare: 1},
		{Name: "freq_B", Kind: table.Uint, Spare: 1},
		{Name: "order", Kind: table.Uint, Spare: 2},
		{Name: "lrc", Kind: table.Float},
		{Name: "g2", Kind: table.Float},
		{Name: "chi2", Kind: table.Float, Spare: -1},
	}
	print := func(width int, fragment string) string {
		var b bytes.Buffer
		w := table.New("table", &b, columns, table.Options{Width: width})
		row := table.NewRow(len(columns))
		row.SetString(0, "news")
		row.SetString(1, fragment)
		for i := 2; i < 5; i++ {
			row.SetUint(i, 7)
		}
		for i := 5; i < 8; i++ {
			row.SetFloat(i, 1234.5678)
		}
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const fragment = "VERB >obj NOUN"
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, "label  fragment        freq_A  freq_B  order    lrc     g2   chi2"},
		{65, "label  fragment        freq_A  freq_B  order    lrc     g2   chi2"},
		{64, "# no room for order; -o FILE has all|label  fragment        freq_A  freq_B    lrc     g2   chi2"},
		{55, "# no room for freq_A, freq_B, order; -o FILE has all|label  fragment          lrc     g2   chi2"},
		{40, "# no room for freq_A, freq_B, order, g2; -o FILE has all|label  fragment          lrc   chi2"},
		{30, "# no room for freq_A, freq_B, order, lrc, g2; -o FILE has all|label  fragment         chi2"},
		{22, "# no room for freq_A, freq_B, order, lrc, g2, chi2; -o FILE has all|label  fragment"},
		{9, "# no room for freq_A, freq_B, order, lrc, g2, chi2; -o FILE has all|label  fragment"},
	} {
		got := print(c.width, fragment)
		header := strings.ReplaceAll(got[:strings.Index(got, "\nnews")], "\n", "|")
		if header != c.want || !strings.Contains(got, fragment) {
			t.Errorf("at %d\n%s\nis\n%s, want\n%s", c.width, got, header, c.want)
		}
	}
	if got := print(80, strings.Repeat(fragment, 9)); !strings.Contains(got, strings.Repeat(fragment, 9)) || !strings.Contains(got, "lrc") {
		t.Errorf("one wide row: %s", got)
	}
}

// Numbers are rounded only in the format table.
func TestRounded(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", 2.67337: "2.673", -0.000946341: "-0.0009463", 9.6271e-07: "9.63e-07", 46099.3: "46,099",
		-3589.5: "-3,590", 999.94: "999.9", 123.456: "123.5", 1.5e17: "1.5e+17", 2.5e6: "2,500,000", 1e-300: "1e-300",
	} {
		for format, want := range map[string]string{"table": want, "csv": ""} {
			var b bytes.Buffer
			w := table.New(format, &b, []table.Column{{Name: "x", Kind: table.Float}}, table.Options{})
			row := table.NewRow(1)
			row.SetFloat(0, x)
			if err := w.Write(row); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			_, got, _ := strings.Cut(strings.TrimSpace(b.String()), "\n")
			if got = strings.TrimSpace(got); want != "" && got != want {
				t.Errorf("%v is printed %s, want %s", x, got, want)
			}
			if format == "csv" && len(got) < len(want) {
				t.Errorf("%v is rounded in csv: %s", x, got)
			}
		}
	}
}
