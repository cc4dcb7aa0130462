package crossval

import (
	"context"

	"fstore/index"
	"fstore/store"
)

// GoldLists are the K-best lists of a store that have a gold tree and a candidate. The slices have an element
// for each list.
type GoldLists struct {
	Samples          []SampleRange
	Names, Documents []string // the name and document of each list's first candidate
}

// ReadGoldLists returns the lists in the order of their samples in the store.
func ReadGoldLists(ctx context.Context, st *store.Store) (*GoldLists, error) {
	l := &GoldLists{}
	var first index.Tree // the first candidate of the current list
	samples := SampleRange{}
	gold := false
	end := func() {
		if gold && first.Gold != index.GoldAdded {
			l.Samples = append(l.Samples, samples)
			l.Names, l.Documents = append(l.Names, first.Name), append(l.Documents, first.Document)
		}
	}
	err := st.SampleHeads(0, st.Meta().Samples, func(id uint32, t *index.Tree) error {
		if id&0xFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !t.SameSentence(first.Group, first.Document) {
			end()
			first, samples, gold = *t, SampleRange{id, id}, false
		}
		samples.To = id + 1
		gold = gold || t.Group != "" && t.Gold != index.NotGold
		return nil
	})
	end()
	return l, err
}
