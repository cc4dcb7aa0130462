package draw

import (
	"fmt"
	"slices"

	"fstore/decode/svg"
	"fstore/index"
)

// arcs is a picture of a dependency tree with arcs above the words. Lengths are in pixels.
type arcs struct {
	words  []arcWord
	arcs   []arc
	levels int
	width  float64
	rtl    bool // right to left: the first word is on the right
	tags   bool // at least one word has a tag
}

type arcWord struct {
	form, tag name
	x         float64 // the middle of the word
}

// arc leads from a head to a word. For a word without a head, arc.from is -1, and the arc is a straight line
// from above.
type arc struct {
	from, to int
	level    int // arcs on the same level do not meet; the lowest level is 1
	label    name
}

func (a *arc) ends() (lo, hi int) { return min(a.from, a.to), max(a.from, a.to) }

const (
	wordGap  = 14.0 // space between two words
	labelGap = 22.0 // minimum difference between the width of an arc and that of its label
)

// newArcs returns the arcs of a sentence, with their levels set, but not yet the places of the words.
func newArcs(t *index.Tree, s *index.Symbols, marked []int32) *arcs {
	a := &arcs{}
	for i := range t.Tokens {
		k := &t.Tokens[i]
		tag := nameOf(s.Bytes(index.Words, k.UPOS))
		a.tags = a.tags || tag.text != "_"
		a.words = append(a.words, arcWord{form: nameOf(s.Bytes(index.Words, k.Form)), tag: tag})
		c := arc{from: int(k.Head) - 1, to: i}
		if rel := s.Bytes(index.Words, k.Rel); string(rel) != "_" {
			c.label = nameOf(rel)
		}
		a.arcs = append(a.arcs, c)
	}
	for _, i := range marked {
		a.words[i].form = a.words[i].form.mark()
	}
	a.setLevels()
	return a
}

// arcsOf returns the arcs with all places set, or nil if the picture would be wider than maxWidth.
func arcsOf(t *index.Tree, s *index.Symbols, maxWidth float64, marked []int32) *arcs {
	if len(t.Tokens) == 0 || float64(len(t.Tokens))*wordGap > maxWidth {
		return nil
	}
	a := newArcs(t, s, marked)
	a.setPlaces()
	if a.width > maxWidth {
		return nil
	}
	if a.rtl = runsRightToLeft(a.forms); a.rtl {
		for i := range a.words {
			a.words[i].x = a.width - a.words[i].x
		}
	}
	return a
}

func (a *arcs) isMarked(c *arc) bool {
	return c.from >= 0 && a.words[c.from].form.marked && a.words[c.to].form.marked
}

func (a *arcs) forms(yield func(name) bool) {
	for i := range a.words {
		if !yield(a.words[i].form) {
			return
		}
	}
}

// setLevels puts long arcs above the short arcs that they span.
func (a *arcs) setLevels() {
	order := make([]int, len(a.arcs))
	for i := range order {
		order[i] = i
	}
	length := func(i int) int { lo, hi := a.arcs[i].ends(); return hi - lo }
	slices.SortStableFunc(order, func(i, j int) int { return length(i) - length(j) })
	highest := make([]int, len(a.words)) // the highest level of the arcs over the gap after each word
	for _, i := range order {
		if a.arcs[i].from < 0 {
			continue
		}
		lo, hi := a.arcs[i].ends()
		level := 1 + slices.Max(highest[lo:hi])
		for k := lo; k < hi; k++ {
			highest[k] = level
		}
		a.arcs[i].level = level
		a.levels = max(a.levels, level)
	}
}

// setPlaces puts words side by side, far enough apart for the labels of the arcs.
func (a *arcs) setPlaces() {
	half := func(i int) float64 {
		w := &a.words[i]
		return cellWidth * float64(max(w.form.width, w.tag.width)) / 2
	}
	last := len(a.words) - 1
	a.words[0].x = margin + half(0)
	for i := 1; i <= last; i++ {
		w := &a.words[i]
		w.x = a.words[i-1].x + half(i-1) + wordGap + half(i)
		for _, c := range a.arcs {
			if lo, hi := c.ends(); hi == i && c.from >= 0 {
				w.x = max(w.x, a.words[lo].x+labelWidth(c.label)+labelGap)
			}
		}
	}
	a.width = a.words[last].x + half(last) + margin
	for _, c := range a.arcs { // make room for the labels of roots
		if c.from < 0 {
			a.width = max(a.width, a.words[c.to].x+8+labelWidth(c.label)+margin)
		}
	}
}

