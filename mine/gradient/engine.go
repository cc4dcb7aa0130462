package gradient

import (
	"context"

	"fstore/index"
	"fstore/index/expansion"
)

// engine finds fragments in the samples of a problem. Its results never depend on the number of workers.
type engine interface {
	// mine adds to out the fragments that more than c samples of one side have. Options.MaxOrder limits their
	// size.
	mine(ctx context.Context, side []uint8, c uint32, out *set) (index.Counts, error)
	// count returns, for each fragment of x by its id, how many samples of each side have it.
	count(ctx context.Context, x *expansion.Index, side []uint8) (a, b []uint32, err error)
	// score computes how the change of the weights changes the score of each sample, and adds the results to
	// the sums in by. It can leave out a fragment that all candidates of a list have, because only
	// differences within a list matter.
	score(ctx context.Context, x *expansion.Index, change *change, by *sums) error
}
