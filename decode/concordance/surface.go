package concordance

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fstore/decode/format"
	"fstore/index"
)

// Span is a part of a text, as byte offsets.
type Span struct{ From, To int }

// Text is the surface text of a sample.
type Text struct {
	Text string
	// Spans has an entry for each node or token. A node without words has an empty span. Each word of a
	// multiword range has the span of the whole range.
	Spans []Span
}

// Surface returns the text of t: its `# text` if this comment contains all words in order, else the words
// joined by spaces.
func Surface(t *index.Tree, s *index.Symbols) Text {
	if t.Kind == index.Constituency {
		return leavesText(t, s)
	}
	units := surfaceUnits(t, s)
	for _, c := range t.Comments {
		if key, text, ok := format.ParseComment(c); ok && key == "text" {
			if spans, ok := align(text, units, len(t.Tokens)); ok {
				return Text{text, spans}
			}
		}
	}
	return joined(units, len(t.Tokens))
}

// Split cuts the text before the first and after the last of the given nodes or tokens. If there are none,
// `left` is the whole text.
func (x *Text) Split(items []int32) (left, match, right string) {
	if len(items) == 0 {
		return x.Text, "", ""
	}
	from, to := len(x.Text), 0
	for _, i := range items {
		from, to = min(from, x.Spans[i].From), max(to, x.Spans[i].To)
	}
	return x.Text[:from], x.Text[from:to], x.Text[to:]
}

func leavesText(t *index.Tree, s *index.Symbols) Text {
	var text []byte
	var leaves []Span
	for i := range t.Nodes {
		if !t.IsWord(i) {
			continue
		}
		class := index.Labels
		if t.Nodes[i].Word {
			class = index.Words
		}
		if len(text) > 0 {
			text = append(text, ' ')
		}
		from := len(text)
		text = append(text, s.Bytes(class, t.Nodes[i].Sym)...)
		leaves = append(leaves, Span{from, len(text)})
	}
	before := wordsBefore(t)
	x := Text{string(text), make([]Span, len(t.Nodes))}
	for i := range t.Nodes {
		a, b := before[i], before[i+int(t.Nodes[i].Size)]
		switch {
		case a < b:
			x.Spans[i] = Span{leaves[a].From, leaves[b-1].To}
		case a > 0:
			x.Spans[i] = Span{leaves[a-1].To, leaves[a-1].To}
		}
	}
	return x
}

// wordsBefore returns the number of words before each node, and at the end the number of all words.
func wordsBefore(t *index.Tree) []int {
	before := make([]int, len(t.Nodes)+1)
	for i := range t.Nodes {
		before[i+1] = before[i]
		if t.IsWord(i) {
			before[i+1]++
		}
	}
	return before
}

// unit is a word or a multiword range of the text: tokens[from:to].
type unit struct {
	form     string
	from, to int
}

func surfaceUnits(t *index.Tree, s *index.Symbols) []unit {
	units := make([]unit, 0, len(t.Tokens))
	lines := t.Lines
	for i := 0; i < len(t.Tokens); {
		u := unit{from: i, to: i + 1}
		found := false
		for ; len(lines) > 0 && lines[0].Before <= i; lines = lines[1:] {
			if form, end, ok := rangeLine(lines[0].Text); ok && end > i && end <= len(t.Tokens) {
				u.form, u.to, found = form, end, true
			}
		}
		if !found {
			u.form = s.Text(index.Words, t.Tokens[i].Form)
		}
		units = append(units, u)
		i = u.to
	}
	return units
}

// rangeLine returns the form of a multiword range and the number of its last word.
func rangeLine(line string) (form string, end int, ok bool) {
	id, rest, _ := strings.Cut(line, "\t")
	_, last, ok := strings.Cut(id, "-")
	if !ok {
		return "", 0, false
	}
	form, _, _ = strings.Cut(rest, "\t")
	end, err := strconv.Atoi(last)
	return form, end, err == nil
}

// align finds the units in the text, in order. Only white space may separate them.
func align(text string, units []unit, tokens int) ([]Span, bool) {
	spans := make([]Span, tokens)
	pos := 0
	for _, u := range units {
		pos += spaceLen(text[pos:])
		n := matchLen(text[pos:], u.form)
		if n < 0 {
			return nil, false
		}
		for i := u.from; i < u.to; i++ {
			spans[i] = Span{pos, pos + n}
		}
		pos += n
	}
	return spans, spaceLen(text[pos:]) == len(text)-pos
}

func spaceLen(s string) (n int) {
	for n < len(s) {
		r, k := utf8.DecodeRuneInString(s[n:])
		if !unicode.IsSpace(r) {
			break
		}
		n += k
	}
	return n
}

// matchLen returns the length of the start of text that matches form, or -1. All white space counts as the
// same.
func matchLen(text, form string) int {
	if strings.HasPrefix(text, form) {
		return len(form)
	}
	n := 0
	for len(form) > 0 {
		if k := spaceLen(form); k > 0 {
			m := spaceLen(text[n:])
			if m == 0 {
				return -1
			}
			n, form = n+m, form[k:]
			continue
		}
		_, k := utf8.DecodeRuneInString(form)
		if !strings.HasPrefix(text[n:], form[:k]) {
			return -1
		}
		n, form = n+k, form[k:]
	}
	return n
}

func joined(units []unit, tokens int) Text {
	x := Text{Spans: make([]Span, tokens)}
	var b strings.Builder
	for _, u := range units {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		from := b.Len()
		b.WriteString(u.form)
		for i := u.from; i < u.to; i++ {
			x.Spans[i] = Span{from, b.Len()}
		}
	}
	x.Text = b.String()
	return x
}
