package look

import (
	"errors"
	"strings"

	"fstore/cli/command"
)

// ContrastCommand is the command `contrast`. It compares two corpora.
type ContrastCommand struct {
	Store string  `arg:"" predictor:"store" help:"The store."`
	A     string  `arg:"" name:"A" optional:"" help:"A label: the corpus whose fragments come first. news,essay is the samples that have either label."`
	B     *string `arg:"" name:"B" optional:"" help:"The label to compare it with (default: the rest, every sample without A)."`

	Each     bool `help:"Compare every label with the rest, instead of A: a label column first, and the top of each, where no row is a part of another. --no-distinct or --limit 0 prints all."`
	Families bool `help:"One row for fragments that are parts of one another and more frequent on one side, the best by lrc, with their number (family)."`

	Patterns     []string `name:"pattern" sep:"none" placeholder:"P" help:"Compare this construction, as count takes it, instead of fragments: counted in the trees, a row each. Repeatable."`
	PatternsFile string   `name:"patterns" placeholder:"FILE" predictor:"file" help:"Compare the constructions of a file: a line a pattern, or its name, a tab, and the pattern."`

	Reference     string `placeholder:"FILE" predictor:"file" help:"Compare A, or without A all samples, with a list of frequencies from elsewhere: lines of a fragment, a tab and its frequency, or a table that query prints as tsv. A fragment that the list does not have is 0 there."`
	ReferenceSize uint64 `placeholder:"N" help:"The size of the corpus of --reference, in the unit of --per."`

	Space               string   `predictor:"space" placeholder:"NAME" help:"The space, where the store has several."`
	Count               string   `enum:",occurrences,places,sentences,documents" default:"" placeholder:"UNIT" help:"${contrast_count_help}"`
	Per                 string   `enum:",words,sentences,documents" default:"" placeholder:"UNIT" help:"What they are relative to: words, sentences or documents (default: words for occurrences and places, else what is counted; documents are per documents only)."`
	MinDocs             *int     `placeholder:"N" help:"Only fragments that N documents have, of both sides together; 0 is any (default: 5, or the documents of a side that has fewer; of --pattern 0)."`
	Distinct            bool     `default:"true" negatable:"" help:"One row for all fragments that occur in the same samples, in each as often: the largest, of several the first in byte order. --no-distinct gives each its own."`
	Test                string   `enum:"exact,documents" default:"exact" help:"What pvalue is of: the two frequencies (exact), or a permutation of whole documents between the sides (documents), as words of a document are not independent."`
	Permutations        int      `default:"9999" placeholder:"N" help:"With --test documents: permutations; no pvalue is below 1/(N+1)."`
	Seed                uint64   `default:"1" help:"With --test documents: of the permutations."`
	Adjust              string   `enum:"none,bonferroni,fdr" default:"fdr" help:"How padj adjusts to the number of rows, before --where and --limit: fdr (Benjamini-Hochberg), none, or bonferroni, which also widens the intervals."`
	Confidence          float64  `default:"0.95" help:"Of the intervals of logratio, and of lrc."`
	Where               string   `placeholder:"EXPR" help:"Only rows for which EXPR holds: an expression over the columns."`
	Sort                string   `placeholder:"COLUMN" help:"Sort by COLUMN: numbers descending, text ascending, or as COLUMN:asc or COLUMN:desc says (default: lrc, then g2, then the fragment's bytes)."`
	Limit               int      `default:"20" help:"Rows to print: without --sort half of them from either end, else the first; 0 is all (not with --families)."`
	Columns             []string `placeholder:"NAME" help:"More columns: support, occurrences, id; dp_A, dp_B; members, the fragments that the row stands for beside its own; example, a phrase of the trees; in table also those that it leaves out."`
	command.TextFlags   `embed:""`
	command.OutputFlags `embed:"" group:"Output:" set:"formats=${tables}, or svg: frequency against log ratio, a point a row, those named that a table prints."`
}

// comparesPatterns reports whether rows are constructions, not fragments.
func (c *ContrastCommand) comparesPatterns() bool { return len(c.Patterns) > 0 || c.PatternsFile != "" }

// isDistinct reports whether one row stands for all fragments that occur equally often in each sample.
func (c *ContrastCommand) isDistinct() bool { return c.Distinct && !c.comparesPatterns() }

func (c *ContrastCommand) Validate() error {
	if !(c.Confidence > 0 && c.Confidence < 1) {
		return errors.New("--confidence: above 0, below 1")
	}
	switch {
	case c.Each && c.Wants(svgFormat):
		return errors.New("svg is a picture of one comparison: leave --each out")
	case c.Each && strings.HasPrefix(c.Sort, "label"):
		return errors.New("--each prints label after label: sort by another column")
	case c.Each && c.A != "":
		return errors.New("--each compares every label: name none")
	case c.comparesPatterns() && (c.Families || c.Reference != ""):
		return errors.New("--families and --reference are of fragments: leave --pattern and --patterns out")
	case c.Reference != "" && (c.Each || c.B != nil || c.Test == "documents"):
		return errors.New("--reference is compared with one label or all samples, without --test documents")
	case (c.Reference != "") != (c.ReferenceSize > 0):
		return errors.New("--reference and --reference-size are given together, and the size is at least 1")
	case c.B != nil && *c.B == "":
		return errors.New("an empty label B: leave it out to compare with the rest")
	case !c.Each && c.A == "" && c.Reference == "":
		return errors.New("expected a label, or --each")
	case c.Families && c.Limit == 0:
		return errors.New("--families needs a --limit: it compares each row with those that are printed")
	case c.Families && c.Sort != "":
		return errors.New("--families is by lrc: leave --sort out")
	}
	if c.Permutations < 1 {
		return errors.New("--permutations: at least 1")
	}
	if c.MinDocs != nil && *c.MinDocs < 0 {
		return errors.New("--min-docs: not below 0")
	}
	return command.NotNegative("limit", c.Limit)
}
