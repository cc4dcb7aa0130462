package pages

import (
	"slices"
	"strconv"
	"strings"

	"fstore/decode/concordance"
	"fstore/index"
)

// matchPiece is a piece of a match: words of the hit, or text between them.
type matchPiece struct {
	Text string
	Hit  bool
}

// piecesOf cuts the match of a hit into pieces, so that a page can mark the words of the hit. `wordNumbers`
// lists these words, as in the column `positions` of fstore examples.
func piecesOf(t *index.Tree, text *concordance.Text, left, match, wordNumbers string) (all []matchPiece) {
	var words []concordance.Span
	for i := range text.Spans {
		if t.Kind == index.Dependency || t.IsWord(i) {
			words = append(words, text.Spans[i])
		}
	}
	var spans []concordance.Span
	for position := range strings.SplitSeq(wordNumbers, ",") {
		if n, err := strconv.Atoi(position); err == nil && n >= 1 && n <= len(words) {
			spans = append(spans, words[n-1])
		}
	}
	slices.SortFunc(spans, func(a, b concordance.Span) int { return a.From - b.From })
	at, end := len(left), len(left)+len(match)
	add := func(to int, isHit bool) {
		if to > at {
			all = append(all, matchPiece{text.Text[at:to], isHit})
			at = to
		}
	}
	for _, s := range spans {
		if s.From >= at && s.To <= end {
			add(s.From, false)
			add(s.To, true)
		}
	}
	add(end, false)
	return all
}

// pieces returns the pieces of the match in a row of hits, or the whole match if the sample cannot be read.
func (v *View) pieces(row Row) []matchPiece {
	left, match := row.Text("left"), row.Text("match")
	if t, syms, err := v.tree(uint32(row.Number("number")) - 1); err == nil {
		if text := concordance.Surface(t, syms); strings.HasPrefix(text.Text, left+match) {
			return piecesOf(t, &text, left, match, row.Text("positions"))
		}
	}
	return []matchPiece{{Text: match}}
}
