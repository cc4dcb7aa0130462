package pages

import (
	"slices"
	"strings"

	"fstore/cli/serve/ask"
)

type fragmentsData struct {
	Table   *Table
	Labels  []string // labels that have a column
	Columns []string // the other columns of numbers
	Shown   int
	More    bool // there are more rows, and the page can show more of them
	Cut     bool // there are more rows, but no page shows more
	Sizes   Row  // sizes of labels in samples, as "label:NAME"
	Most    float64
	Sorted  string // the column that the list is sorted by; Down is its direction
	Down    bool
}

// extraColumns are the additional columns that the form offers.
var extraColumns = []string{"chi2", "pvalue", "g2", "pmi", "logdice", "logodds", "inside_pmi", "inside_logdice", "inside_g2", "relevance", "weight", "places", "dp", "dpnorm", "id"}

// columns returns the additional columns that the form asks for.
func (v *View) columns() (all []string) {
	for _, c := range v.Form["columns"] {
		if slices.Contains(extraColumns, c) && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

func fragmentsLines(v *View) {
	l := ask.NewLine("query", v.Shelf)
	if selection := v.Get("selection"); selection != "" {
		l.Flag("selection", selection).Flag("where", v.Get("where")).Flag("sort", v.Get("sort")).Flag("limit", v.limit(50)).Flag("model", v.Get("model"))
		v.add("list", l, tableFormats...)
		return
	}
	if p := v.Get("p"); p != "" {
		l.Arg(p)
	}
	l.Flag("space", v.space()).Flag("order", v.Get("order")).Flag("contains", v.Get("contains")).Flag("within", v.Get("within"))
	l.Flag("where", v.Get("where")).Flag("sort", v.Get("sort")).Flag("model", v.Get("model")).Flag("positive", v.Get("positive"))
	l.Flag("limit", v.limit(50)).Flag("columns", "example")
	for _, c := range v.columns() {
		l.Flag("columns", c)
	}
	v.add("list", l, tableFormats...)
	v.add("info", ask.NewLine("info", v.Shelf))
}

func fragmentsPage(v *View) error {
	d := &fragmentsData{}
	v.Title, v.Data = "Fragments", d
	if v.Get("selection") != "" {
		v.Title = "Selection " + v.Get("selection")
	}
	d.Table = v.main("list")
	if len(d.Table.Rows) == 1 && slices.Contains(d.Table.Columns, "expansions") {
		v.moved = v.To("fragment", "f", v.Get("p")) // the text is a fragment, not a pattern
		return nil
	}
	d.Shown = len(d.Table.Rows)
	left := func(note string) bool { return strings.HasSuffix(note, printsAll) }
	isLeft := slices.ContainsFunc(d.Table.Notes, left)
	d.More, d.Cut = isLeft && d.Shown < mostRows, isLeft && d.Shown >= mostRows
	d.Labels = d.Table.Some("support:")
	if len(v.Form["label"]) > 0 {
		d.Labels = slices.DeleteFunc(d.Labels, func(l string) bool { return !slices.Contains(v.Form["label"], l) })
	} else if len(d.Labels) > 8 {
		d.Labels = nil
	}
	for _, c := range d.Table.Columns {
		if !slices.Contains([]string{"fragment", "example", "order", "support", "occurrences"}, c) && !strings.HasPrefix(c, "support:") {
			d.Columns = append(d.Columns, c)
		}
	}
	d.Sizes = v.Table("info").first()
	for _, row := range d.Table.Rows {
		for _, l := range d.Labels {
			d.Most = max(d.Most, row.Number("support:"+l)/d.Sizes.Number("label:"+l))
		}
	}
	if v.Get("selection") != "" && v.Get("sort") == "" {
		return nil // a selection has its own order
	}
	d.Sorted, d.Down = strings.TrimSuffix(v.Or("sort", "support"), ":asc"), !strings.HasSuffix(v.Get("sort"), ":asc")
	return nil
}

// Share returns the share of a label's samples that have the fragment of a row.
func (d *fragmentsData) Share(row Row, label string) float64 {
	return row.Number("support:"+label) / d.Sizes.Number("label:"+label)
}

// Sort returns the address of the list sorted by a column. If the list is already sorted by this column, the
// order is reversed.
func (d *fragmentsData) Sort(v *View, column string) string {
	if d.Sorted == column && d.Down {
		return v.Same("sort", column+":asc")
	}
	return v.Same("sort", column)
}

// Extra returns the additional columns that the form offers. Columns of models need a model in the store.
func (d *fragmentsData) Extra(v *View) []string {
	if len(v.Meta().Models) == 0 {
		return slices.DeleteFunc(slices.Clone(extraColumns), func(c string) bool { return c == "relevance" || c == "weight" })
	}
	return extraColumns
}

// Has reports whether the form has this value in a field with several values.
func (v *View) Has(name, value string) bool { return slices.Contains(v.Form[name], value) }

// HasColumn reports whether the list has a column.
func (d *fragmentsData) HasColumn(name string) bool { return slices.Contains(d.Table.Columns, name) }
