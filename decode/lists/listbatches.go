package lists

import (
	"context"

	"fstore/decode/predict"
	"fstore/decode/read"
)

// listWork does something for lists.
type listWork = predict.Work[read.List]

// listBatches does work for lists, and then calls done for each, in order.
type listBatches struct{ *predict.Batches[read.List] }

// A batch ends after batchLists lists, or at listNodes nodes of their trees.
const (
	batchLists = 256
	listNodes  = 1 << 18
)

func newListBatches(ctx context.Context, workers int, start func() listWork, done func(i int, l *read.List) error) listBatches {
	return listBatches{predict.NewBatches(ctx, batchLists, workers, start, done)}
}

// run reads src to its end. What precedes an error of src is done.
func (b listBatches) run(src read.ListSource) error {
	return b.Run(listNodes, func(l *read.List) (nodes int, err error) {
		if err = src.NextList(l); err == nil {
			nodes = l.Nodes()
		}
		return nodes, err
	}, src.Release)
}
