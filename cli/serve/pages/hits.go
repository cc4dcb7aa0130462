package pages

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"fstore/cli/serve/ask"
)

// hitsData is the data of a page of hits: a concordance.
type hitsData struct {
	Pattern string
	Hits    *Table
	Counts  *Table
	All     Row // the row of Counts for the chosen label, or for all samples
	Rows    []hitRow
	More    bool   // there are more hits than the page shows
	Total   string // the command's note on the number of hits
	Samples int    // number of samples with hits, if the page shows all hits
	Near    []Row  // similar patterns, if the pattern has no hits
}

// hitRow is a hit with the address of its sentence.
type hitRow struct {
	Row
	Pieces []matchPiece // the pieces of the match
	To     string
}

func hitsLines(v *View) {
	p := v.Get("p")
	if p == "" {
		return
	}
	v.add("hits", v.hitsLine(v.Form), hitFormats...)
	v.add("counts", ask.NewLine("count", v.Shelf).Arg(p).Flag("space", v.space()), tableFormats...)
}

// hitFlags are fields of the form that are also flags of fstore examples. hitFields are all fields that
// choose hits.
var (
	hitFlags  = []string{"label", "document", "before", "after", "sort", "sample"}
	hitFields = append(slices.Clip(hitFlags), "seed", "limit")
)

// hitsLine returns the command line that prints the hits that the form asks for.
func (v *View) hitsLine(form url.Values) *ask.Line {
	get := func(name string) string { return strings.TrimSpace(form.Get(name)) }
	l := ask.NewLine("examples", v.Shelf).Arg(v.Get("p")).Flag("space", v.space())
	for _, name := range hitFlags {
		l.Flag(name, get(name))
	}
	if get("sample") != "" {
		l.Flag("seed", get("seed"))
	} else {
		l.Flag("limit", limitOf(get("limit"), 100))
	}
	return l.Flag("columns", "number")
}

// chosenHits encodes the values of hitFields for the address of a sentence.
func chosenHits(form url.Values) string {
	values := url.Values{}
	for _, name := range hitFields {
		if x := strings.TrimSpace(form.Get(name)); x != "" {
			values.Set(name, x)
		}
	}
	return values.Encode()
}

func hitsPage(v *View) error {
	d := &hitsData{Pattern: v.Get("p")}
	v.Title, v.Data = "Hits", d
	if d.Pattern == "" {
		return nil
	}
	v.Title = "Hits of " + d.Pattern
	d.Hits = v.main("hits")
	d.Counts = v.Table("counts")
	if d.All = d.Counts.first(); d.All != nil {
		if d.All.Number("hits") == 0 {
			d.Near = v.near(d.Pattern, d.Counts.Notes)
		}
		for _, row := range d.Counts.Rows {
			if row.Text("label") == v.Get("label") {
				d.All = row
			}
		}
	}
	if n := len(d.Hits.Notes); n > 0 {
		d.Total = d.Hits.Notes[n-1]
		d.More = v.Get("sample") == "" && strings.Contains(d.Total, " of ")
	}
	if !d.More {
		numbers := map[float64]bool{}
		for _, row := range d.Hits.Rows {
			numbers[row.Number("number")] = true
		}
		d.Samples = len(numbers)
	}
	d.Rows = hitRows(v, d.Pattern, chosenHits(v.Form), d.Hits.Rows)
	return nil
}

// hitRows adds to each hit the pieces of its match and the address of its sentence. The text hitsForm comes
// from chosenHits.
func hitRows(v *View, pattern, hitsForm string, rows []Row) (all []hitRow) {
	for _, row := range rows {
		all = append(all, hitRow{row, v.pieces(row), v.toHit(pattern, hitsForm, row)})
	}
	return all
}

// toHit returns the address of the page that shows the sentence of a hit.
func (v *View) toHit(pattern, hitsForm string, row Row) string {
	return v.To("sentence", "sample", fmt.Sprintf("%.0f", row.Number("number")), "p", pattern, "at", row.Text("positions"), "from", hitsForm)
}

