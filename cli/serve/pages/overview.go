package pages

import (
	"fmt"
	"strings"

	"fstore/cli/serve/ask"
)

// overviewData is the data of the first page: what the store holds, and how its labels differ.
type overviewData struct {
	Labels []labelSize
	Most   float64 // samples of the largest label
	Apart  []labelApart
	Orders []orderSize
	Below  uint64 // candidates that are too rare to be stored
	Kept   []Link // links to selections and models
	Cite   string
}

type labelSize struct {
	Name                      string
	Samples, Words, Documents any
}

// sizeOf returns the size of a label from the output of info.
func sizeOf(info Row, name string) labelSize {
	return labelSize{Name: name, Samples: info.Num("label:" + name), Words: info.Num("words:" + name), Documents: info.Num("documents:" + name)}
}

// labelApart holds the most distinctive constructions of a label.
type labelApart struct {
	Name string
	Rows []Row
}

// byLabel groups rows by label. The rows of a label must be consecutive.
func byLabel(rows []Row) (all []labelApart) {
	for _, row := range rows {
		if n := len(all); n == 0 || all[n-1].Name != row.Text("label") {
			all = append(all, labelApart{Name: row.Text("label")})
		}
		a := &all[len(all)-1]
		a.Rows = append(a.Rows, row)
	}
	return all
}

type orderSize struct {
	Order     int
	Fragments uint64
}

func overviewLines(v *View) {
	v.add("info", ask.NewLine("info", v.Shelf), "tsv", "jsonl", "xlsx")
	v.add("top", ask.NewLine("query", v.Shelf).Flag("space", v.space()).Int("limit", 10).Flag("columns", "example"), tableFormats...)
	if v.comparesLabels() {
		v.add("apart", ask.NewLine("contrast", v.Shelf).Switch("each").Flag("space", v.space()).Int("limit", 3).Flag("columns", "example"), tableFormats...)
	}
	v.add("cite", ask.NewLine("info", v.Shelf).Switch("cite"), "txt")
}

// mostCompared is the largest number of labels times fragments for which the first page compares the labels
// unasked. Such a comparison takes some seconds.
const mostCompared = 2 << 20

func (v *View) comparesLabels() bool {
	labels := int(v.Meta().Labels)
	return labels >= 2 && labels <= 50 && (v.Get("apart") != "" || labels*int(v.Space().Features) <= mostCompared)
}

func overviewPage(v *View) error {
	d := &overviewData{}
	v.Title, v.Data = v.Shelf.Name, d
	info := v.main("info")
	for _, row := range info.Rows {
		for _, name := range info.Some("label:") {
			l := sizeOf(row, name)
			d.Labels = append(d.Labels, l)
			d.Most = max(d.Most, toFloat(l.Samples))
		}
	}
	for order, n := range v.Space().Fragments {
		if order > 0 {
			d.Orders = append(d.Orders, orderSize{order, n})
		}
	}
	for _, n := range v.Space().Below {
		d.Below += n
	}
	for _, s := range v.Meta().Selections {
		d.Kept = append(d.Kept, Link{Text: s.Name, To: v.To("fragments", "selection", s.Name)})
	}
	for _, m := range v.Meta().Models {
		d.Kept = append(d.Kept, Link{Text: m.Name, To: v.To("model", "name", m.Name)})
	}
	v.Table("top")
	if v.lineOf("apart") != nil {
		d.Apart = byLabel(v.Table("apart").Rows)
	}
	_, d.Cite = v.text("cite")
	return nil
}

// quoted returns a text as a quoted string for --where.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text) + `"`
}

// fragmentIs returns an expression of --where that is true for one fragment.
func fragmentIs(text string) string { return fmt.Sprintf("fragment == %s", quoted(text)) }
