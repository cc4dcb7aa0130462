package lists

import (
	"context"

	"fstore/decode/predict"
	"fstore/decode/read"
)

type listWork = predict.Work[read.List]

// A batch ends after batchLists lists, or at listNodes nodes of their trees.
const (
	batchLists = 256
	listNodes  = 1 << 18
)

// newListBatches returns what does work for lists, and then calls done for each, in order.
func newListBatches(ctx context.Context, workers int, start func() listWork, done func(i int, l *read.List) error) *predict.Batches[read.List] {
	return predict.NewBatches(ctx, batchLists, workers, start, done)
}

// runLists reads src to its end. What precedes an error of src is done.
func runLists(b *predict.Batches[read.List], src read.ListSource) error {
	return b.Run(listNodes, func(l *read.List) (nodes int, err error) {
		if err = src.NextList(l); err == nil {
			nodes = l.Nodes()
		}
		return nodes, err
	}, src.Release)
}
