package learn

import (
	"context"
	"errors"

	"fstore/cli/command"
	"fstore/cli/look"
	"fstore/decode/linearize"
	"fstore/mine/query"
	"fstore/store"
)

// featureFlags choose the fragments that are the features of vectors, and the values of the features.
type featureFlags struct {
	Space     string `xor:"features" predictor:"space" placeholder:"NAME" help:"The features are the stored fragments of this space (needed where the store has several)."`
	Selection string `xor:"features" placeholder:"NAME" help:"The features are the fragments of this selection (default: all that are stored)."`
	weightFlag
}

type weightFlag struct {
	Weight string `enum:"binary,count,kernel,tfidf" default:"binary" help:"The value of a feature: binary, count, kernel (the space's own), or tfidf (the count times ln((1+N)/(1+support)) + 1, of N samples)."`
}

// open opens the Linearizer for these features. It takes all other options from o.
func (f *featureFlags) open(s *store.Store, o linearize.Options) (*linearize.Linearizer, error) {
	set, err := featureSet(s, f.Space, f.Selection)
	if err != nil {
		return nil, err
	}
	o.Features, o.Weight = []linearize.FeatureSet{set}, linearize.Weight(f.Weight)
	return linearize.New(s, o)
}

// featureSet returns the fragments of a selection or, if selection is "", of a space.
func featureSet(s *store.Store, space, selection string) (linearize.FeatureSet, error) {
	if selection == "" {
		sp, _, err := query.SpaceOf(s, space)
		return linearize.FeatureSet{Space: sp}, err
	}
	sel, err := query.OpenSelection(s, selection)
	if err != nil {
		return linearize.FeatureSet{}, err
	}
	return linearize.FeatureSet{Space: sel.Space, Selection: selection}, nil
}

// featuresFlags are like featureFlags, but for several sets of fragments. A vector has the features of all
// sets.
type featuresFlags struct {
	Space     []string `sep:"none" predictor:"space" placeholder:"NAME" help:"The features are the stored fragments of this space (needed where the store has several). Repeatable: side by side, the ids of each after those of the one before."`
	Selection []string `sep:"none" placeholder:"NAME" help:"The features are the fragments of this selection (default: all that are stored). Repeatable; they follow the spaces."`
	Where     *string  `placeholder:"EXPR" help:"The features are those of them for which EXPR holds, numbered anew: an expression over the columns that query has of a space, without a model, or of a selection."`
	Positive  string   `placeholder:"LABEL" help:"The label of the columns of association in --where (default: of two, the first)."`
	weightFlag
}

func (f *featuresFlags) check() error {
	switch {
	case f.Where != nil && *f.Where == "":
		return look.ErrNoCondition
	case f.Positive != "" && (f.Where == nil || len(f.Selection) > 0):
		return errors.New("--positive is for --where, of spaces")
	}
	return nil
}

// open opens the Linearizer for these features. It takes all other options from o.
func (f *featuresFlags) open(ctx context.Context, env *command.Env, s *store.Store, o linearize.Options) (*linearize.Linearizer, error) {
	var sets []featureFlags
	for _, name := range f.Space {
		sets = append(sets, featureFlags{Space: name})
	}
	for _, name := range f.Selection {
		sets = append(sets, featureFlags{Selection: name})
	}
	if len(sets) == 0 {
		sets = append(sets, featureFlags{})
	}
	for _, x := range sets {
		set, err := featureSet(s, x.Space, x.Selection)
		if err == nil && f.Where != nil {
			set.Kept, err = look.Subset(ctx, env, s, set, *f.Where, f.Positive)
		}
		if err != nil {
			return nil, err
		}
		o.Features = append(o.Features, set)
	}
	o.Weight = linearize.Weight(f.Weight)
	return linearize.New(s, o)
}
