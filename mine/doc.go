// Package mine finds the fragments of a treebank: it reads samples into a store
// ([Build]), grows every fragment of a space within limits, and recounts what a store
// holds ([Verify]). A treebank larger than the memory budget is read back from the
// store: one root range at a time (ALGORITHMS.md §3, grow.go), or, where that would be
// too often, one order at a time (levels.go).
//
// [Select] chooses fragments by an [Objective], with bounds that lose nothing: by a
// skip-scan of what is stored (scan.go), or by growth beyond that; source.go says which.
// A selection is written by selectionwriter.go, derived from another ([Derive]), and
// goes from store to store as one file ([Export], [Import], mine/portable).
//
// What is stored is read by mine/query, and compared by mine/contrast; the measures of
// both are in mine/association.
//
// It imports index and store. The result never depends on workers or budget:
// ranges are cut by the counts of their first steps alone, fragments come out in
// code order, and what is summed is summed within one range.
package mine
