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
	"fstore/cli/table"
	"fstore/index"
	"fstore/mine/learn/weights"
	"fstore/store"
)

// QueryCommand is the command `query`. It lists fragments, or shows the page of one.
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

	conditions bool // Fragment is a pattern with conditions on words, which stored fragments do not have
}

// orderRange is the value of --order. The zero value is any order.
type orderRange struct{ from, to int }

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

// modelColumns are the columns for --model. A kernel machine fills relevance, a linear model weight.
var modelColumns = []table.Column{{Name: "relevance", Kind: table.Float}, {Name: "weight", Kind: table.Float}}

// modelWeights returns the weight or relevance of each fragment in the model of --model, or nil if neither is
// wanted.
func (c *QueryCommand) modelWeights(ctx context.Context, env *command.Env, s *store.Store, relevance, weight bool) (*weights.FragmentWeights, error) {
	switch {
	case !relevance && !weight && c.Model != "":
		return nil, index.Usagef("--model is of the columns relevance and weight")
	case !relevance && !weight:
		return nil, nil
	case c.Model == "":
		return nil, index.Usagef("the columns relevance and weight are what a model says: name it with --model")
	}
	w, err := weights.ReadFragmentWeights(ctx, s, weights.FragmentWeightOptions{
		Model: c.Model, Positive: c.Positive, Selection: c.Selection, Space: c.Space, Progress: env.Progress,
	})
	switch {
	case err != nil:
		return nil, err
	case w.Relevance && !relevance:
		return nil, index.Usagef("model %s is a kernel machine: what it says of a fragment is --columns relevance", c.Model)
	case !w.Relevance && relevance:
		return nil, index.Usagef("model %s is linear: what it says of a fragment is --columns weight", c.Model)
	}
	return w, nil
}
