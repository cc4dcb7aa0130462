package draw

import (
	"slices"

	"fstore/index"
)

// arcs is a dependency tree whose words are side by side, arcs over them. Lengths are
// in pixels.
type arcs struct {
	words  []arcWord
	arcs   []arc
	levels int
	width  float64
	rtl    bool // the first word is on the right
	tags   bool // there are any
}

type arcWord struct {
	form, tag name
	x         float64 // of its middle
}

// arc leads from a head to a word; from -1, the artificial root, straight down.
type arc struct {
	from, to int
	level    int // arcs of a level do not meet; the lowest is 1
	label    name
}

func (a *arc) ends() (lo, hi int) { return min(a.from, a.to), max(a.from, a.to) }

const (
	wordGap  = 14.0 // between words
	labelGap = 22.0 // what an arc is wider than its label
	margin   = 10.0
)

// newArcs returns the arcs of a sentence and their levels, without places.
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

// arcsOf lays a sentence out, or returns nil where it is wider than most.
func arcsOf(t *index.Tree, s *index.Symbols, most float64, marked []int32) *arcs {
	if len(t.Tokens) == 0 || float64(len(t.Tokens))*wordGap > most {
		return nil
	}
	a := newArcs(t, s, marked)
	a.setPlaces()
	if a.width > most {
		return nil
	}
	if a.rtl = runsRightToLeft(a.forms); a.rtl {
		for i := range a.words {
			a.words[i].x = a.width - a.words[i].x
		}
	}
	return a
}

// IsWide says whether a dependency tree is too wide for arcs over its words in an SVG.
func IsWide(t *index.Tree, s *index.Symbols) bool {
	return t.Kind == index.Dependency && arcsOf(headed(t), s, SVGWidth*cellWidth, nil) == nil
}

// isMarked says whether both ends of an arc are marked.
func (a *arcs) isMarked(c *arc) bool {
	return c.from >= 0 && a.words[c.from].form.marked && a.words[c.to].form.marked
}

// forms yields the words.
func (a *arcs) forms(yield func(name) bool) {
	for i := range a.words {
		if !yield(a.words[i].form) {
			return
		}
	}
}

// setLevels puts short arcs below those that go over them.
func (a *arcs) setLevels() {
	order := make([]int, len(a.arcs))
	for i := range order {
		order[i] = i
	}
	length := func(i int) int { lo, hi := a.arcs[i].ends(); return hi - lo }
	slices.SortStableFunc(order, func(i, j int) int { return length(i) - length(j) })
	highest := make([]int, len(a.words)) // over the gap after a word
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

// setPlaces puts words side by side, far enough for the labels over them.
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
	for _, c := range a.arcs { // labels of roots
		if c.from < 0 {
			a.width = max(a.width, a.words[c.to].x+8+labelWidth(c.label)+margin)
		}
	}
}

func labelWidth(n name) float64 { return smallWidth * float64(n.width) }
