package cli

import (
	"context"
	"errors"
	"fmt"

	"fstore/cli/usage"
	"fstore/decode"
	"fstore/index"
	"fstore/mine"
	"fstore/mine/rerank"
	"fstore/mine/treescore"
	"fstore/store"
)

// pretrainOrders is the --pretrain by the stored fragments of the space.
const pretrainOrders = "orders"

// pretrain adds to o what --pretrain says: the scores that averaged perceptrons over the
// stored fragments of the space, of low orders, give the candidates of lists that they have
// not learned from. How many epochs they learn is chosen by what the scores come to.
func (c *mineCommand) pretrain(ctx context.Context, env *Env, s *store.Store, o *mine.SelectOptions) (err error) {
	if c.Pretrain != pretrainOrders {
		return nil
	}
	features, err := featureSet(s, c.Space, "")
	if err != nil {
		return err
	}
	l, err := decode.NewLinearizer(s, decode.LinearizerOptions{Features: []decode.FeatureSet{features}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	// What is mined has the tags that the store has.
	set, err := decode.NewListSet(ctx, s, l, treescore.Options{}, decode.TagsOwn, c.Workers, env.Progress)
	if err != nil {
		return err
	}
	names, documents := set.Names()
	if len(names) < 2 {
		return usage.Errorf("--pretrain: expected two K-best lists with gold trees or more")
	}
	folds, err := (&foldFlags{CV: min(listFolds, len(names))}).deal(0, names, documents, nil)
	if err != nil {
		return err
	}
	byEpoch, err := rerank.OutOfFold(ctx, &set.Lists, &set.Vectors, folds, rerank.Options{Workers: c.Workers, Progress: env.Progress})
	if err != nil {
		return err
	}
	var trials []rerank.Trial
	for e, scores := range byEpoch {
		trials = append(trials, scores.Trials(&set.Lists, e+1, []float64{c.Base})...)
	}
	best := rerank.Best(&set.Lists, trials)
	o.Gradient.Scores = set.BySample(byEpoch[best.Epochs-1], s.Meta().Samples)
	o.Gradient.Pretrained = fmt.Sprintf("%s, %d folds, %d epochs", pretrainOrders, folds.Count(), best.Epochs)
	env.Progress.Close()
	env.Note("pretrained on %s, %d folds, %s: %s", index.Plural(l.Features(), "fragment"), folds.Count(), index.Plural(best.Epochs, "epoch"), treeScores(set.Kind, best.Counts))
	return nil
}