// appendSVG appends the words and the arcs above them, as an SVG document.
func (a *arcs) appendSVG(dst []byte, caption string) []byte {
	const step, foot = 26.0, 24.0 // step: from one level to the next; foot: from the lowest level to the words
	base := margin + step*float64(a.levels) + foot
	height := base + 26 + margin
	if a.tags {
		height += 18
	}
	return document(dst, a.width, height, caption, func(dst []byte) []byte {
		texts := []byte(textLooks)
		for i := range a.arcs {
			c := &a.arcs[i]
			x := a.words[c.to].x
			top := base - foot - step*float64(c.level-1)
			if c.from < 0 {
				dst = appendLine(dst, x, margin, x, base, "")
				beside, anchor := x+6, "l s"
				if a.rtl {
					beside, anchor = x-6, "l e"
				}
				texts = appendLabel(texts, beside, margin+4, c.label, anchor)
			} else {
				from, bend := a.words[c.from].x+5, 6.0
				if a.words[c.from].x > x {
					from, bend = from-10, -bend
				}
				class, label := "", "l"
				if a.isMarked(c) {
					class, label = markedLine, "m l"
				}
				dst = fmt.Appendf(dst, `<path%s d="M%s,%s V%s q0,-6 %s,-6 H%s q%s,0 %s,6 V%s"/>`+"\n", class,
					svg.Length(from), svg.Length(base), svg.Length(top+6), svg.Length(bend), svg.Length(x-bend), svg.Length(bend), svg.Length(bend), svg.Length(base))
				texts = appendLabel(texts, (from+x)/2, top-7, c.label, label)
			}
			dst = fmt.Appendf(dst, `<path class="h" fill="#888" stroke="none" d="M%s,%s l-4,-8 h8 z"/>`+"\n", svg.Length(x), svg.Length(base+2))
		}
		for _, w := range a.words {
			texts = appendLabel(texts, w.x, base+14, w.form, "w")
			if a.tags {
				texts = appendLabel(texts, w.x, base+33, w.tag, "l")
			}
		}
		return append(append(dst, texts...), "</g>\n"...)
	})
}

func labelWidth(n name) float64 { return smallWidth * float64(n.width) }

const (
	// uprightRow is the height of a row of words, in pixels of 1/16 rem.
	uprightRow = 28.0
	// uprightStep is the largest distance between two levels of upright arcs, in pixels.
	uprightStep = 11.0
	// uprightMost is the maximum width of upright arcs, in pixels.
	uprightMost = 440.0
	// uprightWords is the maximum number of words that get upright arcs. The time to compute the levels grows
	// with the square of this number.
	uprightWords = 2000
)

// Upright appends the arcs of a dependency tree as an SVG element to the left of a table of its words. The
// rows of the table must be 1.75 rem high. Marked arcs have the class m, but the element has no colours.
// Upright appends nothing for trees without arcs or with more than uprightWords words.
func Upright(dst []byte, t *index.Tree, s *index.Symbols, marked []int32) []byte {
	n := len(t.Tokens)
	if t.Kind != index.Dependency || n == 0 || n > uprightWords || t.Unparsed() {
		return dst
	}
	a := newArcs(t, s, marked)
	step := min(uprightStep, uprightMost/float64(a.levels+1))
	width, height := step*float64(a.levels)+16, uprightRow*float64(n)
	dst = fmt.Appendf(dst, `<svg class="upright" width="%s" height="%srem" viewBox="0 0 %[1]s %[3]s" preserveAspectRatio="none" aria-hidden="true">`,
		svg.Length(width), svg.Length(height/16), svg.Length(height))
	for i := range a.arcs {
		c := &a.arcs[i]
		if c.from < 0 {
			continue
		}
		class := ""
		if a.isMarked(c) {
			class = ` class="m"`
		}
		to, bend := (float64(c.to)+0.5)*uprightRow, 5.0
		from := (float64(c.from) + 0.5) * uprightRow
		if from > to {
			from, bend = from-5, -bend
		} else {
			from += 5
		}
		x, end := width-9-step*float64(c.level), width-2
		dst = fmt.Appendf(dst, `<g%s><path d="M%s %sH%sq-5 0-5 %sV%sq0 %[5]s 5 %[5]sH%[7]s"/><path class="h" d="M%[2]s %[8]sl-7-3.5v7z"/></g>`,
			class, svg.Length(end), svg.Length(from), svg.Length(x+5), svg.Length(bend), svg.Length(to-bend), svg.Length(end-6), svg.Length(to))
	}
	return append(dst, "</svg>"...)
}
