package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fstore/decode/svg"
	"fstore/index"
)

// Strip shows how things are spread over documents. It has a panel for each thing, a row for each label, and
// a dot for each document.
type Strip struct {
	Text
	X      string // name of the axis
	Panels []Panel
	InPage bool // part of a page, with no background and title of its own
}

// Panel is a group of rows with a common axis.
type Panel struct {
	Name string
	Rows []StripRow
}

// StripRow has the dots of one label.
type StripRow struct {
	Name string
	Rate float64 // rate of all documents together, marked by a line; NaN means no line
	Dots []Dot
}

// Dot is one document.
type Dot struct {
	Rate  float64 // 0 or more
	Title string  // shown when the mouse is over the dot
}

const (
	stripWidth   = 900.0
	stripRight   = 28.0
	rowHeight    = 44.0 // height of the dots of one label
	panelTop     = 26.0 // height of the name of a panel
	panelFoot    = 30.0 // height of the ticks
	dotRadius    = 3.0
	longestLabel = 28 // maximum width of the name of a row, in cells
)

// AppendSVG appends the picture as an SVG document.
func (s *Strip) AppendSVG(dst []byte) []byte {
	height, left := 0.0, 0.0
	for _, p := range s.Panels {
		height += panelTop + panelFoot + rowHeight*float64(len(p.Rows))
		for _, r := range p.Rows {
			_, width := shorten(r.Name, longestLabel)
			left = max(left, charWidth*float64(width), charWidth*float64(len(counts(&r))))
		}
	}
	left += 28
	d := begin(dst, s.Text, stripWidth, height+20, s.InPage, false)
	y := d.top
	for i := range s.Panels {
		y = drawPanel(d, &s.Panels[i], y, left)
	}
	d.text((left+stripWidth-stripRight)/2, y+10, "middle", s.X)
	return d.end()
}

// counts returns a text that says how many dots a row has, and how many are at 0.
func counts(r *StripRow) string {
	none := 0
	for _, x := range r.Dots {
		if x.Rate == 0 {
			none++
		}
	}
	return fmt.Sprintf("%s of %s at 0", index.Thousands(none), index.Thousands(len(r.Dots)))
}

// drawPanel draws a panel that starts at height y, and returns the height at which it ends.
func drawPanel(d *drawing, p *Panel, y, left float64) float64 {
	high := 0.0
	for _, r := range p.Rows {
		for _, x := range r.Dots {
			high = max(high, x.Rate)
		}
	}
	x := linearAxis(high, left, stripWidth-stripRight)
	name, _ := shorten(p.Name, int((stripWidth-24)/charWidth))
	d.addf(`<text x="12" y="%s" font-family="%s" font-weight="bold"><title>%s</title>%s</text>`+"\n", svg.Length(y+17), mono, svg.Escape(p.Name), svg.Escape(name))
	y += panelTop
	end := y + rowHeight*float64(len(p.Rows))
	for _, t := range x.ticks {
		d.line(x.at(t), y, x.at(t), end, "", 0.15)
		d.text(x.at(t), end+16, "middle", number(t))
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		middle := y + rowHeight/2
		d.line(left, y, stripWidth-stripRight, y, "", 0.15)
		name, _ := shorten(r.Name, longestLabel)
		d.addf(`<text class="side" x="%s" y="%s" text-anchor="end" font-weight="bold">%s</text>`+"\n", svg.Length(left-16), svg.Length(middle-1), svg.Escape(name))
		d.text(left-16, middle+14, "end", counts(r))
		drawRow(d, r, x, middle)
		y += rowHeight
	}
	d.line(left, end, stripWidth-stripRight, end, "", 0.4)
	return end + panelFoot
}

// drawRow draws the dots of a row. A dot that would lie on another dot is moved up or down, within the row.
func drawRow(d *drawing, r *StripRow, x *axis, middle float64) {
	dots := slices.SortedFunc(slices.Values(r.Dots), func(a, b Dot) int { return cmp.Or(cmp.Compare(a.Rate, b.Rate), cmp.Compare(a.Title, b.Title)) })
	d.addf(`<g class="A" fill="%s" fill-opacity="0.6">`+"\n", colourA)
	var s swarm
	for _, dot := range dots {
		dx := x.at(dot.Rate)
		d.titled("d", dot.Title, "", func() {
			d.addf(`<circle cx="%s" cy="%s" r="%s"/>`, svg.Length(dx), svg.Length(middle+s.offset(dx)), svg.Length(dotRadius))
		})
	}
	d.addf("</g>\n")
	if !math.IsNaN(r.Rate) {
		at := svg.Length(x.at(r.Rate))
		d.addf(`<path class="zero" d="M%s %sV%s" stroke="currentColor" stroke-width="2" stroke-opacity="0.8"/>`+"\n", at, svg.Length(middle-rowHeight/2+3), svg.Length(middle+rowHeight/2-3))
	}
}

// swarm finds places for the dots of a row, which must come from left to right. `near` has the earlier dots
// that the next dot could cover.
type swarm struct {
	near []spot
	full int // number of dots for which there was no free place
}

// spot is the place of a dot, with y relative to the middle of the row.
type spot struct{ x, y float64 }

// offset returns how far from the middle of the row to draw a dot at x. Dots overlap only where the row is
// full.
func (s *swarm) offset(x float64) float64 {
	s.near = slices.DeleteFunc(s.near, func(o spot) bool { return x-o.x >= 2*dotRadius })
	isFree := func(y float64) bool {
		return !slices.ContainsFunc(s.near, func(o spot) bool { return math.Hypot(x-o.x, y-o.y) < 2*dotRadius-1e-9 })
	}
	const most = rowHeight/2 - dotRadius - 3
	for y := 0.0; y <= most; y += dotRadius / 2 {
		for _, y := range []float64{y, -y} {
			if isFree(y) {
				s.near = append(s.near, spot{x, y})
				return y
			}
		}
	}
	s.full++
	_, part := math.Modf(float64(s.full) * math.Phi)
	return most * (2*part - 1)
}
