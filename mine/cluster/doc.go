// Package cluster builds one store in many tasks. A task is a process. Tasks share a directory,
// WORK, and nothing else: they may run on any machine that sees it, at once, again and late. Each
// writes one file, or none.
//
//	WORK/JOB          [Init]    what is built: the inputs, how they are cut into parts, the options
//	WORK/part-00001   [Read]    the samples of a part over symbols of its own
//	WORK/plan         [Plan]    the symbols of all parts, what the samples of a part are called in
//	                            the store, and ranges of codes that take about the same time
//	WORK/grow-00001   [Grow]    the fragments of a range of each space, with posting lists and
//	                            their part of the expansion index
//	STORE             [Commit]  joins them
//
// A file is written under another name, synced and renamed. It has checksums, and its bytes depend
// on the job only: of two copies of a task either may win. What a killed task leaves, *.tmp, is in
// nobody's way.
//
// The result is the store that one build makes. Symbols are numbered in the order in which they
// are first seen, so those of the parts, adopted part by part, get the numbers that one reader gives
// them. A fragment that begins with step p needs only what lies near occurrences of p, so that a
// range of first steps, grown over all samples, has whole posting lists. Growth, counts, the join of
// the expansion index and the loading of tables are those of package builder and package grow.
//
// Start with job.go. It imports builder, grow and grown.
package cluster
