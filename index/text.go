package index

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendEscaped appends a label or word with the escapes of fragment text
// (index/README.md, "Text"): \( \) \\ \s \t \n \r, \xHH for other control bytes, \e for the
// empty string.
func AppendEscaped(dst, s []byte) []byte { return AppendEscapedWith(dst, s, "") }

// AppendEscapedWith is like AppendEscaped, and also writes the bytes of `specials` as \xHH.
func AppendEscapedWith(dst, s []byte, specials string) []byte {
	if len(s) == 0 {
		return append(dst, '\\', 'e')
	}
	const hex = "0123456789ABCDEF"
	plain := 0 // number of leading bytes that need no escape, mostly all
	for plain < len(s) && isPlain[s[plain]] && (specials == "" || strings.IndexByte(specials, s[plain]) < 0) {
		plain++
	}
	dst = append(dst, s[:plain]...)
	for _, b := range s[plain:] {
		switch {
		case letterOf[b] != 0:
			dst = append(dst, '\\', letterOf[b])
		case b < 0x20 || b == 0x7F || strings.IndexByte(specials, b) >= 0:
			dst = append(dst, '\\', 'x', hex[b>>4], hex[b&15])
		default:
			dst = append(dst, b)
		}
	}
	return dst
}

// letterOf maps a byte to its letter after a backslash, and byteOf maps the letter back. 0 means none.
var (
	letterOf = [256]byte{'(': '(', ')': ')', '\\': '\\', ' ': 's', '\t': 't', '\n': 'n', '\r': 'r'}
	byteOf   = [256]byte{'(': '(', ')': ')', '\\': '\\', 's': ' ', 't': '\t', 'n': '\n', 'r': '\r'}
)

// isPlain has the bytes that fragment text never escapes.
var isPlain = func() (plain [256]bool) {
	for b := range plain {
		plain[b] = b >= 0x20 && b != 0x7F && letterOf[b] == 0
	}
	return plain
}()

// AppendUnescaped appends the bytes that escaped text stands for. It is the inverse of AppendEscaped.
func AppendUnescaped(dst, s []byte) ([]byte, error) {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			dst = append(dst, s[i])
			continue
		}
		i++
		if i == len(s) {
			return dst, errors.New(`a backslash at the end of a name: write \\ for a backslash`)
		}
		switch c := s[i]; {
		case byteOf[c] != 0:
			dst = append(dst, byteOf[c])
		case c == 'e':
			if len(s) != 2 {
				return dst, errors.New(`\e is the empty string and stands alone`)
			}
		case c == 'x':
			digits := s[i+1 : min(i+3, len(s))]
			b, err := strconv.ParseUint(string(digits), 16, 8)
			if err != nil || len(digits) != 2 {
				return dst, errors.New(`\x needs two hexadecimal digits`)
			}
			dst = append(dst, byte(b))
			i += 2
		default:
			return dst, fmt.Errorf(`no such escape: \%c`, c)
		}
	}
	return dst, nil
}

// IndexUnescaped returns the index in text of the first of these bytes that has no backslash before it, or
// len(text).
func IndexUnescaped(text, bytes string) int {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if strings.IndexByte(bytes, text[i]) >= 0 {
			return i
		}
	}
	return len(text)
}

// CheckJSON returns an error if text is not valid UTF-8, or has half of a surrogate pair. A JSON reader would
// replace both by U+FFFD, so that different words become one.
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

// escapeLength is the length of an escape such as \u0041.
const escapeLength = 6

// escapedUnit reads an escape of four hexadecimal digits at the start of text.
func escapedUnit(text []byte) (r rune, ok bool) {
	if len(text) < escapeLength || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(text[2:escapeLength]), 16, 16)
	return rune(v), err == nil
}

// byteHint returns a hint if r is half of a surrogate pair that Python writes for a byte that is not UTF-8.
func byteHint(r rune) string {
	if r >= 0xDC80 && r <= 0xDCFF {
		return fmt.Sprintf(": Python has it for the byte 0x%x, which is no UTF-8", r-0xDC00)
	}
	return ""
}
