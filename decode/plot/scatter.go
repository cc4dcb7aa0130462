package plot

import (
	"math"
	"unicode/utf8"

	"fstore/decode/svg"
)

// Scatter shows how frequent things are, and on which of two sides they are more frequent. The frequency
// grows to the right, on a logarithmic axis. The log ratio grows upwards.
type Scatter struct {
	Text
	X, Y         string // names of the axes
	Above, Below string // names of the sides where points above and below 0 are more frequent
	Points       []Point
	InPage       bool // part of a page, with no background and title of its own
}

// Point is one thing in a scatter. A point is left out unless its frequency is positive and its log ratio is
// finite.
type Point struct {
	Frequency float64
	LogRatio  float64 // log ratio to the base 2
	Sure      bool    // the interval of the log ratio does not contain 0, so the point has the colour of its side
	Least     float64 // end of that interval nearest to 0, to which a numbered mark has a line; 0 means no line
	// Name is written next to the point if there is space. A name of at most three characters, such as a
	// number, is written on the point's mark. Earlier points get their places first.
	Name  string
	Title string // shown under the mouse; a point without a title has no name and no link
	Link  string // opened by a click; "" means no link
}

const (
	scatterWidth = 1100.0
	plotHeight   = 440.0
	plotLeft     = 64.0
	plotRight    = 20.0
	plotTop      = 14.0
	axisHeight   = 44.0 // height of the ticks and the name of the axis
	pointRadius  = 4.0  // radius of the mark of a point with a title
	onMark       = 8.0  // half the size of a mark with a number
	lineHeight   = 15.0 // height of a name
	onMarkRunes  = 3
)

// AppendSVG appends the picture as an SVG document.
func (s *Scatter) AppendSVG(dst []byte) []byte {
	points, hasLinks := s.points()
	d := begin(dst, s.Text, scatterWidth, plotTop+plotHeight+axisHeight, s.InPage, hasLinks)
	f := newFrame(points, d.top)
	f.drawAxes(d, s)
	named := f.drawDots(d, points)
	f.drawNamed(d, named)
	return d.end()
}

func (s *Scatter) points() (points []*Point, hasLinks bool) {
	for i := range s.Points {
		p := &s.Points[i]
		if p.Frequency > 0 && !math.IsInf(p.Frequency, 0) && !math.IsNaN(p.LogRatio) && !math.IsInf(p.LogRatio, 0) {
			points = append(points, p)
			hasLinks = hasLinks || p.Link != ""
		}
	}
	return points, hasLinks
}

// frame has the axes of a scatter and the area between them.
type frame struct {
	x, y *axis
	all  box
	room *room
}

func newFrame(points []*Point, top float64) *frame {
	low, high, down, up := 1.0, 10.0, 0.0, 0.0
	for i, p := range points {
		if i == 0 {
			low, high = p.Frequency, p.Frequency
		}
		low, high = min(low, p.Frequency), max(high, p.Frequency)
		down, up = min(down, p.LogRatio), max(up, p.LogRatio)
	}
	all := box{plotLeft, top + plotTop, scatterWidth - plotRight, top + plotTop + plotHeight}
	inner := 12.0 // space for marks at the edge
	return &frame{
		x:    logAxis(low, high, all.x1+inner, all.x2-inner),
		y:    ratioAxis(down, up, all.y2-inner, all.y1+inner),
		all:  all,
		room: newRoom(),
	}
}

