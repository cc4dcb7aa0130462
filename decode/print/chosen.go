package print

import (
	"path"

	"fstore/decode/format/nbest"
	"fstore/decode/read"
	"fstore/index"
)

// AppendChosen appends a candidate of a K-best list, for a file of this name: in the format that
// it was read in, without the list around brackets unless the name ends in .nbest.
func AppendChosen(dst []byte, file string, t *index.Tree, s *index.Symbols) ([]byte, error) {
	if path.Ext(file) == ".nbest" && t.Kind == index.Constituency {
		return nbest.Append(dst, t, s)
	}
	return read.StoredFormat(t.Kind, t.OneAlphabet).Append(dst, t, s)
}
