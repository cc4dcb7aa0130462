package index

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// CheckJSON returns an error if text has bytes that are no UTF-8, or half of a surrogate pair. A
// reader of JSON replaces these by U+FFFD and says nothing, so that different words become one.
func CheckJSON(text []byte) error {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && n == 1 {
				return fmt.Errorf("invalid UTF-8 at column %d: expected UTF-8 text", i+1)
			}
			i += n - 1
			continue
		}
		if text[i] != '\\' {
			continue
		}
		first, ok := escapedUnit(text[i:])
		if !ok || !utf16.IsSurrogate(first) {
			i++ // past the escaped byte; the digits after \u are bytes like others
			continue
		}
		second, _ := escapedUnit(text[i+escapeLength:])
		if utf16.DecodeRune(first, second) == utf8.RuneError {
			return fmt.Errorf("%s at column %d is half of a surrogate pair, and no character%s", text[i:i+escapeLength], i+1, byteHint(first))
		}
		i += 2*escapeLength - 1
	}
	return nil
}

// escapeLength is the length of \u0041.
const escapeLength = 6

// escapedUnit reads an escape of four hexadecimal digits at the start of text.
func escapedUnit(text []byte) (r rune, ok bool) {
	if len(text) < escapeLength || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(text[2:escapeLength]), 16, 16)
	return rune(v), err == nil
}

// byteHint says which byte Python means by a half: surrogateescape writes U+DC80 to U+DCFF for bytes.
func byteHint(r rune) string {
	if r >= 0xDC80 && r <= 0xDCFF {
		return fmt.Sprintf(": Python has it for the byte 0x%x, which is no UTF-8", r-0xDC00)
	}
	return ""
}