// drawAxes draws the axes with their ticks and names, and the names of the sides.
func (f *frame) drawAxes(d *drawing, s *Scatter) {
	for _, t := range f.x.ticks {
		x := f.x.at(t)
		d.line(x, f.all.y1, x, f.all.y2, "", 0.15)
		d.text(x, f.all.y2+16, "middle", number(t))
	}
	for _, t := range f.y.ticks {
		y, class, opacity := f.y.at(t), "", 0.15
		if t == 0 {
			class, opacity = "zero", 0.8
		}
		d.line(f.all.x1, y, f.all.x2, y, class, opacity)
		d.text(f.all.x1-8, y+4, "end", times(t))
	}
	d.text((f.all.x1+f.all.x2)/2, f.all.y2+36, "middle", s.X)
	d.addf(`<text transform="translate(12,%s) rotate(-90)" text-anchor="middle">%s</text>`+"\n", svg.Length((f.all.y1+f.all.y2)/2), svg.Escape(s.Y))
	f.side(d, "● "+s.Above, f.all.y1+14)
	f.side(d, "■ "+s.Below, f.all.y2-6)
}

// side writes the name of one corpus, A or B, at the right end of the plot, at height y.
func (f *frame) side(d *drawing, text string, y float64) {
	text, width := shorten(text, int((f.all.x2-f.all.x1)/2/boldWidth))
	d.addf(`<text class="side" x="%s" y="%s" text-anchor="end" font-weight="bold">%s</text>`+"\n", svg.Length(f.all.x2-4), svg.Length(y), svg.Escape(text))
	f.room.taken = append(f.room.taken, box{f.all.x2 - 8 - charWidth*float64(width), y - 13, f.all.x2, y + 5})
}

// drawDots draws the points without a title, and returns the points with a title.
func (f *frame) drawDots(d *drawing, points []*Point) (named []*Point) {
	// A line of length 0 is a dot if its cap is round, and a square if its cap is square.
	looks := [...]struct{ class, attributes string }{
		{"pts", `stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-opacity="0.4"`},
		{"pa", `stroke="` + colourA + `" stroke-width="4" stroke-linecap="round" stroke-opacity="0.6"`},
		{"pb", `stroke="` + colourB + `" stroke-width="3.5" stroke-linecap="square" stroke-opacity="0.6"`},
	}
	var paths [len(looks)][]byte
	seen := map[[3]int]bool{}
	for _, p := range points {
		x, y := f.x.at(p.Frequency), f.y.at(p.LogRatio)
		if p.Title != "" {
			named = append(named, p)
			continue
		}
		look := 0
		if p.Sure {
			look = 1 + p.side()
		}
		at := [3]int{int(math.Round(x)), int(math.Round(y)), look}
		if seen[at] {
			continue
		}
		seen[at] = true
		f.room.point(x, y)
		paths[look] = append(paths[look], ("M" + svg.Length(float64(at[0])) + " " + svg.Length(float64(at[1])) + "h.1")...)
	}
	for i, look := range looks {
		if len(paths[i]) > 0 {
			d.addf(`<path class="%s" fill="none" %s d="%s"/>`+"\n", look.class, look.attributes, paths[i])
		}
	}
	return named
}

// drawNamed draws the points that have a title. It also draws their names if there is space.
func (f *frame) drawNamed(d *drawing, named []*Point) {
	for _, p := range named {
		if !p.isNumbered() {
			x, y := f.x.at(p.Frequency), f.y.at(p.LogRatio)
			f.room.taken = append(f.room.taken, box{x - pointRadius, y - pointRadius, x + pointRadius, y + pointRadius})
		}
	}
	names := f.placeNames(named)
	for _, p := range named {
		if p.isNumbered() && p.Least != 0 && !math.IsNaN(p.Least) {
			d.addf(`<path class="%s" fill="none" stroke="%s" stroke-width="2" d="M%s %sV%sm-4 0h8"/>`+"\n", sides[p.side()], colours[p.side()],
				svg.Length(f.x.at(p.Frequency)), svg.Length(f.y.at(p.LogRatio)), svg.Length(f.y.at(p.Least)))
		}
	}
	for _, p := range named {
		d.titled(sides[p.side()], p.Title, p.Link, func() {
			if p.isNumbered() {
				f.drawNumbered(d, p, colours[p.side()])
			} else {
				f.drawMark(d, p, names[p], colours[p.side()])
			}
		})
	}
}

