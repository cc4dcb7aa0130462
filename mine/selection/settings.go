package selection

import (
	"slices"

	"fstore/store"
)

// ImportedSetting marks a selection whose scores and statistics, but for support and
// occurrences, are those of its file.
const ImportedSetting = "imported"

// ChosenBySetting names what else than trees a selection of what is stored was chosen by.
const ChosenBySetting = "chosen-by"

// SawLabels says whether a selection was made by an objective that reads the labels of
// the samples, or was chosen by them: what is then tested on these samples has seen them. A
// list of fragments says nothing of where it comes from.
func SawLabels(sel *store.SelectionInfo) bool {
	return sel.Settings[ChosenBySetting] != "" || sel.By != BySupport && slices.Contains(Objectives(), sel.By)
}
