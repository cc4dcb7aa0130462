// Package mine has no code: its rooms do what fstore does with a store. A room imports only
// the rooms that .tools/layers names before it.
//
//	grow        grows the fragments of a space within memory
//	builder     builds stores: new, append, resume, rebuild
//	judge       one pass of an objective over a space
//	selection   selects by support, chi2, relevance or gradient
//	gradient    the gradient miner
//	learn       learners, and what they share
//	maintain    verify, repair, remove, reindex
//	exchange    selections and models as files
//	query       reads what is stored; contrast compares labels
//
// The result never depends on workers or memory: ranges are cut by the counts of their first
// steps alone, fragments come out in code order, and each sum is made within one range.
package mine
