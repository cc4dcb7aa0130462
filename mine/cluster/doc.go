// Package cluster builds one store in many tasks. A task is a process that writes at most one file. Tasks
// share only the directory WORK. They can run at the same time, on any machine that sees WORK. A task can run
// more than once.
//
//	WORK/JOB          [Init]    what is built: the inputs, how they are cut into parts, the options
//	WORK/part-00001   [Read]    the samples of one part, with its own symbol ids
//	WORK/plan         [Plan]    the symbols of all parts, the names of the parts' samples in the
//	                            store, and ranges of codes that take about the same time
//	WORK/grow-00001   [Grow]    for each space the fragments of a range, with posting lists and
//	                            their part of the expansion index
//	STORE             [Commit]  the store, joined from these files
//
// A task writes its file under a temporary name, syncs it and renames it. The bytes of the file depend only
// on the job, so a task may run twice. A killed task leaves a file *.tmp. The next process that does the same
// task removes this file, or Commit does. A task that finds a damaged file removes it, and fails. Status then
// lists the task that must write the file again.
//
// JOB has the hashes of all files that tasks read, and of the blocks into which files are cut. So a task
// notices an input that has changed since Init.
//
// The result is the same store that a build in one process makes. Such a build numbers symbols in the order
// in which they are first seen. The plan adopts the symbols of one part after another, so they get the same
// numbers. A fragment that begins with step p needs only data near occurrences of p. So a range of first
// steps, grown over all samples, has complete posting lists.
//
// Start with job.go. The package imports builder, grow and grown.
package cluster
