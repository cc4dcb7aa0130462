package conll

import (
	"bytes"
	"fmt"
	"strconv"

	"fstore/decode/format"
	"fstore/index"
)

// row reads the line of a word, a multiword range or an empty node.
func (r *Reader) row(line []byte) *problem {
	if p := r.split(line); p != nil {
		return p
	}
	c := &r.cells.Column
	if i := bytes.IndexAny(c[0], ".-"); i >= 0 && r.layout.Special {
		if p := r.lineID(c[0], i); p != nil {
			return p
		}
		if r.layout.Line != nil {
			line = r.layout.Line(&r.cells)
		}
		r.t.Lines = append(r.t.Lines, index.Line{Before: len(r.t.Tokens), Text: string(line)})
		return nil
	}
	id, ok := number(c[0])
	if next := len(r.t.Tokens) + 1; !ok || id != next {
		return r.wrongID(c[0], next)
	}
	text := None
	if r.layout.Head >= 0 {
		text = c[r.layout.Head]
	}
	head, ok := number(text)
	switch {
	case !ok && r.o.Unparsed && string(text) == "_":
		head = -1
	case r.layout.Head < 0:
		return r.problem("the sentence has no column HEAD: expected one in # global.columns")
	case !ok:
		return r.problemf("HEAD of word %d is %s: expected a number, 0 for a root", id, format.Quote(text))
	case head == id:
		return r.problemf("word %d %s is its own head: expected another word, or 0", id, format.Quote(c[r.layout.Form]))
	}
	r.emptyEnd = 0
	r.lineOf = append(r.lineOf, r.lines.Number)
	if p := r.layout.Predicate; p != nil && p(&r.cells) {
		r.predicates++
	}
	token := r.layout.Token(&r.cells)
	token.Head = int32(head)
	r.t.Tokens = append(r.t.Tokens, token)
	return nil
}

// split cuts a line into columns and checks their number.
func (r *Reader) split(line []byte) *problem {
	want := len(r.layout.Columns)
	c := r.cells.Column[:want]
	n, rest, more := 0, line, true
	for ; more && n < want; n++ {
		c[n], rest, more = bytes.Cut(rest, []byte{'\t'})
	}
	r.cells.Further = nil
	if more {
		r.cells.Further = rest
		n += 1 + bytes.Count(rest, []byte{'\t'})
	}
	if n != want {
		switch {
		case !r.layout.Further:
			return r.problemf("%s: expected %d, separated by tabs", index.Plural(n, "column"), want)
		case n < want:
			return r.problemf("%s: expected %d or more, separated by tabs", index.Plural(n, "column"), want)
		}
	}
	if r.columns == 0 {
		r.columns = n
	} else if n != r.columns {
		return r.problemf("%s: expected %d, as in the sentence's first word", index.Plural(n, "column"), r.columns)
	}
	for _, i := range r.layout.Filled {
		if len(c[i]) == 0 {
			return r.problemf("column %d (%s) is empty: expected a value, or _ for none", i+1, r.layout.Columns[i])
		}
	}
	return nil
}

// checkFurther returns a problem if the number of further columns is neither 0 nor the number of predicates.
func (r *Reader) checkFurther() *problem {
	if n := r.columns - len(r.layout.Columns); n > 0 && n != r.predicates {
		return &problem{r.first, fmt.Sprintf("%s beyond the first %d, and %s: expected as many",
			index.Plural(n, "column"), len(r.layout.Columns), index.Plural(r.predicates, "predicate"))}
	}
	return nil
}

func (r *Reader) wrongID(id []byte, next int) *problem {
	hint := ""
	if string(id) == "1" {
		hint = ", or a blank line before the next sentence"
	}
	return r.problemf("id %s: expected %d%s", format.Quote(id), next, hint)
}

// lineID checks the id of a multiword range (3-4) or of an empty node (3.1).
func (r *Reader) lineID(id []byte, i int) *problem {
	a, ok := number(id[:i])
	b, ok2 := number(id[i+1:])
	if !ok || !ok2 {
		return r.problemf("id %s: expected a number, a range such as 3-4, or an empty node such as 3.1", format.Quote(id))
	}
	n := len(r.t.Tokens)
	if id[i] == '.' {
		if a != n || b != r.emptyEnd+1 {
			return r.problemf("id %s: expected empty node %d.%d or word %d", format.Quote(id), n, r.emptyEnd+1, n+1)
		}
		r.emptyEnd = b
		return nil
	}
	if a != n+1 || b < a || a <= r.rangeEnd {
		return r.problemf("range %s: expected one that starts at word %d, ends there or later and overlaps no other", format.Quote(id), max(n, r.rangeEnd)+1)
	}
	r.rangeEnd = b
	return nil
}

// number reads a whole number without a sign or leading zeros, as CoNLL-U requires.
func number(b []byte) (int, bool) {
	if len(b) == 0 || len(b) > 9 || len(b) > 1 && b[0] == '0' || b[0] == '+' || b[0] == '-' {
		return 0, false
	}
	n, err := strconv.Atoi(string(b))
	return n, err == nil
}

// TenColumns is a Layout.Token for formats whose columns are the fields of a token.
func TenColumns(r *Row) index.Token {
	return index.Token{
		Form: r.Intern(1), Lemma: r.Intern(2), UPOS: r.Intern(3), XPOS: r.Intern(4),
		Feats: r.Intern(5), Rel: r.Intern(7), Deps: r.Intern(8), Misc: r.Intern(9),
	}
}
