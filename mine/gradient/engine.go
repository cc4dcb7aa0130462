package gradient

import (
	"context"

	"fstore/index"
	"fstore/index/expansion"
)

// engine finds fragments in the samples of a problem. Its results never depend on the number of workers.
type engine interface {
	// mine finds the fragments that occur in more than c gold samples, or in more than c predicted samples.
	// `side` says for each sample whether it is gold, predicted or neither.
	mine(ctx context.Context, side []uint8, c uint32, out *set) (index.Counts, error)
	// count returns how many gold samples (`a`) and predicted samples (`b`) have each fragment of x, by id.
	count(ctx context.Context, x *expansion.Index, side []uint8) (a, b []uint32, err error)
	// score adds the score change of each sample to `by`. It can leave out fragments that all candidates of a
	// list have.
	score(ctx context.Context, x *expansion.Index, change *change, by *sums) error
}
