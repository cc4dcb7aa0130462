package nbest

import (
	"strconv"

	"fstore/decode/format/ptb"
	"fstore/index"
)

// Append appends a list of one candidate: a tree with its score, and its name as the id.
func Append(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error) {
	dst = append(append(append(dst, "1 "...), t.Name...), '\n')
	dst = append(strconv.AppendFloat(dst, t.Score, 'g', -1, 64), '\n')
	return ptb.Append(dst, t, s)
}
