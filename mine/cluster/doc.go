// Package cluster builds one store in many tasks. A task is a process. Tasks share only a directory, WORK.
// They can run at the same time, on any machine that sees WORK. A task can run more than once. It writes at
// most one file.
//
//	WORK/JOB          [Init]    what is built: the inputs, how they are cut into parts, the options
//	WORK/part-00001   [Read]    the samples of one part, with its own symbol ids
//	WORK/plan         [Plan]    the symbols of all parts, the names of the parts' samples in the
//	                            store, and ranges of codes that take about the same time
//	WORK/grow-00001   [Grow]    for each space the fragments of a range, with posting lists and
//	                            their part of the expansion index
//	STORE             [Commit]  the store, joined from these files
//
// A task writes its file under a temporary name, syncs it and renames it. The file has checksums. Its bytes
// depend only on the job, so a task may run twice, and either file is right. A killed task leaves a file
// *.tmp. The next process that does the same task removes this file, or Commit does. A task that finds a
// damaged file removes it, and fails. Status then lists the task that must write the file again.
//
// JOB has the hashes of all files that tasks read, and of the blocks into which files are cut. So a task
// notices an input that has changed since Init, and Commit records the same hashes as a build in one process.
//
// The result is the same store that a build in one process makes. In such a build, symbols are numbered in
// the order in which they are first seen. So the plan adopts the symbols of one part after another, and they
// get the same numbers. A fragment that begins with step p needs only data near occurrences of p. So a range
// of first steps, grown over all samples, has complete posting lists. The code for growing and counting
// fragments, loading tables and joining the expansion index is in packages grow and builder.
//
// Start with job.go. The package imports builder, grow and grown.
package cluster
