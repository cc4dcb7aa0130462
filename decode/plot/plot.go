// Package plot draws a table as SVG. A Scatter has a point for each construction, a Strip has a dot for each
// document.
//
// A picture is a file of its own, or part of a page with a style sheet. Its elements have presentation
// attributes and classes. They have no style attributes, because a Content-Security-Policy can forbid them,
// and a style sheet cannot override them. Text and axes have the colour of the text around the picture
// (currentColor), for a light or dark background.
//
// The classes are:
//   - plot: the svg element
//   - A, B: the two sides
//   - pts, pa, pb: points without names
//   - zero: the line between the sides
//   - side: the name of a side
//   - k: an element with a link
//
// Start at scatter.go and strip.go. axis.go has the scales, place.go finds places for names.
package plot

import (
	"fmt"

	"fstore/decode/svg"
)

// Text describes a picture, for readers and for screen readers.
type Text struct {
	Title       string
	Description string
}

// The looks of a picture. Only a picture in a file has a background and a title of its own.
const (
	colourA = "#2275b8"
	colourB = "#bd5a12"

	fontSize  = 12.0
	charWidth = 7.3 // width of a character in a monospaced font of that size
	boldWidth = 9.0 // width of a bold character in a title, which is larger

	sans = "system-ui, 'DejaVu Sans', Helvetica, Arial, sans-serif"
	mono = "'DejaVu Sans Mono', Menlo, Consolas, 'Noto Sans Mono', 'Noto Sans Mono CJK JP', monospace"

	// fileStyle sets what attributes cannot set: a light or dark background for a picture that is a file.
	fileStyle = `<style>svg{color:#1a1a1a;background:#fff}.ground{fill:#fff}.name{stroke:#fff}` +
		`@media (prefers-color-scheme:dark){svg{color:#e6e6e3;background:#16181c}.ground{fill:#16181c}.name{stroke:#16181c}}</style>` + "\n"
)

const titleHeight = 30.0

// drawing is an SVG document while it is drawn.
type drawing struct {
	dst []byte
	top float64 // top of the picture, below the title
}

// begin starts a document. A document with links has the role group, because screen readers cannot follow
// links inside an img.
func begin(dst []byte, t Text, width, height float64, inPage, hasLinks bool) *drawing {
	d := &drawing{dst: dst}
	if !inPage {
		d.top = titleHeight
	}
	height += d.top
	role := "img"
	if hasLinks {
		role = "group"
	}
	d.addf(`<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="%s" width="%s" height="%s" viewBox="0 0 %[2]s %[3]s" fill="currentColor" font-family="%s" font-size="%s">`+"\n",
		role, svg.Length(width), svg.Length(height), sans, svg.Length(fontSize))
	d.addf("<title>%s</title>\n", svg.Escape(t.Title))
	if t.Description != "" {
		d.addf("<desc>%s</desc>\n", svg.Escape(t.Description))
	}
	if !inPage {
		d.dst = append(d.dst, fileStyle...)
		d.addf(`<rect class="ground" width="100%%" height="100%%" fill="#fff"/>` + "\n")
		title, _ := shorten(t.Title, int((width-24)/boldWidth))
		d.addf(`<text x="12" y="20" font-size="14" font-weight="bold">%s</text>`+"\n", svg.Escape(title))
	}
	return d
}

// shorten cuts a text to at most the given number of cells. It also returns the width of the result.
func shorten(text string, cells int) (string, int) {
	text, width := svg.Readable([]byte(text))
	if width <= cells {
		return text, width
	}
	runes := []rune(text)
	for width > cells && len(runes) > 0 {
		runes = runes[:len(runes)-1]
		_, width = svg.Readable([]byte(string(runes) + "…"))
	}
	return string(runes) + "…", width
}

func (d *drawing) end() []byte { return append(d.dst, "</svg>\n"...) }

func (d *drawing) addf(format string, a ...any) { d.dst = fmt.Appendf(d.dst, format, a...) }

// text draws a text whose anchor (start, middle or end) is at x, y.
func (d *drawing) text(x, y float64, anchor, text string) {
	d.addf(`<text text-anchor="%s" x="%s" y="%s">%s</text>`+"\n", anchor, svg.Length(x), svg.Length(y), svg.Escape(text))
}

// line adds a line of an axis or the grid.
func (d *drawing) line(x1, y1, x2, y2 float64, class string, opacity float64) {
	if class != "" {
		class = ` class="` + class + `"`
	}
	d.addf(`<line%s x1="%s" y1="%s" x2="%s" y2="%s" stroke="currentColor" stroke-opacity="%g"/>`+"\n",
		class, svg.Length(x1), svg.Length(y1), svg.Length(x2), svg.Length(y2), opacity)
}

// titled puts what `body` draws into one element with a title, and with a link if there is one.
func (d *drawing) titled(class, title, link string, body func()) {
	if link != "" {
		d.addf(`<a class="%s k" href="%s"><title>%s</title>`, class, svg.Escape(link), svg.Escape(title))
		body()
		d.addf("</a>\n")
		return
	}
	d.addf(`<g class="%s"><title>%s</title>`, class, svg.Escape(title))
	body()
	d.addf("</g>\n")
}

// stroke draws the line from a point to its name. If the two are close, it draws nothing.
func (d *drawing) stroke(l *label, b box, colour string) {
	if s, ok := l.line(b); ok {
		d.addf(`<path d="M%s %sL%s %s" fill="none" stroke="%s"/>`, svg.Length(s.x1), svg.Length(s.y1), svg.Length(s.x2), svg.Length(s.y2), colour)
	}
}
