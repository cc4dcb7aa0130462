package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// compared is a system beside another, as fstore compare prints it.
type compared struct{ uas, las, p float64 }

// compare compares the trees of two systems: the scores are b's, and p that of the UAS.
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
		if value, err = strconv.ParseFloat(f[2], 64); err != nil {
			return x, err
		}
		if p, err = strconv.ParseFloat(f[len(f)-1], 64); err != nil {
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

// report prints the table: p is that of the difference in UAS to the base, and to templates.
func report(ctx context.Context, s *settings, table []row) error {
	fmt.Println("| system | UAS | LAS | p, base | p, templates | features | training, CPU s | MB | choosing, CPU s |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	templates := false
	for _, r := range table {
		templates = templates || r.name == "templates"
	}
	for _, r := range table {
		base, err := compare(ctx, s, "base", r.name)
		if err != nil {
			return err
		}
		cells := []string{r.name, fmt.Sprintf("%.2f", base.uas), fmt.Sprintf("%.2f", base.las), "", "", r.features, "", "", ""}
		if r.name != "base" {
			cells[3] = fmt.Sprintf("%.4f", base.p)
		}
		if templates && r.training.user > 0 && r.name != "templates" {
			t, err := compare(ctx, s, "templates", r.name)
			if err != nil {
				return err
			}
			cells[4] = fmt.Sprintf("%.4f", t.p)
		}
		if r.training.user > 0 {
			cells[6], cells[7] = fmt.Sprintf("%.0f", r.training.user), fmt.Sprintf("%.0f", r.training.peak)
			cells[8] = fmt.Sprintf("%.1f", r.testing.user)
		}
		fmt.Println("| " + strings.Join(cells, " | ") + " |")
	}
	return nil
}
