package look

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/index"
	"fstore/mine/count"
	"fstore/mine/query"
)

func (c *QueryCommand) page(ctx context.Context, env *command.Env, t *query.Table) error {
	if c.Wants(StarkFormat) {
		return index.Usagef("--format stark is for a list: leave FRAGMENT out")
	}
	code, err := t.Parse(*c.Fragment)
	if err != nil {
		return err
	}
	p := page{t: t}
	p.Page, err = t.Page(ctx, code, c.Limit)
	_, counted := errors.AsType[*query.AbsentError](err)
	if counted {
		p.Page, err = c.counted(ctx, env, t, code, err)
	}
	if err != nil {
		return err
	}
	if p.labelSamples, err = t.LabelSamples(ctx); err != nil {
		return err
	}
	format, out, o, err := env.OpenTable(c.OutputFlags)
	if err != nil {
		return err
	}
	defer out.Abort()
	switch format {
	case "table":
		err = p.print(out, o)
	case "jsonl":
		err = p.object(out)
	default:
		err = p.rows(table.New(format, out, p.columns(), o))
	}
	if err == nil {
		err = out.Commit()
	}
	if err != nil {
		return err
	}
	if counted {
		why := t.WhyNot(code, p.Row.Support)
		if why != "" {
			why = ", as " + why
		}
		env.Note("%s is not stored (%s)%s: it was counted in the trees", t.Text(nil, code), t.Stored(), why)
	}
	if span := t.ActiveSpan(); span != "" && !counted && p.Row.Order > 1 {
		env.Note("these numbers leave out dependents further apart than %s; those of count do not", span)
	}
	if p.Closure {
		env.Note("%s is not closed: this is its closure", t.Text(nil, code))
	}
	if n := len(p.Expansions); n < p.AllExpansions {
		env.Note("%d of %s expansions (--limit 0 prints all)", n, index.Thousands(p.AllExpansions))
	}
	noteHeads(env, t)
	return nil
}

// counted returns the page of a fragment that is not stored, with counts from the trees. If no tree has the
// fragment, it returns absentErr.
func (c *QueryCommand) counted(ctx context.Context, env *command.Env, t *query.Table, code index.Code, absentErr error) (*query.Page, error) {
	x, err := count.Open(t.Store(), c.Space)
	if err != nil {
		return nil, err
	}
	k, err := x.Parse(*c.Fragment)
	if err != nil || k.Fragment == nil {
		return nil, absentErr
	}
	found, err := x.Count(ctx, []*count.Construction{k}, count.Options{Progress: env.Progress})
	env.Progress.Close()
	if err != nil {
		return nil, err
	}
	hits, _, samples := found[0].Total()
	if hits == 0 {
		return nil, absentErr
	}
	p := &query.Page{Row: &query.Row{Code: code, Order: code.Len(), Support: uint32(samples), Occurrences: uint32(hits)}}
	for _, r := range found[0].Rows[1:] {
		p.Row.ByLabel = append(p.Row.ByLabel, uint32(r.Samples))
	}
	if len(p.Row.ByLabel) == 0 {
		p.Row.ByLabel = make([]uint32, len(t.Labels))
	}
	if p.Parts, err = t.Parts(code); err != nil {
		return nil, err
	}
	if p.Expansions, err = t.Expansions(ctx, code); err != nil {
		return nil, err
	}
	p.AllExpansions = len(p.Expansions)
	if top := c.Limit; top > 0 && len(p.Expansions) > top {
		p.Expansions = p.Expansions[:top]
	}
	return p, nil
}

// page is the page of a fragment: its counts, its parts and its expansions.
type page struct {
	*query.Page
	t            *query.Table
	labelSamples []uint32
}

// relation returns "self", or "closure" if the page shows the closure of the fragment.
func (p *page) relation() string {
	if p.Closure {
		return "closure"
	}
	return "self"
}

func (p *page) text(r *query.Row) string { return string(p.t.Text(nil, r.Code)) }

// share returns the share of a label's samples that contain r.
func (p *page) share(r *query.Row, label int) float64 {
	return float64(r.ByLabel[label]) / float64(p.labelSamples[label])
}

// columns returns the columns for formats other than table and jsonl.
func (p *page) columns() []table.Column {
	always, more := fragmentColumns(p.t)
	columns := append([]table.Column{{Name: "relation"}}, always...)
	for _, label := range p.t.Labels {
		columns = append(columns, table.Column{Name: "share:" + label, Kind: table.Float})
	}
	return append(columns, more...)
}

// rows writes the fragment, its parts and its expansions.
func (p *page) rows(w table.Writer) error {
	rows := slices.Concat([]*query.Row{p.Row}, p.Parts, p.Expansions)
	return writeRows(w, len(p.columns()), len(rows), func(row *table.Row, n int) {
		r, relation := rows[n], "expansion"
		switch {
		case n == 0:
			relation = p.relation()
		case n <= len(p.Parts):
			relation = "part"
		}
		row.SetString(0, relation)
		p.fill(row, 1, r)
		at := 1 + firstLabelColumn + len(p.t.Labels)
		for i := range p.t.Labels {
			row.SetFloat(at+i, p.share(r, i))
		}
		if r.ID > 0 {
			row.SetUint(at+len(p.t.Labels), uint64(r.ID))
		}
	})
}

