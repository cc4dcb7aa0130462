package gradient

import (
	"context"

	"fstore/index"
	"fstore/index/expansion"
)

// engine finds fragments in the samples of a problem. What it finds never depends on the
// number of workers.
type engine interface {
	// mine fills out with the fragments, of at most so many building blocks, that more than
	// c samples of a side have, or more than c of the other.
	mine(ctx context.Context, side []uint8, c uint32, out *set) (index.Counts, error)
	// count counts, for each fragment of x by its id, the samples of each side that have it.
	count(ctx context.Context, x *expansion.Index, side []uint8) (a, b []uint32, err error)
	// score adds to by, for each sample and each fragment of x that it has, the change of
	// that fragment's weight. It may leave out of all candidates of a list what all of them
	// have.
	score(ctx context.Context, x *expansion.Index, change *change, by *sums) error
}
