// Package jsontext writes text as JSON strings.
package jsontext

import (
	"fmt"
	"unicode/utf8"
)

// Append appends text as a JSON string, with its quotes. Invalid UTF-8 becomes U+FFFD, because JSON cannot
// contain it.
func Append(dst, text []byte) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(text); {
		b := text[i]
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(dst, text[from:i]...)
				dst = append(dst, "\uFFFD"...)
				from = i + 1
			}
			i += n
			continue
		}
		if b >= ' ' && b != '"' && b != '\\' {
			i++
			continue
		}
		dst = append(dst, text[from:i]...)
		switch b {
		case '"', '\\':
			dst = append(dst, '\\', b)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, b)
		}
		i++
		from = i
	}
	return append(append(dst, text[from:]...), '"')
}