// Filled returns the address of the hits in which the row's node has the row's value, or "" if no pattern
// finds just these hits.
func (d *countsData) Filled(v *View, row Row) string {
	if !v.Dependencies() || !slices.Contains([]string{"form", "lemma", "upos", "xpos"}, d.Field) {
		return ""
	}
	if p := withValue(d.Pattern, int(row.Number("node")), d.Field, row.Text("value")); p != "" {
		return v.To("hits", "p", p)
	}
	return ""
}

// isText reports whether a column of the command `count` has texts.
func isText(column string) bool {
	return column == "value" || column == "label" || column == "document" || strings.HasPrefix(column, "comment:")
}

// hitsOf returns the address of a page with at least the hits that a row of counts stands for.
func hitsOf(v *View, pattern, by string, row Row) string {
	switch by {
	case "label", "document":
		return v.To("hits", "p", pattern, by, row.Text(by))
	case "form", "lemma":
		return v.To("hits", "p", pattern, "label", row.Text("label"))
	}
	return v.To("hits", "p", pattern)
}

// countsData is the data of a page with counts of patterns, by label, document, word and so on.
type countsData struct {
	Pattern string
	By      string
	Field   string // the field By, or the default of the command collocates if By is empty
	Table   *Table
	Labels  *Table // counts by label, which the page shows next to counts by document
	Picture string
}

// mostDots is the largest number of documents for which the page has a picture.
const mostDots = 5000

func countsLines(v *View) {
	p := v.Get("p")
	if p == "" {
		return
	}
	formats := tableFormats
	if v.Or("by", "label") == "document" {
		v.add("labels", ask.NewLine("count", v.Shelf).Arg(p).Flag("space", v.space()))
		formats = append([]string{"svg"}, tableFormats...)
	}
	v.add("counts", ask.NewLine("count", v.Shelf).Arg(p).Flag("space", v.space()).Flag("by", v.Or("by", "label")).Flag("limit", v.limit(200)), formats...)
}

func countsPage(v *View) error {
	d := &countsData{Pattern: v.Get("p"), By: v.Or("by", "label")}
	v.Title, v.Data = "Counts", d
	if d.Pattern == "" {
		return nil
	}
	v.Title = "Counts of " + d.Pattern
	d.Table = v.main("counts")
	if d.By == "document" && v.Problem == nil {
		d.Labels = v.Table("labels")
	}
	if l := v.lineOf("counts"); d.By == "document" && v.Problem == nil && v.Meta().Documents <= mostDots {
		if answer := v.ask(&Table{}, l.line.With("format", "svg").Question()); answer != nil {
			d.Picture = string(answer.Text)
		}
	}
	return nil
}

func collocatesLines(v *View) {
	p := v.Get("p")
	if p == "" {
		return
	}
	l := ask.NewLine("collocates", v.Shelf).Arg(p)
	if other := v.Get("other"); other != "" {
		l.Arg(other)
	}
	for _, name := range []string{"by", "node", "where", "sort"} {
		l.Flag(name, v.Get(name))
	}
	v.add("values", l.Flag("limit", v.limit(50)), tableFormats...)
}

// collocatesPage makes the page of the words that occur in the open nodes of a pattern.
func collocatesPage(v *View) error {
	d := &countsData{Pattern: v.Get("p"), By: v.Get("by")}
	v.Title, v.Data = "Collocates", d
	if d.Pattern != "" {
		v.Title = "What fills " + d.Pattern
		d.Field = cmp.Or(d.By, v.wordsBy())
		d.Table = v.main("values")
	}
	return nil
}

// runsLeft reports whether the script of hits runs from right to left. Then the page mirrors their table.
func runsLeft(rows []hitRow) bool {
	for _, r := range rows {
		if text := r.Text("left") + r.Text("match"); strings.ContainsFunc(text, unicode.IsLetter) {
			return isRightToLeft(text)
		}
	}
	return false
}
