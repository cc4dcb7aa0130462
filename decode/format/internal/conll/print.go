package conll

import (
	"bytes"
	"strconv"

	"fstore/index"
)

// AppendToken appends token i as a row of ten columns. The caller gives the last two columns.
func AppendToken(dst []byte, i int, t *index.Token, s *index.Symbols, ninth, tenth []byte) []byte {
	dst = strconv.AppendInt(dst, int64(i)+1, 10)
	for _, id := range [...]uint32{t.Form, t.Lemma, t.UPOS, t.XPOS, t.Feats} {
		dst = append(append(dst, '\t'), s.Bytes(index.Words, id)...)
	}
	dst = append(dst, '\t')
	if t.Head < 0 {
		dst = append(dst, '_')
	} else {
		dst = strconv.AppendInt(dst, int64(t.Head), 10)
	}
	for _, field := range [...][]byte{s.Bytes(index.Words, t.Rel), ninth, tenth} {
		dst = append(append(dst, '\t'), field...)
	}
	return append(dst, '\n')
}

// None is the text of a column without a value.
var None = []byte("_")

// HasValue says whether a column is neither empty nor _.
func HasValue(column []byte) bool { return len(column) > 0 && string(column) != "_" }

// Projective returns the value of Token.Misc for this PHEAD and PDEPREL, or nil if both are _. The value
// contains a tab, so it differs from every MISC of CoNLL-U.
func Projective(head, rel []byte) []byte {
	if string(head) == "_" && string(rel) == "_" {
		return nil
	}
	return append(append(append([]byte(nil), head...), '\t'), rel...)
}

// Pheads counts the words of t that have a PHEAD or PDEPREL.
func Pheads(t *index.Tree, s *index.Symbols) (n int) {
	for i := range t.Tokens {
		if IsProjective(s.Bytes(index.Words, t.Tokens[i].Misc)) {
			n++
		}
	}
	return n
}

// IsProjective says whether Token.Misc holds a projective head and relation: a PHEAD, a tab and a PDEPREL.
func IsProjective(misc []byte) bool { return bytes.IndexByte(misc, '\t') >= 0 }
