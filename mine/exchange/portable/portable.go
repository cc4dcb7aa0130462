// Package portable is the text form of selections, one file for each, that goes from
// store to store: a header, then one fragment a line.
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
// Fields are separated by tabs, and the values of settings are JSON strings; fragments
// escape what they need to. The vocabulary hash is that of the store it was written
// from. Numbers are the shortest decimals that read back as they were.
//
// What does not begin so is a list of fragments: a table that fstore printed, TSV, CSV,
// JSON lines or a spreadsheet, whose header has a column fragment, of which nothing else
// is read; or one fragment a line, blank lines being skipped. It imports package index
// only.
package portable

// Header is what a file says of a selection.
type Header struct {
	Space      string // as spaces.RecordID has it
	By         string // the objective
	Settings   map[string]string
	Vocabulary uint64
	Fragments  uint64
	Columns    []string // of statistics
}

// Row is one fragment.
type Row struct {
	Line          int // of the file
	Fragment      string
	Score, Weight float64
	Stats         []float64 // as Header.Columns has them
}

const (
	magic = "fstore selection "
	// version is that of the files written; others are not read.
	version = "1"
)
