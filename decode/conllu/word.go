package conllu

import (
	"bytes"
	"strconv"

	"fstore/decode/format"
	"fstore/index"
)

var columnNames = [columns]string{"ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"}

// required columns may not be empty. The others may, against the standard, as
// parsers write them so; empty is another value than _.
var required = [columns]bool{0: true, 1: true, 3: true, 6: true, 7: true}

// word takes in the line of a word, a multiword range or an empty node.
func (r *Reader) word(line []byte) *problem {
	var c [columns][]byte
	n, rest, more := 0, line, true
	for ; more && n < columns; n++ {
		c[n], rest, more = bytes.Cut(rest, []byte{'\t'})
	}
	if more {
		n += 1 + bytes.Count(rest, []byte{'\t'})
	}
	if n != columns {
		return r.problemf("%s: expected %d, separated by tabs", format.Plural(n, "column"), columns)
	}
	for i := range c {
		if len(c[i]) == 0 && required[i] {
			return r.problemf("column %d (%s) is empty: expected a value, or _ for none", i+1, columnNames[i])
		}
	}
	if i := bytes.IndexAny(c[0], ".-"); i >= 0 {
		if p := r.lineID(c[0], i); p != nil {
			return p
		}
		r.t.Lines = append(r.t.Lines, index.Line{Before: len(r.t.Tokens), Text: string(line)})
		return nil
	}
	id, ok := number(c[0])
	if next := len(r.t.Tokens) + 1; !ok || id != next {
		return r.wrongID(c[0], next)
	}
	head, ok := number(c[6])
	switch {
	case !ok:
		return r.problemf("HEAD of word %d is %s: expected a number, 0 for a root", id, format.Quote(c[6]))
	case head == id:
		return r.problemf("word %d %s is its own head: expected another word, or 0", id, format.Quote(c[1]))
	}
	r.emptyEnd = 0
	r.lineOf = append(r.lineOf, r.lines.Number)
	r.t.Tokens = append(r.t.Tokens, index.Token{
		Form: r.intern(c[1]), Lemma: r.intern(c[2]), UPOS: r.intern(c[3]), XPOS: r.intern(c[4]),
		Feats: r.intern(c[5]), Rel: r.intern(c[7]), Deps: r.intern(c[8]), Misc: r.intern(c[9]),
		Head: int32(head),
	})
	return nil
}

func (r *Reader) intern(field []byte) uint32 {
	return r.o.Symbols.Intern(index.Words, field)
}

func (r *Reader) wrongID(id []byte, next int) *problem {
	hint := ""
	if string(id) == "1" {
		hint = ", or a blank line before the next sentence"
	}
	return r.problemf("id %s: expected %d%s", format.Quote(id), next, hint)
}

// lineID checks the id of a multiword range or an empty node; the mark between its
// numbers is at i.
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
	if a != n+1 || b <= a || a <= r.rangeEnd {
		return r.problemf("range %s: expected one that starts at word %d, ends later and overlaps no other", format.Quote(id), max(n, r.rangeEnd)+1)
	}
	r.rangeEnd = b
	return nil
}

// number reads a decimal without sign or leading zeros, as CoNLL-U has them.
func number(b []byte) (int, bool) {
	if len(b) == 0 || len(b) > 9 || len(b) > 1 && b[0] == '0' || b[0] == '+' || b[0] == '-' {
		return 0, false
	}
	n, err := strconv.Atoi(string(b))
	return n, err == nil
}
