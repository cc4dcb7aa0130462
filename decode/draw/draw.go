// Package draw draws trees and fragments, as text for a terminal or as SVG.
//
// A constituency tree grows downwards. If it is too wide, it becomes an outline, one line for each node.
// Subtrees too deep for an outline are in brackets. A dependency tree has one line for each word, with heads
// to the left of their dependents. In SVG, a sentence that fits the width has its words side by side, with
// arcs above them.
//
// Start at sketch.go: topdown.go, outline.go and rows.go make a sketch of a tree, text.go and svg.go print
// it. arcs.go has the arcs.
package draw

import "fstore/index"

// Options say how a picture is drawn.
type Options struct {
	// Width is the wanted width in cells of a terminal, or in cells of 8.4 pixels in SVG. Outlines and rows
	// can be wider. The value 0 means TextWidth or SVGWidth.
	Width int
	// Caption is a line below an SVG that tells what the picture cannot show; "" means no caption.
	Caption string
	// Marked are the nodes or tokens to highlight, in square brackets or on a coloured background.
	Marked []int32
}

// These are the defaults of Options.Width.
const (
	TextWidth = 100
	SVGWidth  = 160
)

// Text appends a picture of t as lines of text.
func Text(dst []byte, t *index.Tree, s *index.Symbols, o Options) []byte {
	t = headed(t)
	if o.Width <= 0 {
		o.Width = TextWidth
	}
	for _, k := range sketches(t, s, o) {
		if len(dst) > 0 {
			dst = append(dst, '\n')
		}
		dst = k.appendText(dst)
	}
	return dst
}

// SVG appends a picture of t as an SVG document.
func SVG(dst []byte, t *index.Tree, s *index.Symbols, o Options) []byte {
	t = headed(t)
	if o.Width <= 0 {
		o.Width = SVGWidth
	}
	if t.Kind == index.Dependency {
		if a := arcsOf(t, s, float64(o.Width)*cellWidth, o.Marked); a != nil {
			return a.appendSVG(dst, o.Caption)
		}
	}
	return appendSVG(dst, sketches(t, s, o), o.Caption)
}

// IsWide says whether a dependency tree is too wide for an SVG with arcs above the words.
func IsWide(t *index.Tree, s *index.Symbols) bool {
	return t.Kind == index.Dependency && arcsOf(headed(t), s, SVGWidth*cellWidth, nil) == nil
}

// headed returns t. If t has no heads at all, it returns a copy in which all words are roots.
func headed(t *index.Tree) *index.Tree {
	if !t.Unparsed() {
		return t
	}
	t = t.Clone()
	for i := range t.Tokens {
		t.Tokens[i].Head = 0
	}
	return t
}

// sketches returns a sketch of a dependency tree, or of each tree at the top level of a bracketed sample.
func sketches(t *index.Tree, s *index.Symbols, o Options) (all []*sketch) {
	if t.Kind == index.Dependency {
		return []*sketch{rows(t, s, o.Marked)}
	}
	if len(t.Nodes) == 0 {
		return []*sketch{empty()}
	}
	names := namesOf(t, s)
	for _, i := range o.Marked {
		names[i] = names[i].mark()
	}
	rtl := runsRightToLeft(func(yield func(name) bool) {
		for i := range t.Nodes {
			if t.IsWord(i) && !yield(names[i]) {
				return
			}
		}
	})
	for i := 0; i < len(t.Nodes); i += int(t.Nodes[i].Size) {
		k := topDown(t, names, i, o.Width)
		if k == nil {
			k = outline(t, names, i)
		}
		k.rtl = rtl
		all = append(all, k)
	}
	return all
}
