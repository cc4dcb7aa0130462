// Package conll reads the parts that all CoNLL formats have in common: sentences with a row for each word,
// columns separated by tabs, and a blank line after each sentence. A [Layout] describes the differences.
//
// Where to start reading: sentence.go has the loop over lines, skip.go finds the end of a bad sentence,
// row.go reads a row, heads.go checks a tree, comments.go reads comments.
package conll

import "fstore/index"

// MaxColumns is the maximum length of Layout.Columns.
const MaxColumns = 64

// Layout describes the rows of a format. The first column is the id.
type Layout struct {
	Columns []string // the names of the columns that every row has
	// Further allows one more column for each row for which Predicate returns true.
	Further   bool
	Predicate func(*Row) bool
	Filled    []int // columns, from 0, that must not be empty
	Form      int   // the column with the form
	Head      int   // the column with the head's id; -1 if there is none
	// Special allows rows for multiword ranges (3-4) and empty nodes (3.1), which are kept as lines.
	Special bool
	// Line returns the line to keep for a multiword range or an empty node. A nil Line keeps the line
	// unchanged.
	Line func(*Row) []byte
	// Plus returns the layout after a comment `# global.columns` with these names, or a message if the names
	// are wrong. If Plus is nil, the comment is an ordinary one.
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
