package lists

import (
	"context"
	"errors"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/decode/linearize"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/rerank"
	"fstore/store"
)

// pretrainFolds is the number of folds into which Pretrain divides the lists.
const pretrainFolds = 5

// Pretrained has scores of candidates, each from a perceptron that has not learned from the candidate's list.
type Pretrained struct {
	Scores        []float64 // indexed by sample of the store; 0 for samples that are in no list
	Features      uint32    // number of features of the perceptrons
	Folds, Epochs int
	Kind          index.Kind
	Counts        treescore.Counts // counts of the trees with the highest scores
}

// String returns text that says how the scores were made, for selection.GradientOptions.
func (p *Pretrained) String() string {
	return fmt.Sprintf("orders, %d folds, %s", p.Folds, index.Plural(p.Epochs, "epoch"))
}

// Pretrain scores the candidates of a store's K-best lists with averaged perceptrons over the stored
// fragments of a space. Each of at most five folds is scored by a perceptron that was trained on the others.
// Pretrain chooses the number of epochs that is best when `base` times the parser's score is added. It leaves
// out lists whose first sample is in leftOut. Fewer than two lists with gold trees are an *index.UsageError.
func Pretrain(ctx context.Context, s *store.Store, space index.Space, base float64, leftOut *roaring.Bitmap, scratch rerank.Scratch, workers int, progress index.Progress) (p *Pretrained, err error) {
	l, err := linearize.New(s, linearize.Options{Features: []linearize.FeatureSet{{Space: space}}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	// The perceptrons use the tags in the store, because mining does so too.
	set, err := NewSet(ctx, s, SetOptions{Linearizer: l, Scratch: scratch, Without: leftOut, Tags: read.TagsOwn, Workers: workers, Progress: progress})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	lists := len(set.List)
	if lists < 2 {
		return nil, index.Usagef("pretrain: expected two K-best lists with gold trees or more")
	}
	folds, err := crossval.Random(lists, min(pretrainFolds, lists), 0)
	if err != nil {
		return nil, err
	}
	byEpoch, err := rerank.OutOfFold(ctx, &set.Lists, set.Vectors, folds, rerank.Options{Workers: workers, Progress: progress})
	if err != nil {
		return nil, err
	}
	best := rerank.Best(&set.Lists, rerank.TrialsByEpoch(&set.Lists, byEpoch, []float64{base}))
	scores := make([]float64, s.Meta().Samples)
	for i, x := range byEpoch[best.Epochs-1] {
		copy(scores[set.first[i]:], x)
	}
	return &Pretrained{
		Scores: scores, Features: l.Features(), Folds: folds.Count(), Epochs: best.Epochs, Kind: set.Kind, Counts: best.Counts,
	}, nil
}
