package look

import (
	"context"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/cli/usage"
	"fstore/mine/learn/weights"
	"fstore/store"
)

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
