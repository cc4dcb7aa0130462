package mine

import (
	"context"
	"slices"

	"fstore/index"
	"fstore/store"
)

// Labelled are the samples of a store that have a label: what is learned from, and dealt
// out to folds. Slices are side by side.
type Labelled struct {
	ID               []uint32 // ascending
	Names, Documents []string
	Labels           [][]string
}

// Samples are the samples, a range each.
func (l *Labelled) Samples() []SampleRange {
	all := make([]SampleRange, len(l.ID))
	for i, id := range l.ID {
		all[i] = SampleRange{id, id + 1}
	}
	return all
}

// ReadLabelled lists the labelled samples of a store.
func ReadLabelled(ctx context.Context, st *store.Store) (*Labelled, error) {
	l := &Labelled{}
	err := st.SampleHeads(0, st.Meta().Samples, func(id uint32, t *index.Tree) error {
		if id&0xFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var labels []string
		store.SplitLabels(t.Label, func(label string) { labels = append(labels, label) })
		if len(labels) > 0 {
			l.ID, l.Labels = append(l.ID, id), append(l.Labels, labels)
			l.Names, l.Documents = append(l.Names, t.Name), append(l.Documents, t.Document)
		}
		return nil
	})
	return l, err
}

// ChosenBySetting names what else than trees a selection of what is stored was chosen by.
const ChosenBySetting = "chosen-by"

// SawLabels says whether a selection was made by an objective that reads the labels of
// the samples, or was chosen by them: what is then tested on these samples has seen them. A
// list of fragments says nothing of where it comes from.
func SawLabels(sel *store.SelectionInfo) bool {
	return sel.Settings[ChosenBySetting] != "" || sel.By != "support" && slices.Contains(Objectives(), sel.By)
}
