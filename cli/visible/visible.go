// Package visible makes text safe for a terminal. Names, labels and words can contain escape sequences, and
// the terminal must not obey them. It imports nothing from the project.
package visible

import (
	"io"
	"unicode/utf8"
)

const hex = "0123456789abcdef"

// Append appends text with its control characters made visible as \n, \t, \r, \xHH or \uHHHH. Characters that
// change the direction of writing count too. Characters in exempt are not changed.
func Append(dst, text []byte, exempt string) []byte {
	from := 0
	for i := 0; i < len(text); {
		if b := text[i]; b >= ' ' && b < 0x7F {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			r = rune(text[i]) // a byte that is not UTF-8: some terminals read it as a C1 control
		}
		if !acts(r) || isKept(r, exempt) {
			i += n
			continue
		}
		dst = append(append(dst, text[from:i]...), escape(r)...)
		i += n
		from = i
	}
	return append(dst, text[from:]...)
}

// Text is Append for a string.
func Text(text, exempt string) string { return string(Append(nil, []byte(text), exempt)) }

func acts(r rune) bool {
	return r < ' ' || r >= 0x7F && r < 0xA0 || r == '\u061C' || r == '\u200E' || r == '\u200F' || r == '\u2028' || r == '\u2029' || r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

func isKept(r rune, exempt string) bool {
	for _, k := range exempt {
		if r == k {
			return true
		}
	}
	return false
}

func escape(r rune) []byte {
	switch r {
	case '\n':
		return []byte(`\n`)
	case '\t':
		return []byte(`\t`)
	case '\r':
		return []byte(`\r`)
	}
	if r > 0xFF {
		return []byte{'\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15]}
	}
	return []byte{'\\', 'x', hex[r>>4&15], hex[r&15]}
}

// Writer returns a writer that makes all control characters visible except line breaks and tabs.
func Writer(w io.Writer) io.Writer { return &writer{w: w} }

type writer struct {
	w    io.Writer
	part []byte // the first bytes of an incomplete character
	buf  []byte
}

func (v *writer) Write(p []byte) (int, error) {
	text := append(v.part, p...)
	end := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if b := text[len(text)-back]; utf8.RuneStart(b) {
			if !utf8.FullRune(text[len(text)-back:]) {
				end -= back
			}
			break
		}
	}
	v.buf = Append(v.buf[:0], text[:end], "\n\t")
	v.part = append([]byte(nil), text[end:]...)
	if _, err := v.w.Write(v.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}
