// Package bench measures fstore on real treebanks and compares it with values
// from independent programs. Neither is part of the project: both are read from
// the directory that the environment variable FSTORE_DATA names (`make bench
// DATA=dir`), and what is not there is skipped.
//
// Names of files below it: trees/icepahc.psd.gz, trees/gum-*.mrg.gz,
// golden/small.mrg with golden/small.kernels.tsv, golden/num.train.svmtk.gz,
// kbest/ewt-train-10best.kbest.conllu.gz with .gold.conllu.gz, … README.md lists them, says how
// each number is measured, and has what came out.
package bench
