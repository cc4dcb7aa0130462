// Package conll reads what the CoNLL formats have in common: sentences of rows, a
// row a word, columns apart by tabs, a blank line after each sentence. A [Layout]
// says what tells a format apart.
//
// Where to start reading: reader.go has the loop over lines, skip.go where a bad
// sentence ends, row.go one row,
// heads.go the checks on a whole tree, comments.go what comments mean.
package conll

import (
	"fstore/index"
)

// MaxColumns is the largest len(Layout.Columns).
const MaxColumns = 64

// Layout is what a format's rows look like. The first column is the id.
type Layout struct {
	Columns []string // their names: those that every row has
	// Further says that rows may have more columns: as many as there are predicates,
	// or none. Predicate says whether a row is one.
	Further   bool
	Predicate func(*Row) bool
	Filled    []int // the columns, from 0, that may not be empty
	Form      int   // the column with the form
	Head      int   // the column with the head's id; -1: there is none
	// Special says that there are rows for multiword ranges (3-4) and for empty nodes
	// (3.1), which are kept as lines.
	Special bool
	// Line makes such a line of a row; nil: the line stays as it is.
	Line func(*Row) []byte
	// Plus makes the layout of the rows that follow a comment `# global.columns` with these
	// names, or says what is wrong with the names; nil: that is a comment like any other.
	Plus func(names []string) (l *Layout, msg string)
	// Token makes a word of a row, but for its head.
	Token func(*Row) index.Token
}

// Row is the columns of a row, valid until the next one is read.
type Row struct {
	Column  [MaxColumns][]byte
	Further []byte // those beyond Layout.Columns, tabs between

	symbols *index.Symbols
}

// Intern returns the id of column i.
func (r *Row) Intern(i int) uint32 { return r.InternText(r.Column[i]) }

// InternText returns the id of a string that a layout made of columns.
func (r *Row) InternText(text []byte) uint32 { return r.symbols.Intern(index.Words, text) }
