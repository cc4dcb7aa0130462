package format

import (
	"bytes"
	"math"
	"path"
	"slices"
	"strconv"
	"unicode/utf8"

	"fstore/index"
)

// BOM is the byte order mark that may open a text.
var bom = []byte("\xEF\xBB\xBF")

// NameScore is what the name of a file tells Format.Sniff: 40 if it has one of the extensions, else 0.
func NameScore(file string, extensions ...string) int {
	if slices.Contains(extensions, path.Ext(file)) {
		return 40
	}
	return 0
}

// TrimBOM returns b without a leading UTF-8 byte order mark.
func TrimBOM(b []byte) []byte { return bytes.TrimPrefix(b, bom) }

// Encoding says which encoding other than UTF-8 the start of a text shows, by its mark of byte
// order or by the NUL bytes of its first characters: "UTF-16", "UTF-32", or "" for none.
func Encoding(head []byte) string {
	if bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")) || bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")) {
		return "UTF-32"
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return "UTF-16"
	}
	if len(head) < 4 {
		return ""
	}
	var nul [4]bool
	for i := range nul {
		nul[i] = head[i] == 0
	}
	switch nul {
	case [...]bool{false, true, false, true}, [...]bool{true, false, true, false}:
		return "UTF-16"
	case [...]bool{false, true, true, true}, [...]bool{true, true, true, false}:
		return "UTF-32"
	}
	return ""
}

// FirstInvalid returns the offset of the first byte of b that is no UTF-8, -1
// where there is none.
func FirstInvalid(b []byte) int {
	if utf8.Valid(b) { // much faster than what follows
		return -1
	}
	i := 0
	for r, n := utf8.DecodeRune(b); r != utf8.RuneError || n != 1; r, n = utf8.DecodeRune(b[i:]) {
		i += n
	}
	return i
}

// Quote returns text as a message shows it: quoted, and cut where it is long.
func Quote(text []byte) string {
	const most = 40
	if len(text) <= most {
		return strconv.Quote(string(text))
	}
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return strconv.Quote(string(text[:n]) + "…")
}

// PartialRune returns how many bytes at the end of b may be the start of a rune
// whose rest has not been read yet.
func PartialRune(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// Decimal reads a finite decimal number, as the tools that use these formats do: no
// hexadecimals, no "inf".
func Decimal(b []byte) (x float64, ok bool) {
	for _, c := range b {
		if (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(b), 64)
	return x, err == nil
}

// Score is Decimal of the score of a candidate.
func Score(b []byte) (x float64, ok bool) {
	x, ok = Decimal(b)
	return x, ok && math.Abs(x) <= index.MostScore
}

// Shortest is the shortest text that is read as the same number.
func Shortest(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
