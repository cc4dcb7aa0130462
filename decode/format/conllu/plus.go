package conllu

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"fstore/decode/format/internal/conll"
	"fstore/index"
)

// CoNLL-U Plus (universaldependencies.org/ext-format.html) names its columns in a comment, mostly the first
// line of the file:
//
//	# global.columns = ID FORM UPOS HEAD DEPREL PARSEME:MWE
//
// A column of CoNLL-U that is not named gets the value _. A column of another name goes into MISC, as
// PARSEME:MWE=1:LVC.full, with %7C for |. Values _ (not annotated) and * (nothing there) are left out. The
// sentence is printed with the ten columns, without this comment.

// slots has the places of the columns in a row, or -1 for an absent column of CoNLL-U.
type slots struct {
	of    [columns]int
	extra []int
	names []string
	text  []byte // memory for the result of the function misc
}

// plusLayout returns the layout of a file with these columns, or a message that says why the names are wrong.
func plusLayout(names []string) (l *conll.Layout, msg string) {
	s := &slots{names: names}
	for i, name := range names {
		switch {
		case slices.Index(names, name) < i:
			return nil, "# global.columns has " + name + " twice"
		case !slices.Contains(layout.Columns, name):
			s.extra = append(s.extra, i)
		}
	}
	for c, name := range layout.Columns {
		s.of[c] = slices.Index(names, name)
	}
	switch {
	case len(names) > conll.MaxColumns:
		return nil, fmt.Sprintf("# global.columns has %d columns: expected at most %d", len(names), conll.MaxColumns)
	case s.of[0] != 0 || s.of[1] < 0:
		return nil, "# global.columns: expected ID as the first column, and FORM"
	}
	l = &conll.Layout{Columns: names, Form: s.of[1], Head: s.of[6], Special: true, Token: s.token, Line: s.line, Plus: plusLayout}
	for _, c := range layout.Filled {
		if i := s.of[c]; i >= 0 {
			l.Filled = append(l.Filled, i)
		}
	}
	return l, ""
}

// column returns the value of column c of CoNLL-U in the row.
func (s *slots) column(r *conll.Row, c int) []byte {
	switch i := s.of[c]; {
	case c == columns-1:
		return s.misc(r)
	case i >= 0:
		return r.Column[i]
	}
	return conll.None
}

// misc returns the MISC of the row, followed by the columns that CoNLL-U does not have.
func (s *slots) misc(r *conll.Row) []byte {
	own := conll.None
	if i := s.of[columns-1]; i >= 0 {
		own = r.Column[i]
	}
	s.text = s.text[:0]
	if string(own) != "_" {
		s.text = append(s.text, own...)
	}
	for _, i := range s.extra {
		value := r.Column[i]
		if !conll.HasValue(value) || string(value) == "*" {
			continue
		}
		if len(s.text) > 0 {
			s.text = append(s.text, '|')
		}
		s.text = append(append(s.text, s.names[i]...), '=')
		s.text = append(s.text, bytes.ReplaceAll(value, []byte("|"), []byte("%7C"))...)
	}
	if len(s.text) == 0 {
		return own
	}
	return s.text
}

func (s *slots) token(r *conll.Row) index.Token {
	id := func(c int) uint32 { return r.InternText(s.column(r, c)) }
	return index.Token{
		Form: id(1), Lemma: id(2), UPOS: id(3), XPOS: id(4),
		Feats: id(5), Rel: id(7), Deps: id(8), Misc: id(9),
	}
}

// line returns the row of a multiword range or an empty node as a line of CoNLL-U.
func (s *slots) line(r *conll.Row) []byte {
	cells := make([]string, columns)
	for c := range cells {
		cells[c] = string(s.column(r, c))
	}
	return []byte(strings.Join(cells, "\t"))
}
