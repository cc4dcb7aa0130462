package look

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"fstore/cli/command"
	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/contrast"
	"fstore/store"
)

// contrastCaption returns a line that explains the numbers: the corpora, the units and the tests. For several
// comparisons, it says only what is true of each comparison.
func contrastCaption(all []*contrastRows) string {
	c := all[0].t
	o := &c.Options
	count := string(o.Count)
	if o.WithoutPlaces {
		count += " (the store has no places: append to it, or build it anew)"
	}
	of := "2×2 tables"
	if !c.Shares {
		of = "rates"
	}
	return fmt.Sprintf("%s per %s: %s; %s; g2 and chi2 of %s; pvalue %s; padj %s, confidence %v; 0 counts %v in ratios",
		count, o.Per, sidesCaption(c, len(all) > 1), rowsCaption(all), of, testCaption(all), o.Adjust, o.Confidence, association.Half)
}

// sidesCaption says which corpora are compared, and how large they are.
func sidesCaption(c *contrast.Contrast, each bool) string {
	if each {
		return fmt.Sprintf("A each label, B the rest, %s together", index.Thousands(c.A.N+c.B.N))
	}
	rest := "B the rest"
	if c.B.Label != "" {
		rest = "B " + c.B.Label
	}
	return fmt.Sprintf("A %s %s, %s %s", cmp.Or(c.A.Label, "all samples"), index.Thousands(c.A.N), rest, index.Thousands(c.B.N))
}

// rowsCaption says how many rows and fragments there are, and how many fragments were left out.
func rowsCaption(all []*contrastRows) string {
	c := all[0].t // the comparison with the largest --min-docs, which leaves out the most fragments
	rows, least := uint64(0), c.MinDocs
	for _, r := range all {
		rows, least = rows+r.t.Rows, min(least, r.t.MinDocs)
		if r.t.MinDocs > c.MinDocs {
			c = r.t
		}
	}
	text := index.Plural(rows, "row")
	switch {
	case len(all) > 1 && c.Options.Constructions != nil:
		text += " of all labels"
	case len(all) > 1:
		text += fmt.Sprintf(" of all labels and %s", index.Plural(c.Fragments, "fragment"))
	case !c.Options.All:
		text += fmt.Sprintf(" of %s", index.Plural(c.Fragments, "fragment"))
	}
	if !c.Options.All {
		text += ", distinct"
	}
	if c.Few > 0 {
		few := index.Plural(c.MinDocs, "document")
		if least < c.MinDocs {
			few = fmt.Sprintf("%s to %s", index.Thousands(least), few)
		}
		if c.Options.Reference != nil {
			few += " of A"
		}
		text += fmt.Sprintf(", %s more in fewer than %s", index.Thousands(c.Few), few)
	}
	return text
}

// testCaption says how p-values were computed.
func testCaption(all []*contrastRows) string {
	c := all[0].t
	d := c.Options.Documents
	if d == nil {
		return "exact"
	}
	random, most, both := false, 0, uint64(0)
	for _, r := range all {
		random = random || !r.t.AllDivisions
		most, both = max(most, r.t.Permutations), max(both, r.t.BothDocuments)
	}
	how := fmt.Sprintf("%s of documents, seed %d", index.Plural(most, "permutation"), d.Seed)
	if !random {
		how = fmt.Sprintf("all %s ways to divide the documents", index.Thousands(most+1))
	}
	text := fmt.Sprintf("of %s, none below %.2g; %s tested", how, 1/float64(most+1), index.Plural(c.Tests, "row"))
	for _, left := range []struct {
		n    uint64
		noun string
		why  string
	}{{both, "document", "on both sides"}, {c.WithoutDocument, "sample", "without a document"}} {
		if left.n > 0 {
			text += fmt.Sprintf(", %s %s left out", index.Plural(left.n, left.noun), left.why)
		}
	}
	return text
}

// documentsNeeded returns an error if the flags name a column that is empty because the store has no
// documents.
func (c *ContrastCommand) documentsNeeded(r *contrastRows) error {
	if c.names(r, append([]string{"dp_A", "dp_B"}, documentColumns...)...) {
		return contrast.ErrNoDocuments
	}
	return nil
}

// checkEmpty returns an error if the flags name the column `oddsratio` and this column is empty.
func (c *ContrastCommand) checkEmpty(r *contrastRows) error {
	if !r.t.Shares && c.names(r, "oddsratio") {
		return index.Usagef("oddsratio is of 2×2 tables, and the frequencies are rates: --count sentences or documents has them")
	}
	return nil
}

// names reports whether --where, --sort or --columns names one of these columns.
func (c *ContrastCommand) names(r *contrastRows, columns ...string) bool {
	return r.usesNamed(columns...) || slices.ContainsFunc(c.Columns, func(name string) bool { return slices.Contains(columns, name) })
}

// noteNone prints why no row fits --where. For each fragment that --where names, it prints why the fragment
// has no row.
func (c *ContrastCommand) noteNone(env *command.Env, r *contrastRows) {
	env.Note("no row fits %s%s", c.Where, index.MayBeOther(c.Where))
	isSaid := false
	if !c.comparesPatterns() {
		for _, name := range r.filter.Equals("fragment") {
			if text := r.whyNone(name); text != "" {
				env.Note("%s", text)
				isSaid = true
			}
		}
	}
	if k := r.t; k.Few > 0 && !isSaid {
		env.Note("%s in fewer than %s left out (--min-docs 0 has all)", index.Plural(k.Few, "fragment"), index.Plural(k.MinDocs, "document"))
	}
}

// whyNone returns why a fragment has no row, or "" if it has one.
func (r *contrastRows) whyNone(name string) string {
	t := r.texts.t
	code, err := t.Parse(name)
	if err != nil {
		return err.Error()
	}
	row, err := t.Get(code)
	if errors.Is(err, store.ErrNotFound) {
		return t.Absent(name).Error()
	}
	if err != nil {
		return err.Error()
	}
	a, b, documents, err := r.t.Frequencies(row)
	switch {
	case err != nil:
		return err.Error()
	case a+b == 0:
		return name + " occurs on neither side"
	case documents < r.t.MinDocs:
		return fmt.Sprintf("%s is in %s, fewer than --min-docs %d", name, index.Plural(documents, "document"), r.t.MinDocs)
	}
	return ""
}
