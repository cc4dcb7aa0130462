package gradient

import (
	"context"

	"fstore/index"
	"fstore/index/expansion"
)

// engine finds fragments in the samples of a problem. Its results never depend on the number of workers.
type engine interface {
	// mine adds to out the fragments that more than c gold samples have, or more than c predicted samples;
	// side[s] says which of the two sample s is, if any. Options.MaxOrder limits the size of these fragments.
	mine(ctx context.Context, side []uint8, c uint32, out *set) (index.Counts, error)
	// count returns, for each fragment of x by its id, how many samples of each side have it.
	count(ctx context.Context, x *expansion.Index, side []uint8) (a, b []uint32, err error)
	// score computes by how much the score of each sample changes if the weights change, and adds this to the
	// sums in `by`. It can leave out a fragment that all candidates of a list have, because only differences
	// within a list matter.
	score(ctx context.Context, x *expansion.Index, change *change, by *sums) error
}
