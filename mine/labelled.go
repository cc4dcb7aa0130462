package mine

import (
	"slices"

	"fstore/store"
)

// SawLabels says whether a selection was made by an objective that reads the labels of
// the samples: what is then tested on these samples has seen them. A list of fragments
// says nothing of where it comes from.
func SawLabels(sel *store.SelectionInfo) bool {
	return sel.By != "support" && slices.Contains(Objectives(), sel.By)
}
