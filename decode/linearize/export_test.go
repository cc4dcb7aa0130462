package linearize

import (
	"context"

	"fstore/index"
)

var (
	ScaleL2      = normalizeL2
	ErrNotStored = errNotStored
)

func (l *Linearizer) Transpose(ctx context.Context) (*transposed, error) {
	return l.transpose(ctx, 0, index.NoProgress{})
}

// Batches is how many batches the stream holds.
func (s *Stream) Batches() int { return cap(s.free) }
