package conll

import (
	"bytes"
)

// FirstRow returns the first line of a text that is not blank, and whether that is
// no comment.
func FirstRow(head []byte) (row []byte, ok bool) {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimRight(line, "\r\n"); !IsBlank(line) {
			return line, line[0] != '#'
		}
	}
	return nil, false
}
