package mining

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/cli/command"
	"fstore/decode/lists"
	"fstore/index"
	"fstore/mine/learn/rerank"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// pretrainOrders is the value of --pretrain that means the stored fragments of the space.
const pretrainOrders = "orders"

// pretrain makes mining start from the scores that --pretrain asks for. The parameter scratch takes the data
// for this training.
func (c *MineCommand) pretrain(env *command.Env, s *store.Store, scratch rerank.Scratch, o *selection.Options) {
	if c.Pretrain != pretrainOrders {
		return
	}
	o.Gradient.Scores = func(ctx context.Context, without *roaring.Bitmap) ([]float64, string, error) {
		space, _, err := query.SpaceOf(s, c.Space)
		if err != nil {
			return nil, "", err
		}
		p, err := lists.Pretrain(ctx, s, space, c.Base, without, scratch, c.Workers, env.Progress)
		if err != nil {
			return nil, "", err
		}
		env.Progress.Close()
		env.Note("pretrained on %s, %d folds, %s: %s", index.Plural(p.Features, "fragment"), p.Folds, index.Plural(p.Epochs, "epoch"), command.TreeScores(p.Kind, p.Counts))
		return p.Scores, p.String(), nil
	}
}
