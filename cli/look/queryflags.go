package look

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/cli/usage"
	"fstore/index/glob"
	"fstore/mine/learn/weights"
	"fstore/mine/query"
	"fstore/store"
)

// QueryCommand lists fragments, or shows one.
type QueryCommand struct {
	Store    string  `arg:"" predictor:"store" help:"The store."`
	Fragment *string `arg:"" optional:"" help:"A fragment, as the list prints it: its numbers per label, its parts and expansions. Or a pattern: the list of what fits it."`

	Space               string           `xor:"of" predictor:"space" placeholder:"NAME" help:"The space, where the store has several."`
	Selection           string           `xor:"of" placeholder:"NAME" help:"List the fragments of this selection."`
	Order               orderRange       `placeholder:"N|N-M" help:"Only fragments of this order, or of orders in this range: 3, 2-4, 2-."`
	Contains            *string          `placeholder:"FRAGMENT" help:"Only fragments above this one: those that contain it as a part."`
	Within              *string          `placeholder:"FRAGMENT" help:"Only fragments inside this one: its parts, their parts and so on."`
	Where               string           `placeholder:"EXPR" help:"Only rows for which EXPR holds: an expression over the columns."`
	Sort                string           `placeholder:"COLUMN" help:"Sort by COLUMN: numbers descending, text ascending, or as COLUMN:asc or COLUMN:desc says (default: support, then the fragment's bytes)."`
	Limit               int              `default:"20" help:"Rows to print, or expansions; 0 is all."`
	Columns             []string         `placeholder:"NAME" help:"${query_columns_help}"`
	Positive            string           `placeholder:"LABEL" help:"The label of the columns of association (default: of two, the first), and of the machine of --model, where that has several."`
	Model               string           `placeholder:"M" help:"The model whose relevance or weight of each fragment is a column; in a selection, in the place of its own weights."`
	Cache               command.ByteSize `placeholder:"SIZE" help:"Memory for hot fragments, such as 64MiB."`
	command.TextFlags   `embed:""`
	command.OutputFlags `embed:"" group:"Output:" set:"formats=table (aligned; on a terminal unless given), tsv (elsewhere), csv, jsonl (one object a line) or xlsx; a list of dep also as stark."`

	conditions bool // Fragment is a pattern with conditions that no fragment tells
}

// Validate is kong's hook.
func (c *QueryCommand) Validate() error { return command.NotNegative("limit", c.Limit) }

// forList says whether there are options of the list.
func (c *QueryCommand) forList() bool {
	return c.Where != "" || c.Sort != "" || c.Order != orderRange{} || len(c.Columns) > 0 || c.Positive != "" || c.Model != "" ||
		c.Contains != nil || c.Within != nil
}

// noteLiteral says how to get the fragment that is spelt as a pattern is, where there
// is one.
func noteLiteral(env *command.Env, t *query.Table, pattern string) {
	if !strings.Contains(pattern, glob.Wildcard) && !strings.Contains(pattern, glob.Rest) {
		return
	}
	c, err := t.Parse(pattern)
	if err != nil {
		return
	}
	if _, err = t.Get(c); err == nil {
		env.Note(`%s is taken as a pattern: for the one fragment that is spelt so, write \x5F for _ and \x2E.. for ...`, pattern)
	}
}

// orderRange is --order; the zero value is any.
type orderRange struct{ from, to int }

// Decode is kong's hook.
func (o *orderRange) Decode(ctx *kong.DecodeContext) error {
	text, err := command.Argument(ctx)
	if err != nil {
		return err
	}
	from, to, isRange := strings.Cut(text, "-")
	*o = orderRange{1, math.MaxInt}
	var errs [2]error
	if from != "" || !isRange {
		o.from, errs[0] = strconv.Atoi(from)
	}
	if to != "" {
		o.to, errs[1] = strconv.Atoi(to)
	}
	if !isRange {
		o.to = o.from
	}
	if errors.Join(errs[:]...) != nil || text == "-" || o.from < 1 || o.to < o.from {
		return fmt.Errorf("%q is no order such as 3, and no range such as 2-4 or 2-", text)
	}
	return nil
}

func (o orderRange) has(order int) bool {
	return o == orderRange{} || o.from <= order && order <= o.to
}

// StarkFormat is the list of dependency trees as STARK prints it, for the scripts and
// habits that exist: the columns of its tables with node_info, node_order and
// association_measures, in its order and to its decimals.
var StarkFormat = output.Format{Name: "stark"}

// modelColumns are what --model says of a fragment: one of them, as the model is.
var modelColumns = []table.Column{{Name: "relevance", Kind: table.Float}, {Name: "weight", Kind: table.Float}}

// modelWeights is what --model says of each fragment of a list; nil where neither column of
// modelColumns is wanted.
func (c *QueryCommand) modelWeights(ctx context.Context, env *command.Env, s *store.Store, relevance, weight bool) (*weights.FragmentWeights, error) {
	switch {
	case !relevance && !weight && c.Model != "":
		return nil, usage.Errorf("--model is of the columns relevance and weight")
	case !relevance && !weight:
		return nil, nil
	case c.Model == "":
		return nil, usage.Errorf("the columns relevance and weight are what a model says: name it with --model")
	}
	w, err := weights.ReadFragmentWeights(ctx, s, weights.FragmentWeightOptions{
		Model: c.Model, Positive: c.Positive, Selection: c.Selection, Space: c.Space, Progress: env.Progress,
	})
	switch {
	case err != nil:
		return nil, err
	case w.Relevance && !relevance:
		return nil, usage.Errorf("model %s is a kernel machine: what it says of a fragment is --columns relevance", c.Model)
	case !w.Relevance && relevance:
		return nil, usage.Errorf("model %s is linear: what it says of a fragment is --columns weight", c.Model)
	}
	return w, nil
}

// Texts are the texts of help that are too long for the tag of a flag, by the name that the tag has.
var Texts = kong.Vars{
	"contrast_count_help": "What frequencies count: occurrences, places (the different nodes at which occurrences begin), or the sentences or documents that have the fragment (default: places where one node can begin several occurrences, as of dep, emb, ptk, seq and patterns; else occurrences).",
	"hit_formats":         "table (aligned; on a terminal unless given), tsv (elsewhere), csv, jsonl (one object a line), xlsx, arrow, arrows or parquet; or treebank: the samples with the hits, in the format of their input, which -o FILE.conllu (mrg, ptb, svmtk) is too.",
	"query_columns_help":  "More columns: id; chi2, pvalue, g2, pmi, logdice, logodds, the association with a label; inside_pmi, inside_logdice, inside_g2, the association of a fragment's nodes; relevance or weight, what --model says; places, the different nodes at which occurrences begin, and places:LABEL; dp and dpnorm, how unevenly the documents have the fragment; example, a phrase of the trees.",
}
