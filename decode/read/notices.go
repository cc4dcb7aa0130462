package read

import (
	"fmt"

	"fstore/decode/format"
	"fstore/index"
)

// notices are the oddities that were found, by kind.
type notices [format.NumNotices]struct {
	n     int
	first string
}

// notice takes in an oddity of a sample that starts on a line of a file.
func (in *Inputs) notice(kind format.Notice, file string, line int, text string) {
	n := &in.notices[kind]
	if n.n++; n.n == 1 {
		n.first = fmt.Sprintf("%s:%d: %s", file, line, text)
	}
}

// tellNotices says what was odd, once.
func (in *Inputs) tellNotices() {
	for kind := range in.notices {
		n := &in.notices[kind]
		if n.n == 0 || in.o.OnWarn == nil {
			continue
		}
		line := n.first
		if n.n > 1 {
			line += fmt.Sprintf(" (%s like it)", index.Plural(n.n, "sample"))
		}
		in.o.OnWarn(line)
		n.n = 0
	}
}
