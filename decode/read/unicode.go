package read

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"fstore/decode/format"
	"fstore/index"
)

// NormalizeNFC is the value of InputOptions.NormalizeUnicode that gives each character only one spelling. An
// é can be one code point, or the letter e and an accent.
const NormalizeNFC = "nfc"

// normal returns the function that normalizes text which jsonl has decoded, or nil if text is not normalized.
func (o *InputOptions) normal() func(text string) string {
	if o.NormalizeUnicode == "" {
		return nil
	}
	return norm.NFC.String
}

// nfcReader returns the text of r in NFC. It returns a line without waiting for the next line.
type nfcReader struct {
	r    io.Reader
	text []byte // text that is read and not yet normalized
	out  []byte // normalized text
	done int    // number of bytes of out that were returned
	err  error
}

func (n *nfcReader) Read(p []byte) (int, error) {
	for n.done == len(n.out) {
		if n.err != nil {
			return 0, n.err
		}
		n.fill()
	}
	k := copy(p, n.out[n.done:])
	n.done += k
	return k, nil
}

// fill reads more text, and normalizes the part that later text cannot change.
func (n *nfcReader) fill() {
	n.text = slices.Grow(n.text, 64<<10)
	k, err := format.ReadSome(n.r, n.text[len(n.text):cap(n.text)])
	n.text, n.err = n.text[:len(n.text)+k], err
	end := len(n.text)
	if err == nil {
		end = max(bytes.LastIndexByte(n.text, '\n')+1, norm.NFC.LastBoundary(n.text), 0)
	}
	n.out, n.done = norm.NFC.Append(n.out[:0], n.text[:end]...), 0
	n.text = n.text[:copy(n.text, n.text[end:])]
}

// text returns the text of an input, normalized if the options say so.
func (o *InputOptions) text(r io.Reader) io.Reader {
	if o.NormalizeUnicode != NormalizeNFC {
		return r
	}
	return &nfcReader{r: r}
}

// normalized returns the name of a file, normalized like text. An invalid byte becomes \xHH, so that
// different names stay different.
func (o *InputOptions) normalized(name string) string {
	if !utf8.ValidString(name) {
		var b []byte
		for i, r := range name {
			if _, n := utf8.DecodeRuneInString(name[i:]); r == utf8.RuneError && n == 1 {
				b = fmt.Appendf(b, `\x%02X`, name[i])
			} else {
				b = utf8.AppendRune(b, r)
			}
		}
		name = string(b)
	}
	if o.NormalizeUnicode != NormalizeNFC {
		return name
	}
	return norm.NFC.String(name)
}

// symbolCounts are the counts of labels and words in the symbols.
type symbolCounts [2]int

var spelled = [...]index.Class{index.Labels, index.Words}

func countSymbols(s *index.Symbols) (n symbolCounts) {
	for i, c := range spelled {
		n[i] = s.Len(c)
	}
	return n
}

// spellings looks for words that occur in two forms of Unicode.
type spellings struct {
	// If decomposed is false, every word so far was in NFC, so no word occurs in two forms.
	decomposed bool
	notices    *notices
}

// look examines the symbols added since `before`, and reports one that occurs in two forms of Unicode.
func (w *spellings) look(s *index.Symbols, before symbolCounts, file string, line int) {
	if w.notices[format.TwoForms].n > 0 || s.Frozen() && before == (symbolCounts{}) {
		return // reported before, or the symbols keep no earlier words
	}
	for i, c := range spelled {
		for id := before[i] + 1; id <= s.Len(c); id++ {
			word := s.Bytes(c, uint32(id))
			if isASCII(word) {
				continue
			}
			if c == index.Labels {
				w.lookForSpace(word, file, line)
			}
			composed := norm.NFC.IsNormal(word)
			w.decomposed = w.decomposed || !composed
			for _, form := range [...]norm.Form{norm.NFC, norm.NFD} {
				if form == norm.NFC && composed || form == norm.NFD && (!w.decomposed || norm.NFD.IsNormal(word)) {
					continue
				}
				if other := form.Bytes(word); s.Lookup(c, other) != 0 {
					w.notices.add(format.TwoForms, file, line, fmt.Sprintf("%s is there as %+q and as %+q (NFC and NFD), which count as two words; --normalize-unicode nfc makes them one", word, other, word))
					return
				}
			}
		}
	}
}

// lookForSpace reports a label with an unusual space, which does not separate the label from a word.
func (w *spellings) lookForSpace(label []byte, file string, line int) {
	if i := bytes.IndexFunc(label, unicode.IsSpace); i >= 0 && w.notices[format.OddSpace].n == 0 {
		r, _ := utf8.DecodeRune(label[i:])
		w.notices.add(format.OddSpace, file, line, fmt.Sprintf("the label %+q has the space %U in it, which parts no label from its word", label, r))
	}
}

func isASCII(word []byte) bool {
	for _, c := range word {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
