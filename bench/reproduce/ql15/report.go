package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"fstore/bench/reproduce/markdown"
	"fstore/index"
)

// compared is what the command fstore compare prints about two systems.
type compared struct{ uas, las, p float64 }

// compare returns the UAS and LAS of the trees b, and the p-value of the difference in UAS between a and b.
func compare(ctx context.Context, s *settings, a, b string) (x compared, err error) {
	_, gold := s.lists(s.test)
	var c cost
	out, _, err := c.fstore(ctx, s, "compare", gold, s.trees(a), s.trees(b), "--format", "tsv", "--quiet")
	if err != nil {
		return x, err
	}
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		var value, p float64
		if f[0] != "UAS" && f[0] != "LAS" {
			continue
		}
		if value, err = float(f[2]); err != nil {
			return x, err
		}
		if p, err = float(f[len(f)-1]); err != nil {
			return x, err
		}
		if f[0] == "UAS" {
			x.uas, x.p = value, p
		} else {
			x.las = value
		}
	}
	return x, nil
}

// report prints the tables. Table 3 is printed only if -counts has values.
func (e *experiment) report(ctx context.Context, w io.Writer) error {
	s := e.settings
	p, err := s.plan()
	if err != nil {
		return err
	}
	var table []row
	for _, b := range baselines {
		table = append(table, row{Name: b.name, Trees: b.name})
	}
	templateTrees := ""
	for _, x := range p.systems {
		r, err := e.row(ctx, &x, s.minCount, x.name)
		if err != nil {
			return err
		}
		table = append(table, r)
		if x.kind == templates {
			templateTrees = r.Trees
		}
	}
	if err := e.table2(ctx, w, table, templateTrees); err != nil {
		return err
	}
	if len(p.counts) == 0 {
		return nil
	}
	return e.table3(ctx, w, p)
}

// table2 prints the results of the systems. It gives p-values for the UAS against base, against templates,
// and against the kernel of the same space.
func (e *experiment) table2(ctx context.Context, w io.Writer, table []row, templateTrees string) error {
	head := []string{"system", "UAS", "LAS", "p, base", "p, templates", "p, kernel", "UAS, train", "features", "templates", "chosen", "training, CPU s", "MB", "choosing, CPU s"}
	var rows [][]string
	for _, r := range table {
		base, err := compare(ctx, e.settings, "base", r.Trees)
		if err != nil {
			return err
		}
		cells := []string{r.Name, fmt.Sprintf("%.2f", base.uas), fmt.Sprintf("%.2f", base.las), "", "", ""}
		if r.Name != "base" {
			cells[3] = fmt.Sprintf("%.4f", base.p)
		}
		learned := r.Training.User > 0
		if learned && templateTrees != "" && r.Trees != templateTrees {
			t, err := compare(ctx, e.settings, templateTrees, r.Trees)
			if err != nil {
				return err
			}
			cells[4] = fmt.Sprintf("%.4f", t.p)
		}
		if i := slices.IndexFunc(table, func(k row) bool { return k.Name == r.Name+"-kernel" }); i >= 0 {
			k, err := compare(ctx, e.settings, table[i].Trees, r.Trees)
			if err != nil {
				return err
			}
			cells[5] = fmt.Sprintf("%.4f", k.p)
		}
		if learned {
			cells = append(cells, fmt.Sprintf("%.2f", r.Trained.UAS), r.Trained.Features, r.templates(), r.Trained.chosen(),
				seconds(r.Training.User), seconds(r.Training.Peak), fmt.Sprintf("%.1f", r.Testing.User))
		}
		rows = append(rows, append(cells, make([]string, len(head)-len(cells))...))
	}
	if _, err := fmt.Fprintf(w, "Table 2: UAS and LAS without punctuation, of %s; UAS, train: by cross-validation.\n\n", e.settings.test); err != nil {
		return err
	}
	return markdown.Table(w, head, rows)
}

// table3 prints the results of mining in the dep space for each C.
func (e *experiment) table3(ctx context.Context, w io.Writer, p *plan) error {
	d := *e
	d.settings = p.deep
	var rows [][]string
	for _, c := range p.counts {
		r, err := d.row(ctx, &p.dep, c, fmt.Sprintf("dep-%d", c))
		if err != nil {
			return err
		}
		base, err := compare(ctx, p.deep, "base", r.Trees)
		if err != nil {
			return err
		}
		last := &r.Iterations[len(r.Iterations)-1]
		rows = append(rows, []string{
			strconv.Itoa(c), p.deep.orders, index.Thousands(last.Features()), index.Thousands(last.Weights), r.templates(),
			seconds(r.Training.User), seconds(r.Training.Peak), fmt.Sprintf("%.2f", r.Trained.UAS), fmt.Sprintf("%.2f", base.uas), fmt.Sprintf("%.4f", base.p),
		})
	}
	if _, err := fmt.Fprint(w, "Table 3: features selected in the dep space.\n\n"); err != nil {
		return err
	}
	return markdown.Table(w, []string{"C", "R", "features", "with a weight", "templates", "CPU s", "MB", "UAS, train", "UAS", "p, base"}, rows)
}

// templates returns the number of templates of the row as text, or "" if it is unknown.
func (r *row) templates() string {
	n := r.Templates
	if i := len(r.Iterations); i > 0 {
		for _, o := range r.Iterations[i-1].Orders {
			n += o.Templates
		}
	}
	if n == 0 {
		return ""
	}
	return index.Thousands(n)
}

// chosen describes the chosen settings, except the β of a kernel.
func (t *trained) chosen() string {
	var parts []string
	if t.Choice.Order > 0 {
		parts = append(parts, fmt.Sprintf("R %d", t.Choice.Order))
	}
	if t.Epochs > 0 {
		parts = append(parts, fmt.Sprintf("%s, β %.3g", index.Plural(t.Epochs, "epoch"), t.Beta))
	}
	if t.Choice.Lambda > 0 {
		parts = append(parts, fmt.Sprintf("λ %g", t.Choice.Lambda))
	}
	return strings.Join(parts, ", ")
}

func seconds(x float64) string { return fmt.Sprintf("%.0f", x) }
