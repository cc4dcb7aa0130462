// Package conll09 reads the columns of the CoNLL shared task of 2009:
//
//	ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED APRED…
//
// A sentence has one APRED column for each predicate, or none. POS becomes UPOS, PPOS becomes XPOS. A
// predicted value (PLEMMA, PFEAT, PPOS) replaces a missing LEMMA, FEAT or POS. PRED and the APREDs become
// part of Misc, as Pred=… and Args=…, with commas between the APREDs.
//
// Package conll does the reading.
package conll09

import (
	"bytes"
	"io"

	"fstore/decode/format"
	"fstore/decode/format/internal/conll"
	"fstore/index"
)

// Format is the entry of conll09 in read.Formats.
var Format = format.Format{
	Name:  "conll09",
	Kind:  index.Dependency,
	Sniff: sniff,
	Open:  func(r io.Reader, o format.Options) index.Source { return conll.Open(newLayout(o.Losses), r, o) },
}

// The columns that the reader uses.
const (
	form = 1 + iota
	lemma
	predictedLemma
	pos
	predictedPOS
	feats
	predictedFeats
	head
	predictedHead
	relation
	predictedRelation
	isPredicate
	predicate
)

// newLayout returns a layout for one reader.
func newLayout(lost *format.Losses) *conll.Layout {
	var misc []byte
	return &conll.Layout{
		Columns: []string{
			"ID", "FORM", "LEMMA", "PLEMMA", "POS", "PPOS", "FEAT", "PFEAT",
			"HEAD", "PHEAD", "DEPREL", "PDEPREL", "FILLPRED", "PRED",
		},
		Further:   true,
		Predicate: func(r *conll.Row) bool { return string(r.Column[isPredicate]) == "Y" },
		Filled:    []int{0, form, head, relation},
		Form:      form,
		Head:      head,
		Token: func(r *conll.Row) index.Token {
			misc = appendRoles(misc[:0], r)
			if lost != nil {
				count(lost, r)
			}
			return index.Token{
				Form: r.Intern(form), Lemma: either(r, lemma, predictedLemma),
				UPOS: either(r, pos, predictedPOS), XPOS: either(r, predictedPOS, pos),
				Feats: either(r, feats, predictedFeats), Rel: r.Intern(relation),
				Deps: r.InternText(conll.None), Misc: r.InternText(misc),
			}
		},
	}
}

// either returns the symbol id of column `a` or, if it has no value, of column `b`.
func either(r *conll.Row, a, b int) uint32 {
	for _, i := range [...]int{a, b} {
		if conll.HasValue(r.Column[i]) {
			return r.Intern(i)
		}
	}
	return r.InternText(conll.None)
}

// count counts the values of a row that a token has no field for.
func count(lost *format.Losses, r *conll.Row) {
	both := func(a, b int) bool { return conll.HasValue(r.Column[a]) && conll.HasValue(r.Column[b]) }
	if both(lemma, predictedLemma) || both(feats, predictedFeats) {
		lost.Guessed++
	}
	if conll.HasValue(r.Column[predictedHead]) || conll.HasValue(r.Column[predictedRelation]) {
		lost.Pheads++
	}
}

// appendRoles appends the text of Misc: a row's predicate and arguments.
func appendRoles(dst []byte, r *conll.Row) []byte {
	if p := r.Column[predicate]; conll.HasValue(p) {
		dst = append(append(dst, "Pred="...), p...)
	}
	if len(bytes.Trim(r.Further, "_\t")) > 0 {
		if len(dst) > 0 {
			dst = append(dst, '|')
		}
		dst = append(dst, "Args="...)
		from := len(dst)
		dst = append(dst, r.Further...)
		for i, c := range dst[from:] {
			if c == '\t' {
				dst[from+i] = ','
			}
		}
	}
	if len(dst) == 0 {
		return conll.None
	}
	return dst
}

// sniff looks for a first line of data with the id 1 and at least fourteen columns.
func sniff(file string, head []byte) int {
	score := max(format.NameScore(file, ".conll09", ".conll2009"), format.NameScore(file, ".conll")/2)
	line, ok := conll.FirstRow(head)
	if !ok && score < 40 {
		return 0
	}
	if n := bytes.Count(line, []byte{'\t'}) + 1; n < 14 || !bytes.HasPrefix(line, []byte("1\t")) {
		return score / 2
	}
	return score + 60
}
