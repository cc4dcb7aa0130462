package pages

import (
	"math"
	"slices"
	"strings"

	"fstore/cli/serve/ask"
)

// contrastData is the data of the page that contrasts two labels, or each label with the rest.
type contrastData struct {
	Table     *Table
	A, B      string // as the page shows them
	Each      bool
	Rows      []contrastRow
	Tabs      []Link
	ByLabel   []labelApart
	Documents bool
	Sides     []labelSize // A and B, if they are labels
}

// contrastRow is a row with its position, and the side on which its fragment is more frequent.
type contrastRow struct {
	Row
	N     int
	Side  string // "A" or "B"
	First bool   // the row above has the other side
}

// contrastFlags are flags of the command `contrast`. The form has fields of the same names.
var contrastFlags = []string{"count", "per", "min-docs", "test", "permutations", "seed", "adjust", "confidence", "where", "sort"}

func contrastLines(v *View) {
	a, b := v.Get("a"), v.Get("b")
	if a == "" && v.Get("each") == "" {
		labels := v.Labels()
		if len(labels) == 0 {
			return
		}
		if a = labels[0]; len(labels) == 2 && !v.Form.Has("b") {
			b = labels[1]
		}
		v.Form.Set("a", a)
		if b != "" {
			v.Form.Set("b", b)
		}
	}
	l := ask.NewLine("contrast", v.Shelf)
	if v.Get("each") != "" {
		l.Switch("each")
	} else {
		l.Arg(a)
		if b != "" {
			l.Arg(b)
		}
	}
	l.Flag("space", v.space())
	for line := range strings.Lines(v.Form.Get("pattern")) {
		l.Flag("pattern", strings.TrimSpace(line))
	}
	for _, name := range contrastFlags {
		switch value := v.Get(name); {
		case name == "permutations" && v.Get("test") != "documents", name == "seed" && v.Get("test") != "documents":
		case name == "sort" && v.Get("families") != "":
		default:
			l.Flag(name, value)
		}
	}
	if v.Get("families") != "" {
		l.Switch("families")
	}
	rows := 24
	if v.Get("each") != "" {
		rows = 10
	}
	l.Flag("limit", v.limit(rows)).Flag("columns", "example")
	formats := tableFormats
	if v.Get("each") == "" {
		formats = append([]string{"svg"}, tableFormats...)
	}
	v.add("rows", l, formats...)
	v.add("info", ask.NewLine("info", v.Shelf))
}

func contrastPage(v *View) error {
	d := &contrastData{A: v.Get("a"), B: v.Or("b", "the rest"), Each: v.Get("each") != "", Documents: v.Meta().Documents > 0}
	v.Title, v.Data = "Contrast", d
	if v.lineOf("rows") == nil {
		return nil // the store has no labels
	}
	labels := v.Labels()
	if len(labels) <= 12 {
		d.Tabs = append(d.Tabs, Link{"each label", v.Same("each", "1", "a", "", "b", ""), d.Each})
		for _, l := range labels {
			d.Tabs = append(d.Tabs, Link{l, v.Same("each", "", "a", l, "b", ""), !d.Each && l == d.A && v.Get("b") == ""})
		}
	}
	d.Table = v.main("rows")
	if d.Each {
		v.Title = "Each label against the rest"
		d.ByLabel = byLabel(d.Table.Rows)
	} else {
		v.Title = d.A + " against " + d.B
	}
	d.sizes(v)
	side := ""
	for i, row := range d.Table.Rows {
		r := contrastRow{Row: row, N: i + 1, Side: "A"}
		if row.Number("logratio") < 0 {
			r.Side = "B"
		}
		r.First = r.Side != side
		side = r.Side
		d.Rows = append(d.Rows, r)
	}
	return nil
}

func (d *contrastData) sizes(v *View) {
	info := v.Table("info").first()
	for _, name := range []string{d.A, d.B} {
		if info.Num("label:"+name) != nil {
			d.Sides = append(d.Sides, sizeOf(info, name))
		}
	}
}

// mostJoined is the largest number of labels in one address.
const mostJoined = 24

// Rest returns the address of the hits in all labels except sideLabels, which are joined by commas. If no
// labels remain, or too many, it returns the address of the counts by label.
func (d *contrastData) Rest(v *View, fragment, sideLabels string) string {
	parts := strings.Split(sideLabels, ",")
	rest := slices.DeleteFunc(slices.Clone(v.Labels()), func(l string) bool { return slices.Contains(parts, l) })
	if len(rest) == 0 || len(rest) > mostJoined {
		return v.To("counts", "p", fragment)
	}
	return v.To("hits", "p", fragment, "label", strings.Join(rest, ","))
}

// HitsB returns the address of the hits in side B: a label, or all labels except A.
func (d *contrastData) HitsB(v *View, fragment string) string {
	if b := v.Get("b"); b != "" {
		return v.To("hits", "p", fragment, "label", b)
	}
	return d.Rest(v, fragment, d.A)
}

// AtLeast returns a lower bound on the ratio of the frequencies, such as 2.3×. It returns "" if the
// frequencies may be equal.
func (r Row) AtLeast() string {
	if lrc, ok := r["lrc"].(float64); ok && lrc != 0 && !math.IsNaN(lrc) {
		return times(lrc)
	}
	return ""
}
