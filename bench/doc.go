// Package bench measures fstore on real treebanks and compares its values with those of independent programs.
// The treebanks and the values are not part of the project. They are read from the directory that the
// environment variable FSTORE_DATA names (`make bench DATA=dir`). A test whose files are missing is skipped.
//
// Examples of files in that directory: trees/icepahc.psd.gz, trees/gum-*.mrg.gz, golden/small.mrg with
// golden/small.kernels.tsv, golden/num.train.svmtk.gz, kbest/ewt-train-10best.kbest.conllu.gz with
// .gold.conllu.gz. README.md lists all files, says how each number is measured, and has the results.
package bench