// writeRows writes n rows and closes w. It calls fillRow to set the cells of each row.
func writeRows(w table.Writer, columns, n int, fillRow func(row *table.Row, n int)) error {
	defer table.Discard(w)
	row := table.NewRow(columns)
	for i := range n {
		row.Clear()
		fillRow(row, i)
		if err := w.Write(row); err != nil {
			return err
		}
	}
	return w.Close()
}

// fill sets the columns that a page shares with a list, from index `at` on.
func (p *page) fill(row *table.Row, at int, r *query.Row) {
	row.SetString(at+fragmentColumn, p.text(r))
	row.SetUint(at+orderColumn, uint64(r.Order))
	row.SetUint(at+supportColumn, uint64(r.Support))
	row.SetUint(at+occurrencesColumn, uint64(r.Occurrences))
	for i, n := range r.ByLabel {
		row.SetUint(at+firstLabelColumn+i, uint64(n))
	}
}

type fragmentObject struct {
	Fragment    string        `json:"fragment"`
	Relation    string        `json:"relation,omitempty"`
	Order       int           `json:"order"`
	Support     uint32        `json:"support"`
	Occurrences uint32        `json:"occurrences"`
	ID          uint32        `json:"id,omitempty"`
	Labels      []labelObject `json:"labels"`
}

type labelObject struct {
	Label   string  `json:"label"`
	Support uint32  `json:"support"`
	Samples uint32  `json:"samples"`
	Share   float64 `json:"share"`
}

// object writes the page as one line of JSON.
func (p *page) object(w io.Writer) error {
	all := struct {
		fragmentObject
		Parts         []fragmentObject `json:"parts"`
		Expansions    []fragmentObject `json:"expansions"`
		AllExpansions int              `json:"expansions_in_all"`
	}{p.fragment(p.Row), p.fragments(p.Parts), p.fragments(p.Expansions), p.AllExpansions}
	all.Relation = p.relation()
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(all)
}

func (p *page) fragment(r *query.Row) fragmentObject {
	o := fragmentObject{
		Fragment: p.text(r), Order: r.Order, Support: r.Support, Occurrences: r.Occurrences, ID: r.ID,
		Labels: []labelObject{},
	}
	for i, label := range p.t.Labels {
		o.Labels = append(o.Labels, labelObject{label, r.ByLabel[i], p.labelSamples[i], p.share(r, i)})
	}
	return o
}

func (p *page) fragments(rows []*query.Row) []fragmentObject {
	all := make([]fragmentObject, len(rows))
	for i, r := range rows {
		all[i] = p.fragment(r)
	}
	return all
}

// print writes the page in the format `table`.
func (p *page) print(w io.Writer, o table.Options) error {
	head := &command.Record{}
	name := "fragment"
	if p.Closure {
		name = "closure"
	}
	head.Text(name, p.text(p.Row))
	head.Text("space", p.t.Info.ID)
	head.Uint("order", uint64(p.Row.Order))
	head.Text("support", fmt.Sprintf("%s of %s", index.Thousands(p.Row.Support), index.Plural(p.t.Store().Meta().Samples, "sample")))
	head.Uint("occurrences", uint64(p.Row.Occurrences))
	if p.Row.ID > 0 {
		head.Uint("id", uint64(p.Row.ID))
	}
	if err := table.PrintRecord("table", w, head.Columns, head.Row(), o); err != nil {
		return err
	}
	if len(p.t.Labels) > 0 {
		if err := p.printLabels(w, o); err != nil {
			return err
		}
	}
	if err := p.printFragments(w, o, "parts", len(p.Parts), p.Parts); err != nil {
		return err
	}
	return p.printFragments(w, o, "expansions", p.AllExpansions, p.Expansions)
}

func (p *page) printLabels(w io.Writer, o table.Options) error {
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	columns := []table.Column{{Name: "label"}, {Name: "support", Kind: table.Uint}, {Name: "samples", Kind: table.Uint}, {Name: "share", Right: true}}
	return writeRows(table.New("table", w, columns, o), len(columns), len(p.t.Labels), func(row *table.Row, i int) {
		row.SetString(0, p.t.Labels[i])
		row.SetUint(1, uint64(p.Row.ByLabel[i]))
		row.SetUint(2, uint64(p.labelSamples[i]))
		row.SetString(3, fmt.Sprintf("%.1f%%", 100*p.share(p.Row, i)))
	})
}

// printFragments prints rows under a heading with the total number of fragments.
func (p *page) printFragments(w io.Writer, o table.Options, what string, total int, rows []*query.Row) error {
	heading := fmt.Sprintf("%s: %s", what, index.Thousands(total))
	if total == 0 {
		heading = "no " + what
	} else if len(rows) < total {
		heading += fmt.Sprintf(", the first %d", len(rows))
	}
	if _, err := fmt.Fprintf(w, "\n%s\n", heading); err != nil || total == 0 {
		return err
	}
	columns, _ := fragmentColumns(p.t)
	return writeRows(table.New("table", w, columns, o), len(columns), len(rows), func(row *table.Row, i int) { p.fill(row, 0, rows[i]) })
}
