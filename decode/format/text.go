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

// bom is the byte order mark, with which a text can start.
var bom = []byte("\xEF\xBB\xBF")

// NameScore returns 40 if the file name has one of the extensions, else 0. Format.Sniff adds the result to
// its score.
func NameScore(file string, extensions ...string) int {
	if slices.Contains(extensions, path.Ext(file)) {
		return 40
	}
	return 0
}

// TrimBOM returns b without a leading UTF-8 byte order mark.
func TrimBOM(b []byte) []byte { return bytes.TrimPrefix(b, bom) }

// Encoding returns "UTF-16" or "UTF-32" if the start of a text is in that encoding, else "".
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

// FirstInvalid returns the offset of the first byte of b that is not valid UTF-8, or -1.
func FirstInvalid(b []byte) int {
	if utf8.Valid(b) { // the common case, much faster than the loop
		return -1
	}
	i := 0
	for r, n := utf8.DecodeRune(b); r != utf8.RuneError || n != 1; r, n = utf8.DecodeRune(b[i:]) {
		i += n
	}
	return i
}

// Quote returns text for a message: in quotes, and cut if it is long.
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

// PartialRune returns how many bytes at the end of b belong to an incomplete rune.
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

// Decimal reads a finite decimal number. Like other tools for these formats, it refuses hexadecimal numbers
// and "inf".
func Decimal(b []byte) (x float64, ok bool) {
	for _, c := range b {
		if (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(b), 64)
	return x, err == nil
}

// Score reads the score of a candidate, a decimal number between -index.MostScore and index.MostScore.
func Score(b []byte) (x float64, ok bool) {
	x, ok = Decimal(b)
	return x, ok && math.Abs(x) <= index.MostScore
}

// Shortest returns the shortest text that reads back as the same number.
func Shortest(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
