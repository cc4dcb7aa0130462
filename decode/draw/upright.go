package draw

import (
	"fmt"

	"fstore/decode/svg"
	"fstore/index"
)

const (
	// uprightRow is how high a row of words is, in pixels of 1/16 rem.
	uprightRow = 28.0
	// uprightStep is the room between two levels of upright arcs, where there are few.
	uprightStep = 11.0
	// uprightMost is how wide upright arcs are at most.
	uprightMost = 440.0
	// uprightWords is how many words have upright arcs at most: levels take time by the square.
	uprightWords = 2000
)

// Upright appends the arcs of a dependency tree as an SVG element that stands left of a table of its
// words, each in a row 1.75 rem high: an arrow leads from the row of a head to the row of its
// dependent. It has the classes of SVG, and no colours of its own. It appends nothing for other trees,
// and for a sentence that is very long.
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
