package draw

import (
	"fmt"
	"slices"
	"strings"

	"fstore/decode/svg"
)

// Sizes are in pixels. Widths are those of a character of a monospaced font.
const (
	cellWidth  = 8.4 // in a font of 14 pixels
	smallWidth = 6.6 // in a font of 11 pixels
	rowHeight  = 20.0
	margin     = 10.0
)

// looks are the attributes of the root element. They replace a style sheet, which a page can forbid. The
// page's own CSS rules override them.
const looks = `font-family="'DejaVu Sans Mono', Menlo, Consolas, 'Noto Sans Mono', 'Noto Sans Mono CJK JP', monospace" ` +
	`font-size="14" text-anchor="middle" fill="none" stroke="#888" stroke-width="1.2"`

// textLooks opens the element with all texts. This element comes after the lines, so texts are drawn over
// lines.
const textLooks = `<g fill="#1a1a1a" stroke="white" stroke-width="4" paint-order="stroke" dominant-baseline="central">` + "\n"

// classLooks returns the attributes of a text with the given classes.
func classLooks(classes string) string {
	fill, more := "", ""
	for _, class := range strings.Fields(classes) {
		switch class {
		case "w":
			fill = "#0b5394"
		case "f":
			fill = "#666"
		case "l":
			fill, more = "#7a3e00", ` font-size="11"`
		case "s":
			more += ` text-anchor="start"`
		case "e":
			more += ` text-anchor="end"`
		}
	}
	if strings.HasPrefix(classes, "m") {
		fill, more = "#1a1a1a", more+` font-weight="bold"`
	}
	if fill != "" {
		fill = ` fill="` + fill + `"`
	}
	return fill + more
}

// document appends an SVG document with the output of body and, below that, the caption.
func document(dst []byte, width, height float64, caption string, body func(dst []byte) []byte) []byte {
	below := height + smallWidth
	if caption != "" {
		width = max(width, 2*margin+smallWidth*float64(len(caption)))
		height += 2 * margin
	}
	dst = fmt.Appendf(dst, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" `+looks+">\n", svg.Length(width), svg.Length(height))
	dst = append(dst, "<rect class=\"bg\" width=\"100%\" height=\"100%\" fill=\"white\" stroke=\"none\"/>\n"...)
	dst = body(dst)
	if caption != "" {
		dst = append(appendLabel(append(dst, textLooks...), margin, below, name{text: caption}, "l s"), "</g>\n"...)
	}
	return append(dst, "</svg>\n"...)
}

func appendLine(dst []byte, x1, y1, x2, y2 float64, class string) []byte {
	return fmt.Appendf(dst, `<line%s x1="%s" y1="%s" x2="%s" y2="%s"/>`+"\n", class, svg.Length(x1), svg.Length(y1), svg.Length(x2), svg.Length(y2))
}

// markedLine is the class and the other attributes of a line between two highlighted nodes.
const markedLine = ` class="m" stroke="#1a1a1a" stroke-width="2.2"`

// appendLabel appends a text whose middle is at x, y. If the class ends in "s", the text starts at x. A
// highlighted label loses its square brackets and gets a coloured background.
func appendLabel(dst []byte, x, y float64, n name, class string) []byte {
	if n.marked {
		left, width := x, cellWidth*float64(n.width)
		if strings.HasSuffix(class, "s") {
			x += cellWidth
		} else {
			left -= width / 2
		}
		dst = fmt.Appendf(dst, `<rect class="k" x="%s" y="%s" width="%s" height="%s" rx="3" fill="#ffe8a0" stroke="none"/>`+"\n",
			svg.Length(left), svg.Length(y-rowHeight/2), svg.Length(width), svg.Length(rowHeight))
		n.text, class = n.text[1:len(n.text)-1], strings.TrimSpace("m "+class)
	}
	if class != "" {
		class = ` class="` + class + `"` + classLooks(class)
	}
	if n.marked {
		class += ` stroke="none"`
	}
	return fmt.Appendf(dst, `<text%s x="%s" y="%s">%s</text>`+"\n", class, svg.Length(x), svg.Length(y), svg.Escape(n.text))
}

// classes has the SVG class for each kind of label.
var classes = [...]string{inner: "", word: "w", faint: "f"}

// appendSVG appends sketches side by side, as one SVG document.
func appendSVG(dst []byte, all []*sketch, caption string) []byte {
	width, height := margin, 0.0
	for _, k := range all {
		width += float64(k.cols)*cellWidth + margin
		height = max(height, float64(k.rows)*rowHeight)
	}
	if all[0].rtl {
		slices.Reverse(all)
	}
	return document(dst, width, height+2*margin, caption, func(dst []byte) []byte {
		x := margin
		for _, k := range all {
			dst = k.appendSVG(dst, x)
			x += float64(k.cols)*cellWidth + margin
		}
		return dst
	})
}

// appendSVG appends a sketch with its left edge at the given x.
func (k *sketch) appendSVG(dst []byte, left float64) []byte {
	x := func(col int) float64 { return left + (float64(col)+0.5)*cellWidth }
	y := func(row int) float64 { return margin + (float64(row)+0.5)*rowHeight }
	middle := func(l *label) float64 {
		if k.rtl {
			return left + (float64(k.cols)-l.middle)*cellWidth
		}
		return left + l.middle*cellWidth
	}
	for _, e := range k.edges {
		a, b := &k.labels[e.from], &k.labels[e.to]
		class := ""
		if a.name.marked && b.name.marked {
			class = markedLine
		}
		dst = appendLine(dst, middle(a), y(a.row)+rowHeight/2-1, middle(b), y(b.row)-rowHeight/2+1, class)
	}
	lines := k.lines
	if len(k.edges) > 0 {
		lines = nil // they are already drawn as edges
	}
	for _, l := range lines {
		class := ""
		if l.under {
			class = ` class="u" stroke="#ccc"`
		}
		dst = appendLine(dst, x(l.col1), y(l.row1), x(l.col2), y(l.row2), class)
	}
	dst = append(dst, textLooks...)
	for i := range k.labels {
		l := &k.labels[i]
		if len(k.edges) > 0 {
			dst = appendLabel(dst, middle(l), y(l.row), l.name, classes[l.kind])
		} else {
			dst = appendLabel(dst, left+float64(l.col)*cellWidth, y(l.row), l.name, strings.TrimSpace(classes[l.kind]+" s"))
		}
	}
	return append(dst, "</g>\n"...)
}
