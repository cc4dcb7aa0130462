// Package foreign recognises treebank formats that fstore does not read, so that an input is refused with the
// name of its format.
package foreign

import (
	"bytes"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fstore/decode/format"
)

// formats lists the formats that this package recognises, with their names for --input-format.
var formats = []struct {
	called string
	names  []string
	hint   string
}{
	{"discbracket", []string{"discbracket", "disc-bracket", "discontinuous"}, "its words have numbers, as in 0=Wake, and its trees may be discontinuous: write them as brackets first; --input-format ptb reads them as they stand"},
	{"NEGRA export", []string{"negra", "export", "negra-export"}, "its trees may be discontinuous: write them as brackets, or as CoNLL-U, first"},
	{"TIGER-XML", []string{"tiger", "tigerxml", "tiger-xml", "xml"}, "its trees may be discontinuous: write them as brackets, or as CoNLL-U, first"},
	{"CCGbank", []string{"ccgbank", "ccg", "auto"}, "its nodes have several fields, as in <T S[dcl] 0 2>: write the trees as brackets first; --input-format ptb reads them as they stand"},
	{"AMR", []string{"amr", "penman"}, "its graphs are no trees, as in (b / boy :mod (l / little))"},
}

const blanks = " \t\r\n\v\f"

// amr matches the start of an AMR graph: a variable, a slash and a concept.
var amr = regexp.MustCompile(`^\(\s*[^\s()]+\s+/\s+[^\s()]`)

// Refusal returns a message that says why fstore does not read the format with this --input-format name. It
// returns "" for all other names.
func Refusal(name string) string {
	for i := range formats {
		if slices.Contains(formats[i].names, strings.ToLower(name)) {
			return refusal(i)
		}
	}
	return ""
}

func refusal(i int) string { return formats[i].called + " is not read: " + formats[i].hint }

// Recognise returns a message that says why a text is not read, or "" if this package does not know its
// format. The head of the text must reach the first line that is neither blank nor starts with '#'.
func Recognise(head []byte) string {
	if other := format.Encoding(head); other != "" {
		return fmt.Sprintf("%s is not read: write the text in UTF-8 first (PowerShell: Set-Content -Encoding utf8; else iconv -f %s -t utf-8)", other, strings.ToLower(other))
	}
	text := bytes.TrimLeft(head, blanks)
	switch {
	case len(text) == 0:
		return ""
	case amr.Match(belowComments(text)):
		return refusal(4)
	case isCCG(text):
		return refusal(3)
	case text[0] == '(' && isDiscbracket(text):
		return refusal(0)
	case isExport(text):
		return refusal(1)
	case text[0] == '<':
		return xml(text)
	}
	return ""
}

func belowComments(text []byte) []byte {
	for len(text) > 0 && text[0] == '#' {
		_, text, _ = bytes.Cut(text, []byte("\n"))
		text = bytes.TrimLeft(text, blanks)
	}
	return text
}

// isCCG says whether the first tree is a CCGbank tree, with or without the ID line above it.
func isCCG(text []byte) bool {
	if bytes.HasPrefix(text, []byte("ID=")) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	if !bytes.HasPrefix(text, []byte("(<T ")) && !bytes.HasPrefix(text, []byte("(<L ")) {
		return false
	}
	end := bytes.IndexByte(text, '>')
	return end > 0 && bytes.IndexByte(text[1:end], '(') < 0
}

// isDiscbracket says whether the words of the first tree are numbered, as in 0=Wake 2=up.
func isDiscbracket(text []byte) bool {
	seen := map[int]bool{}
	depth, label := 0, false
	for p := 0; p < len(text); {
		switch c := text[p]; {
		case c == '(':
			depth++
			label = true
			p++
		case c == ')':
			label = false
			p++
			if depth--; depth == 0 {
				return isPermutation(seen)
			}
		case c == ' ' || c >= '\t' && c <= '\r':
			p++
		default:
			n := bytes.IndexAny(text[p:], "() \t\r\n\v\f")
			if n < 0 {
				return len(seen) > 0 // the word may be cut off
			}
			if !label && !number(text[p:p+n], seen) {
				return false
			}
			label = false
			p += n
		}
	}
	return len(seen) > 0
}

// Numbered returns a message if the words of a tree are numbered as in discbracket, else "".
func Numbered(words iter.Seq[[]byte]) string {
	seen := map[int]bool{}
	for word := range words {
		if !number(word, seen) {
			return ""
		}
	}
	if !isPermutation(seen) {
		return ""
	}
	return refusal(0)
}

// number adds the number of a word to the set. It returns false if the word has no number or a repeated one.
func number(word []byte, seen map[int]bool) bool {
	digits, _, found := bytes.Cut(word, []byte{'='})
	i, err := strconv.Atoi(string(digits))
	if !found || err != nil || i < 0 || seen[i] || digits[0] == '+' {
		return false
	}
	seen[i] = true
	return true
}

// isPermutation says whether the numbers are 0, 1, 2 and so on, without a gap.
func isPermutation(seen map[int]bool) bool {
	for i := range len(seen) {
		if !seen[i] {
			return false
		}
	}
	return len(seen) > 0
}

// isExport says whether the leading '#' lines have the marks of the NEGRA export format.
func isExport(text []byte) bool {
	for line := range bytes.Lines(text) {
		for _, mark := range []string{"#FORMAT ", "#BOS ", "#BOT "} {
			if bytes.HasPrefix(line, []byte(mark)) {
				return true
			}
		}
		if line[0] != '#' && !bytes.HasPrefix(line, []byte("%%")) && len(bytes.TrimSpace(line)) > 0 {
			return false
		}
	}
	return false
}

// xml returns a message that a text is XML. If its kind of XML is known, the message names it.
func xml(text []byte) string {
	for _, element := range []string{"<corpus", "<subcorpus", "<graph", "<terminals"} {
		if bytes.Contains(text, []byte(element)) {
			return refusal(2)
		}
	}
	if bytes.HasPrefix(text, []byte("<?xml")) || bytes.HasPrefix(text, []byte("<!")) || bytes.HasSuffix(bytes.TrimSpace(text), []byte(">")) {
		return "XML is not read, TIGER-XML, Alpino, PML or other: write the trees as brackets, or as CoNLL-U, first"
	}
	return ""
}
