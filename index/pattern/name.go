package pattern

import (
	"strings"

	"fstore/index"
	"fstore/index/glob"
)

// AppendName appends a name, or the value of a condition, as a pattern spells it: what would mean
// something else is escaped.
func AppendName(dst []byte, s []byte) []byte {
	from := len(dst)
	dst = index.AppendEscapedWith(dst, s, "<>[]|")
	text := string(dst[from:])
	hex := func(i int) {
		const digits = "0123456789ABCDEF"
		b := text[i]
		dst = append(append(dst[:from], text[:i]...), '\\', 'x', digits[b>>4], digits[b&15])
		dst = append(dst, text[i+1:]...)
	}
	switch last := len(text) - 1; {
	case text == glob.Wildcard, text == glob.Rest, text == string(star), strings.HasPrefix(text, foldMark), strings.IndexByte("=\"'`", text[0]) >= 0:
		hex(0)
	case text[last] == star:
		hex(last)
	}
	return dst
}