// isNumbered says whether the point has a name that is short enough to be written on its mark.
func (p *Point) isNumbered() bool {
	return p.Name != "" && utf8.RuneCountInString(p.Name) <= onMarkRunes
}

// label returns the name of a point as a label, on the point's side of the plot.
func (f *frame) label(p *Point, width, height float64) *label {
	l := &label{x: f.x.at(p.Frequency), y: f.y.at(p.LogRatio), width: width, height: height, radius: pointRadius, within: f.all}
	if p.side() == 0 {
		l.within.y2 = f.y.at(0)
	} else {
		l.within.y1 = f.y.at(0)
	}
	return l
}

// drawNumbered draws a mark with the number of a point, at the point or elsewhere with a line to the point.
func (f *frame) drawNumbered(d *drawing, p *Point, colour string) {
	l := f.label(p, 2*onMark, 2*onMark)
	l.onPoint, l.within = true, f.all
	x, y := l.x, l.y
	b, ok := f.room.place(l)
	if !ok { // better to cross lines than to draw no number
		l.crosses = true
		b, ok = f.room.place(l)
	}
	if ok {
		x, y = (b.x1+b.x2)/2, (b.y1+b.y2)/2
		d.stroke(l, b, colour)
	}
	p.shape(d, x, y, onMark, colour)
	name, _ := svg.Readable([]byte(p.Name))
	d.addf(`<text x="%s" y="%s" text-anchor="middle" font-size="11" font-weight="bold" fill="#fff">%s</text>`, svg.Length(x), svg.Length(y+4), svg.Escape(name))
}

type placedName struct {
	*label
	box  box
	name string
}

// placeNames finds places for names, preferably next to their points. A name without room is not in the
// result.
func (f *frame) placeNames(named []*Point) map[*Point]*placedName {
	placed := map[*Point]*placedName{}
	for _, beside := range []bool{true, false} {
		for i, p := range named {
			if p.Name == "" || p.isNumbered() || placed[p] != nil {
				continue
			}
			name, width := svg.Readable([]byte(p.Name))
			l := f.label(p, charWidth*float64(width), lineHeight)
			l.beside = beside && i > 1
			if b, ok := f.room.place(l); ok {
				placed[p] = &placedName{l, b, name}
			}
		}
	}
	return placed
}

// drawMark draws a point and its name. If the name is not close to the point, a line joins them.
func (f *frame) drawMark(d *drawing, p *Point, name *placedName, colour string) {
	if name != nil {
		d.stroke(name.label, name.box, colour)
		d.addf(`<text class="name" x="%s" y="%s" font-family="%s" paint-order="stroke" stroke="none" stroke-width="3" stroke-linejoin="round">%s</text>`,
			svg.Length(name.box.x1), svg.Length(name.box.y2-4), mono, svg.Escape(name.name))
	}
	p.shape(d, f.x.at(p.Frequency), f.y.at(p.LogRatio), pointRadius, colour)
}

// These are the classes (in the SVG file) and the colours of side A and side B.
var (
	sides   = [...]string{"A", "B"}
	colours = [...]string{colourA, colourB}
)

// side returns 0 if the log ratio of the point is 0 or more, and 1 if it is negative.
func (p *Point) side() int {
	if p.LogRatio < 0 {
		return 1
	}
	return 0
}

// shape draws the mark of a point: a circle if its log ratio is 0 or more, else a square.
func (p *Point) shape(d *drawing, x, y, r float64, colour string) {
	if p.side() == 0 {
		d.addf(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`, svg.Length(x), svg.Length(y), svg.Length(r), colour)
		return
	}
	d.addf(`<rect x="%s" y="%s" width="%s" height="%[3]s" fill="%s"/>`, svg.Length(x-r), svg.Length(y-r), svg.Length(2*r), colour)
}
