package crossval

import (
	"context"

	"fstore/index"
	"fstore/store"
)

// Labelled are the samples of a store that have a label. The slices have an element for each sample.
type Labelled struct {
	ID               []uint32 // the ids of the samples, ascending
	Names, Documents []string
	Labels           [][]string
}

// Samples returns the labelled samples as ranges of one sample each.
func (l *Labelled) Samples() []SampleRange {
	all := make([]SampleRange, len(l.ID))
	for i, id := range l.ID {
		all[i] = SampleRange{id, id + 1}
	}
	return all
}

// ReadLabelled returns the labelled samples of a store. It reads only their heads, not their trees.
func ReadLabelled(ctx context.Context, st *store.Store) (*Labelled, error) {
	l := &Labelled{}
	err := st.SampleHeads(0, st.Meta().Samples, func(id uint32, t *index.Tree) error {
		if id&0xFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var labels []string
		index.SplitLabels(t.Label, func(label string) { labels = append(labels, label) })
		if len(labels) > 0 {
			l.ID, l.Labels = append(l.ID, id), append(l.Labels, labels)
			l.Names, l.Documents = append(l.Names, t.Name), append(l.Documents, t.Document)
		}
		return nil
	})
	return l, err
}
