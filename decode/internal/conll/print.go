package conll

import (
	"strconv"

	"fstore/index"
)

// AppendToken appends token i as a row of ten columns.
func AppendToken(dst []byte, i int, t *index.Token, s *index.Symbols) []byte {
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
	for _, id := range [...]uint32{t.Rel, t.Deps, t.Misc} {
		dst = append(append(dst, '\t'), s.Bytes(index.Words, id)...)
	}
	return append(dst, '\n')
}
