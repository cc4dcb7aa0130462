// Package portable reads and writes selections as text files, which can be moved from store to store. A file
// has one selection: a header, and then one fragment a line.
//
//	fstore selection 1
//	space	stk
//	by	chi2
//	setting	alpha	"0.05"
//	vocabulary	5c3b1f0d9a8e7766
//	fragments	2
//	fragment	score	weight	support	occurrences
//	(NN cat)	4.5	0	12	13
//	(NP (DT the) (NN))	7.25	0	31	35
//
// Fields are separated by tabs. The values of settings are JSON strings, and fragments escape special
// characters. The vocabulary is the selection's vocabulary hash in the store it comes from. Numbers are the
// shortest decimals that give the same value when they are read.
//
// A file that begins in another way is a list of fragments: one a line, or a table such as fstore prints
// (TSV, CSV, JSON lines or a spreadsheet). Of a table, only the column "fragment" is read.
//
// The package imports package index only.
package portable

// Header is what a selection's file says before the fragments.
type Header struct {
	Space      string // as spaces.RecordID returns it
	By         string // the objective of the selection
	Settings   map[string]string
	Vocabulary uint64
	Fragments  uint64
	Columns    []string // the names of the statistics
}

// Row is one fragment of a file.
type Row struct {
	Line          int // the line in the file
	Fragment      string
	Score, Weight float64
	Stats         []float64 // in the order of Header.Columns
}

const (
	magic = "fstore selection "
	// version is the only version that is written and read.
	version = "1"
)
