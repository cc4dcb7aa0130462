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

// pretrainFolds is in how many folds Pretrain deals the lists out.
const pretrainFolds = 5

// Pretrained are the scores that perceptrons give candidates of lists that they have not
// learned from.
type Pretrained struct {
	Scores        []float64 // by sample of the store; of those of no list 0
	Features      uint32    // that the perceptrons have
	Folds, Epochs int
	Kind          index.Kind
	Counts        treescore.Counts // of the trees that the scores choose
}

// String says by what the scores are, for selection.GradientOptions.
func (p *Pretrained) String() string {
	return fmt.Sprintf("orders, %d folds, %s", p.Folds, index.Plural(p.Epochs, "epoch"))
}

// Pretrain scores the candidates of a store's K-best lists by averaged perceptrons over the stored fragments
// of a space: each fifth of the lists by a perceptron of the others. It chooses the epochs with the best
// counts, base times a candidate's own score added. It leaves out the lists of without, which may be nil.
// The vectors go to scratch. Fewer than two lists with gold trees are an *index.UsageError.
func Pretrain(ctx context.Context, s *store.Store, space index.Space, base float64, without *roaring.Bitmap, scratch rerank.Scratch, workers int, progress index.Progress) (p *Pretrained, err error) {
	l, err := linearize.New(s, linearize.Options{Features: []linearize.FeatureSet{{Space: space}}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	// What is mined has the tags that the store has.
	set, err := NewSet(ctx, s, SetOptions{Linearizer: l, Scratch: scratch, Without: without, Tags: read.TagsOwn, Workers: workers, Progress: progress})
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
