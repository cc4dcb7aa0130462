package plot

import (
	"math"
	"slices"
)

// box is a rectangle, in pixels.
type box struct{ x1, y1, x2, y2 float64 }

func (b box) meets(c box) bool { return b.x1 < c.x2 && c.x1 < b.x2 && b.y1 < c.y2 && c.y1 < b.y2 }

func (b box) within(c box) bool { return b.x1 >= c.x1 && b.x2 <= c.x2 && b.y1 >= c.y1 && b.y2 <= c.y2 }

// segment is a straight line, mostly from a point to its name.
type segment struct{ x1, y1, x2, y2 float64 }

// crosses says whether a line runs through a box.
func (l segment) crosses(b box) bool {
	from, to := 0.0, 1.0
	clip := func(start, delta, low, high float64) bool {
		if delta == 0 {
			return start > low && start < high
		}
		a, z := (low-start)/delta, (high-start)/delta
		from, to = max(from, min(a, z)), min(to, max(a, z))
		return from < to
	}
	return clip(l.x1, l.x2-l.x1, b.x1, b.x2) && clip(l.y1, l.y2-l.y1, b.y1, b.y2)
}

func (l segment) meets(m segment) bool {
	side := func(s segment, x, y float64) float64 { return (s.x2-s.x1)*(y-s.y1) - (s.y2-s.y1)*(x-s.x1) }
	return side(l, m.x1, m.y1)*side(l, m.x2, m.y2) < 0 && side(m, l.x1, l.y1)*side(m, l.x2, l.y2) < 0
}

// cell is the size, in pixels, of the squares in which points are counted.
const cell = 6

// room knows which parts of a plot are taken, and where the points are. Names and their lines must not lie on
// taken parts, and names should not lie on points.
type room struct {
	taken  []box
	lines  []segment
	points map[[2]int]int // square → number of points in it
}

func newRoom() *room { return &room{points: map[[2]int]int{}} }

func (r *room) point(x, y float64) { r.points[[2]int{int(x / cell), int(y / cell)}]++ }

func (r *room) covered(b box) (n int) {
	for x := int(b.x1 / cell); x <= int(b.x2/cell); x++ {
		for y := int(b.y1 / cell); y <= int(b.y2/cell); y++ {
			n += r.points[[2]int{x, y}]
		}
	}
	return n
}

// distances are the distances, in line heights, that are tried between a name and its point.
var distances = []float64{0, 1, 2, 3, 4.5, 6, 8}

// label is a name that needs a place near its point.
type label struct {
	x, y          float64 // position of the point
	width, height float64
	radius        float64 // radius of the point's mark; the name is drawn outside of it
	beside        bool    // place the name at its point or nowhere
	onPoint       bool    // the name is allowed to lie on its point
	crosses       bool    // lines are allowed to cross each other and names
	within        box
}

// line returns the line from the point to its name in box b, and whether the line is long enough to be
// needed.
func (l *label) line(b box) (s segment, ok bool) {
	s = segment{l.x, l.y, min(max(l.x, b.x1), b.x2), min(max(l.y, b.y1+3), b.y2-3)}
	if l.onPoint {
		s.x2, s.y2 = (b.x1+b.x2)/2, (b.y1+b.y2)/2
	}
	return s, math.Hypot(s.x2-s.x1, s.y2-s.y1) > 2*l.radius
}

// isFree says whether a name can be placed in box b.
func (r *room) isFree(l *label, b box) bool {
	if !b.within(l.within) || slices.ContainsFunc(r.taken, b.meets) {
		return false
	}
	if l.crosses {
		return true
	}
	if slices.ContainsFunc(r.lines, func(s segment) bool { return s.crosses(b) }) {
		return false
	}
	s, ok := l.line(b)
	return !ok || !slices.ContainsFunc(r.lines, s.meets) && !slices.ContainsFunc(r.taken, func(t box) bool {
		isOwn := t.x1 < l.x && l.x < t.x2 && t.y1 < l.y && l.y < t.y2
		return !isOwn && s.crosses(t)
	})
}

// place takes the best free box for a name: near the point, and over few other points. It also returns
// whether any box is free.
func (r *room) place(l *label) (best box, ok bool) {
	least := math.Inf(1)
	try := func(left, top, cost float64) {
		b := box{left, top, left + l.width, top + l.height}
		if cost += 0.4 * float64(r.covered(b)); cost < least && r.isFree(l, b) {
			best, least, ok = b, cost, true
		}
	}
	if l.onPoint {
		try(l.x-l.width/2, l.y-l.height/2, -1e6) // a number is allowed to cover the points below it
		for ring := 1.0; ring < 8; ring++ {
			for i := range 8 * int(ring) {
				sin, cos := math.Sincos(2 * math.Pi * float64(i) / (8 * ring))
				try(l.x-l.width/2+ring*l.width*sin, l.y-l.height/2-ring*l.height*cos, ring)
			}
		}
	}
	for _, far := range distances {
		if l.beside && far > 1 {
			break
		}
		off := l.radius + 2 + far*l.height
		try(l.x+off, l.y-l.height/2, far)
		try(l.x-off-l.width, l.y-l.height/2, far)
		for _, up := range []float64{-1, 1} {
			top := l.y + up*(off+l.height/2) - l.height/2
			for _, share := range []float64{0.5, 0, 1, 0.25, 0.75} {
				try(l.x-share*l.width, top, far+0.2)
			}
			try(l.x+off, top, far+0.3)
			try(l.x-off-l.width, top, far+0.3)
		}
	}
	if ok {
		r.taken = append(r.taken, best)
		if s, away := l.line(best); away {
			r.lines = append(r.lines, s)
		}
	}
	return best, ok
}
