// Package mine has no code. Its subpackages do what fstore does with a store. A subpackage imports only those
// that .tools/layers lists before it.
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
// No result depends on the number of workers or on memory:
//   - Fragments are divided into ranges only by the counts of their first steps.
//   - Fragments come out in code order.
//   - Each sum is made within one range.
package mine
