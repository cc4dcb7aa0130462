// Package conll reads what the CoNLL formats have in common: sentences with a row for each word, columns
// separated by tabs, and a blank line after each sentence. A [Layout] describes what differs.
//
// Where to start reading: reader.go has the loop over lines, skip.go finds the end of a bad sentence, row.go
// reads a row, heads.go checks a tree, comments.go reads comments.
package conll

import (
	"fstore/index"
)

// MaxColumns is the largest len(Layout.Columns).
const MaxColumns = 64

// Layout describes the rows of a format. The first column is the id.
type Layout struct {
	Columns []string // the names of the columns that every row has
	// Further says that rows may have more columns: one for each predicate, or none. Predicate says
	// whether a row is a predicate.
	Further   bool
	Predicate func(*Row) bool
	Filled    []int // columns, from 0, that must not be empty
	Form      int   // the column with the form
	Head      int   // the column with the head's id; -1 if there is none
	// Special says that there may be rows for multiword ranges (3-4) and empty nodes (3.1). They are kept
	// as lines.
	Special bool
	// Line returns the line to keep for such a row. If it is nil, the line is kept as it is.
	Line func(*Row) []byte
	// Plus returns the layout of the rows after a comment `# global.columns` with these names, or a
	// message if they are wrong. If it is nil, that is a comment like any other.
	Plus func(names []string) (l *Layout, msg string)
	// Token returns a row as a token. The head is set later.
	Token func(*Row) index.Token
}

// Row is the columns of a row. They are valid until the next row is read.
type Row struct {
	Column  [MaxColumns][]byte
	Further []byte // the columns after Layout.Columns, with tabs between them

	symbols *index.Symbols
}

// Intern returns the symbol id of the text in column i.
func (r *Row) Intern(i int) uint32 { return r.InternText(r.Column[i]) }

// InternText returns the symbol id of a text that a layout made from columns.
func (r *Row) InternText(text []byte) uint32 { return r.symbols.Intern(index.Words, text) }
