package plot

import (
	"math"
	"unicode/utf8"

	"fstore/decode/svg"
)

// Scatter shows how frequent things are, and on which of two sides more frequent: frequency to the
// right, on a logarithmic axis, and log ratio upwards.
type Scatter struct {
	Text
	X, Y         string // what the axes show
	Above, Below string // what has more of the points above and below
	Points       []Point
	InPage       bool // without a ground and a title of its own: see the package
}

// Point is one thing in a scatter. A frequency of 0 or less, and a ratio that is no number or
// infinite, has no place, and is left out.
type Point struct {
	Frequency float64
	LogRatio  float64 // of base 2
	Sure      bool    // its interval leaves 0 out: it has the colour of its side, else none
	Least     float64 // the end of its interval that is nearest to 0: a line leads there from a numbered mark; 0: no line
	// Name is written beside the point if there is room. Those of the first points come first. A name
	// of up to three characters is written on its mark, as the number of a row.
	Name  string
	Title string // is shown where the mouse rests; a point without has neither name nor link
	Link  string // where a click goes; "" is nowhere
}

const (
	scatterWidth = 1100.0
	plotHeight   = 440.0
	plotLeft     = 64.0
	plotRight    = 20.0
	plotTop      = 14.0
	axisHeight   = 44.0 // of ticks and the name of the axis
	radius       = 4.0  // of a point with a title
	onMark       = 8.0  // of a mark with a number
	lineHeight   = 15.0 // of names
	onMarkRunes  = 3
)

// AppendSVG appends the picture.
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

// frame is the axes of a scatter, and the room between them.
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
	inner := 12.0 // what marks at the edge need
	return &frame{
		x:    logAxis(low, high, all.x1+inner, all.x2-inner),
		y:    ratioAxis(down, up, all.y2-inner, all.y1+inner),
		all:  all,
		room: newRoom(),
	}
}

// drawAxes draws the axes with their ticks, and says what they are.
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

// side names a side, at the right end.
func (f *frame) side(d *drawing, text string, y float64) {
	text, width := shorten(text, int((f.all.x2-f.all.x1)/2/boldWidth))
	d.addf(`<text class="side" x="%s" y="%s" text-anchor="end" font-weight="bold">%s</text>`+"\n", svg.Length(f.all.x2-4), svg.Length(y), svg.Escape(text))
	f.room.taken = append(f.room.taken, box{f.all.x2 - 8 - charWidth*float64(width), y - 13, f.all.x2, y + 5})
}

// drawDots draws the points without titles, one where several stand on the same pixel, and returns
// those with titles.
func (f *frame) drawDots(d *drawing, points []*Point) (named []*Point) {
	// A stroke of no length is a dot with a round cap and a square with a square one.
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

// drawNamed draws points with titles, and their names where there is room.
func (f *frame) drawNamed(d *drawing, named []*Point) {
	for _, p := range named {
		if !p.isNumbered() {
			x, y := f.x.at(p.Frequency), f.y.at(p.LogRatio)
			f.room.taken = append(f.room.taken, box{x - radius, y - radius, x + radius, y + radius})
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

// isNumbered says whether the name is written on the mark.
func (p *Point) isNumbered() bool {
	return p.Name != "" && utf8.RuneCountInString(p.Name) <= onMarkRunes
}

// label is what wants a place for the name of a point: on the point's side of the plot.
func (f *frame) label(p *Point, width, height float64) *label {
	l := &label{x: f.x.at(p.Frequency), y: f.y.at(p.LogRatio), width: width, height: height, radius: radius, within: f.all}
	if p.side() == 0 {
		l.within.y2 = f.y.at(0)
	} else {
		l.within.y1 = f.y.at(0)
	}
	return l
}

// drawNumbered draws a mark with its number, on its place or with a line to that.
func (f *frame) drawNumbered(d *drawing, p *Point, colour string) {
	l := f.label(p, 2*onMark, 2*onMark)
	l.onPoint, l.within = true, f.all
	x, y := l.x, l.y
	b, ok := f.room.place(l)
	if !ok { // a number that crosses lines is better than none
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

// placedName is where a name stands.
type placedName struct {
	*label
	box  box
	name string
}

// placeNames finds room for names: first for those that have room beside their point, and for the first two,
// then away from the point with a line. So no name far from its point takes another's place.
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

// drawMark draws a point and its name, with a line between them where the name is not beside it.
func (f *frame) drawMark(d *drawing, p *Point, name *placedName, colour string) {
	if name != nil {
		d.stroke(name.label, name.box, colour)
		d.addf(`<text class="name" x="%s" y="%s" font-family="%s" paint-order="stroke" stroke="none" stroke-width="3" stroke-linejoin="round">%s</text>`,
			svg.Length(name.box.x1), svg.Length(name.box.y2-4), mono, svg.Escape(name.name))
	}
	p.shape(d, f.x.at(p.Frequency), f.y.at(p.LogRatio), radius, colour)
}

// The classes and colours of the two sides.
var (
	sides   = [...]string{"A", "B"}
	colours = [...]string{colourA, colourB}
)

// side is 0 for a point above, and 1 below.
func (p *Point) side() int {
	if p.LogRatio < 0 {
		return 1
	}
	return 0
}

// shape draws the mark of a point: a circle for what is above, and a square for what is below.
func (p *Point) shape(d *drawing, x, y, r float64, colour string) {
	if p.side() == 0 {
		d.addf(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`, svg.Length(x), svg.Length(y), svg.Length(r), colour)
		return
	}
	d.addf(`<rect x="%s" y="%s" width="%s" height="%[3]s" fill="%s"/>`, svg.Length(x-r), svg.Length(y-r), svg.Length(2*r), colour)
}
