package look

import (
	"errors"
	"math"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/mine/contrast"
)

// contrastColumn is a column and how it is set.
type contrastColumn struct {
	name string
	kind table.Kind
	set  func(row *table.Row, i int, r *contrast.Row, c *contrast.Contrast)
}

// countColumn and realColumn are columns of numbers; a number that is none, or
// infinite, is an empty cell.
func countColumn(name string, of func(*contrast.Row, *contrast.Contrast) uint64) contrastColumn {
	return contrastColumn{name, table.Uint, func(row *table.Row, i int, r *contrast.Row, c *contrast.Contrast) {
		row.SetUint(i, of(r, c))
	}}
}

func realColumn(name string, of func(*contrast.Measures) float64) contrastColumn {
	return contrastColumn{name, table.Float, func(row *table.Row, i int, r *contrast.Row, _ *contrast.Contrast) {
		switch x := of(r.Measures); {
		case math.IsInf(x, 0):
			row.SetInfinite(i, x)
		case !math.IsNaN(x):
			row.SetFloat(i, x)
		}
	}}
}

// documentColumn is a count of documents, empty where the store knows none.
func documentColumn(name string, of func(*contrast.Row) uint64) contrastColumn {
	return contrastColumn{name, table.Uint, func(row *table.Row, i int, r *contrast.Row, c *contrast.Contrast) {
		if c.Documents {
			row.SetUint(i, of(r))
		}
	}}
}

// contrastDetails are columns that tables for the eye leave out unless --columns names
// them: what the caption says already, and what else there is to cite.
var contrastDetails = []string{"n_A", "n_B", "logratio_lo", "logratio_hi", "pvalue", "chi2", "bic", "oddsratio", "pctdiff"}

// contrastColumns are those after the fragment; the last three are shown on demand.
var contrastColumns = []contrastColumn{
	countColumn("order", func(r *contrastRow, _ *compared) uint64 { return uint64(r.Order) }),
	countColumn("freq_A", func(r *contrastRow, _ *compared) uint64 { return r.FreqA }),
	countColumn("freq_B", func(r *contrastRow, _ *compared) uint64 { return r.FreqB }),
	countColumn("n_A", func(_ *contrastRow, c *compared) uint64 { return c.A.N }),
	countColumn("n_B", func(_ *contrastRow, c *compared) uint64 { return c.B.N }),
	realColumn("permillion_A", func(m *measures) float64 { return m.PerMillionA }),
	realColumn("permillion_B", func(m *measures) float64 { return m.PerMillionB }),
	documentColumn("docs_A", func(r *contrastRow) uint64 { return r.DocsA }),
	documentColumn("docs_B", func(r *contrastRow) uint64 { return r.DocsB }),
	realColumn("logratio", func(m *measures) float64 { return m.LogRatio }),
	realColumn("logratio_lo", func(m *measures) float64 { return m.Low }),
	realColumn("logratio_hi", func(m *measures) float64 { return m.High }),
	realColumn("lrc", func(m *measures) float64 { return m.LRC }),
	realColumn("g2", func(m *measures) float64 { return m.G2 }),
	realColumn("pvalue", func(m *measures) float64 { return m.P }),
	realColumn("padj", func(m *measures) float64 { return m.Adjusted }),
	realColumn("chi2", func(m *measures) float64 { return m.Chi2 }),
	realColumn("bic", func(m *measures) float64 { return m.BIC }),
	realColumn("oddsratio", func(m *measures) float64 { return m.OddsRatio }),
	realColumn("pctdiff", func(m *measures) float64 { return m.PctDiff }),
	countColumn("support", func(r *contrastRow, _ *compared) uint64 { return uint64(r.Support) }),
	countColumn("occurrences", func(r *contrastRow, _ *compared) uint64 { return uint64(r.Occurrences) }),
	countColumn("id", func(r *contrastRow, _ *compared) uint64 { return uint64(r.ID) }),
}

// onDemand is how many of them are.
const onDemand = 3

// contrastRows are the rows on their way through the sorters.
type contrastRows struct {
	*command.Rows
	t     *contrast.Contrast
	texts command.Texts
	early bool // the text is needed to tell whether a row is wanted

	members memberSearch

	head, tail *table.Sorter // the first rows, and the last; tail is nil where those are not wanted
	wanted     uint64
}

// ContrastCommand compares two corpora.
type ContrastCommand struct {
	Store string `arg:"" predictor:"store" help:"The store."`
	A     string `arg:"" name:"A" help:"A label: the corpus whose fragments come first."`
	B     string `arg:"" name:"B" optional:"" help:"The label to compare it with (default: the rest, every sample without A)."`

	Space               string   `predictor:"space" placeholder:"NAME" help:"The space, where the store has several."`
	Count               string   `enum:"occurrences,sentences,documents" default:"occurrences" help:"What frequencies count: occurrences, or the sentences or documents that have the fragment."`
	Per                 string   `enum:",words,sentences,documents" default:"" placeholder:"UNIT" help:"What they are relative to: words, sentences or documents (default: words for occurrences, else what is counted; documents are per documents only)."`
	Distinct            bool     `default:"true" negatable:"" help:"One row for all fragments that occur in the same samples, in each as often: the largest, of several the first in byte order. --no-distinct gives each its own."`
	Adjust              string   `enum:"none,bonferroni,fdr" default:"fdr" help:"How padj adjusts to the number of rows, before --where and --limit: fdr (Benjamini-Hochberg), none, or bonferroni, which also widens the intervals."`
	Confidence          float64  `default:"0.95" help:"Of the intervals of logratio, and of lrc."`
	Where               string   `placeholder:"EXPR" help:"Only rows for which EXPR holds: an expression over the columns."`
	Sort                string   `placeholder:"COLUMN" help:"Sort by COLUMN: numbers descending, text ascending, or as COLUMN:asc or COLUMN:desc says (default: lrc, then g2, then the fragment's bytes)."`
	Limit               int      `default:"20" help:"Rows to print: without --sort half of them from either end, else the first; 0 is all."`
	Columns             []string `placeholder:"NAME" help:"More columns: support, occurrences, id; members, the fragments that the row stands for beside its own; in table also those that it leaves out."`
	command.TextFlags   `embed:""`
	command.OutputFlags `embed:"" group:"Output:"`
}

// Validate is kong's hook.
func (c *ContrastCommand) Validate() error {
	if !(c.Confidence > 0 && c.Confidence < 1) {
		return errors.New("--confidence: above 0, below 1")
	}
	return command.NotNegative("limit", c.Limit)
}

type (
	contrastRow = contrast.Row
	measures    = contrast.Measures
	compared    = contrast.Contrast
)
