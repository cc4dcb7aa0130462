package plot

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// element is an element of a picture, with its text.
type element struct {
	name       string
	attributes map[string]string
	text       string
}

func (e *element) number(t *testing.T, attribute string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(e.attributes[attribute], 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// parse reads a picture. It fails if an element has a style attribute, or two elements have the same id.
func parse(t *testing.T, picture []byte) (all []*element) {
	t.Helper()
	if !utf8.Valid(picture) {
		t.Fatal("no UTF-8")
	}
	d := xml.NewDecoder(strings.NewReader(string(picture)))
	var open []*element
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
		switch x := token.(type) {
		case xml.StartElement:
			e := &element{name: x.Name.Local, attributes: map[string]string{}}
			for _, a := range x.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			if _, ok := e.attributes["style"]; ok {
				t.Errorf("%s has a style", e.name)
			}
			all, open = append(all, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text += string(x)
			}
		}
	}
}

func named(all []*element, name string) []*element {
	return slices.DeleteFunc(slices.Clone(all), func(e *element) bool { return e.name != name })
}

// TestNamesOverlap draws many points close to each other. The names that are written do not lie on each other
// or outside of the picture, and the first point has its name.
func TestNamesOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		s := Scatter{Text: Text{Title: "A against B"}, Above: "more in A", Below: "more in B"}
		for i := range 40 {
			name := fmt.Sprintf("%s %d", strings.Repeat("NOUN >obl ", 1+r.IntN(4)), i)
			s.Points = append(s.Points, Point{Frequency: 1 + 50*r.Float64(), LogRatio: 3 * r.NormFloat64(), Name: name, Title: name})
		}
		for range 500 {
			s.Points = append(s.Points, Point{Frequency: 1 + 500*r.Float64(), LogRatio: r.NormFloat64(), Sure: r.IntN(2) == 0})
		}
		all := parse(t, s.AppendSVG(nil))
		var boxes []box
		first := false
		for _, e := range named(all, "text") {
			if e.attributes["class"] != "name" {
				continue
			}
			first = first || e.text == s.Points[0].Name
			x, y := e.number(t, "x"), e.number(t, "y")
			b := box{x, y - 10, x + charWidth*float64(len(e.text)) - 0.1, y + 3}
			if b.x1 < 0 || b.x2 > scatterWidth {
				t.Errorf("%q lies outside", e.text)
			}
			if slices.ContainsFunc(boxes, b.meets) {
				t.Errorf("%q lies on another name", e.text)
			}
			boxes = append(boxes, b)
		}
		if !first || len(boxes) < 8 {
			t.Errorf("%d names, the first is there: %v", len(boxes), first)
		}
		if n := len(named(all, "circle")) + len(named(all, "rect")); n != 41 { // with the ground
			t.Errorf("%d marks", n)
		}
	}
}

// TestNumbers draws numbered points with links. Each point has its number, and no number lies on another.
func TestNumbers(t *testing.T) {
	s := Scatter{Text: Text{Title: "a < b & \"c\""}, InPage: true}
	for i := range 20 {
		s.Points = append(s.Points, Point{Frequency: 100 + float64(i/4), LogRatio: float64(i%2) + 2, Name: strconv.Itoa(i + 1), Title: "<script>", Link: "?q=%22&r=" + strconv.Itoa(i)})
	}
	all := parse(t, s.AppendSVG(nil))
	if role := all[0].attributes["role"]; role != "group" {
		t.Errorf("role %s: what is inside an image cannot be followed", role)
	}
	if len(named(all, "style")) > 0 {
		t.Error("a picture in a page has a style sheet of its own")
	}
	if title := named(all, "title")[0].text; title != s.Title {
		t.Errorf("title %q", title)
	}
	circles := named(all, "circle")
	if len(circles) != 20 || len(named(all, "a")) != 20 {
		t.Fatalf("%d circles, %d links", len(circles), len(named(all, "a")))
	}
	var boxes []box
	for _, c := range circles {
		x, y := c.number(t, "cx"), c.number(t, "cy")
		b := box{x - onMark + 0.1, y - onMark + 0.1, x + onMark - 0.1, y + onMark - 0.1}
		if slices.ContainsFunc(boxes, b.meets) {
			t.Error("a number lies on another")
		}
		boxes = append(boxes, b)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis *axis
		want []float64
	}{
		{logAxis(3, 800, 0, 1000), []float64{2, 5, 10, 20, 50, 100, 200, 500, 1000}},
		{logAxis(7, 7, 0, 1000), []float64{5, 10}},
		{logAxis(5, 5, 0, 1000), []float64{5, 10}},
		{logAxis(1, 1e9, 0, 1000), []float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}},
		{logAxis(1, 1e9, 0, 300), []float64{1, 100, 1e4, 1e6, 1e8}},
		{ratioAxis(-1.5, 3.2, 0, 100), []float64{-2, -1, 0, 1, 2, 3, 4}},
		{ratioAxis(2, 11, 0, 100), []float64{0, 2, 4, 6, 8, 10, 12}},
		{ratioAxis(0, 0, 0, 100), []float64{-1, 0, 1}},
		{linearAxis(4300, 0, 100), []float64{0, 1000, 2000, 3000, 4000, 5000}},
		{linearAxis(0, 0, 100), []float64{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}},
	} {
		if c.axis.low == 0 && c.axis.high == 0 {
			t.Fatal("an axis of one number")
		}
		if !slices.Equal(c.axis.ticks, c.want) {
			t.Errorf("ticks %v, want %v", c.axis.ticks, c.want)
		}
	}
	for x, want := range map[float64]string{0.6000000000000001: "0.6", 1500: "1,500", 0.25: "0.25", 20000: "20,000"} {
		if got := number(x); got != want {
			t.Errorf("%v is written %s", x, got)
		}
	}
}

// TestStrip draws two rows. Every document is a dot at its rate, inside of its row.
func TestStrip(t *testing.T) {
	s := Strip{Text: Text{Title: "spread"}, X: "hits per million words"}
	rows := []StripRow{{Name: "a<b"}, {Name: strings.Repeat("漢", 40)}}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 400 {
		rate := 0.0
		if i%3 > 0 {
			rate = 1000 * r.ExpFloat64()
		}
		rows[i%2].Dots = append(rows[i%2].Dots, Dot{Rate: rate, Title: "document " + strconv.Itoa(i)})
	}
	s.Panels = []Panel{{Name: "VERB >iobj _", Rows: rows}, {Name: "none"}}
	picture := s.AppendSVG(nil)
	all := parse(t, picture)
	circles := named(all, "circle")
	if len(circles) != 400 {
		t.Fatalf("%d dots", len(circles))
	}
	from := titleHeight + panelTop
	for i, c := range circles {
		row := from + rowHeight*float64(i/200)
		if y := c.number(t, "cy"); y-dotRadius < row || y+dotRadius > row+rowHeight {
			t.Errorf("dot %d lies outside of its row: %v", i, y)
		}
	}
	if !strings.Contains(string(picture), "67 of 200 at 0") {
		t.Error("zeros are not counted")
	}
	if again := s.AppendSVG(nil); string(again) != string(picture) {
		t.Error("drawn twice, the pictures differ")
	}
}

// TestLongTexts draws long names of corpora and constructions. The texts end inside of the picture, and the
// whole names are in titles.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("VERB >obj ", 40)
	scatter := Scatter{Text: Text{Title: long}, Above: long, Below: long, Points: []Point{{Frequency: 2, LogRatio: 1}}}
	strip := Strip{Text: Text{Title: long}, Panels: []Panel{{Name: long, Rows: []StripRow{{Name: long}}}}}
	for i, picture := range [][]byte{scatter.AppendSVG(nil), strip.AppendSVG(nil)} {
		all := parse(t, picture)
		width, cut := all[0].number(t, "width"), 0
		for _, e := range named(all, "text") {
			if strings.HasSuffix(e.text, "…") {
				cut++
			}
			x := 0.0
			if e.attributes["x"] != "" {
				x = e.number(t, "x")
			}
			wide := charWidth * float64(utf8.RuneCountInString(e.text))
			if end := e.attributes["text-anchor"] == "end"; end && x < wide || e.attributes["text-anchor"] == "" && x+wide > width {
				t.Errorf("picture %d: %q runs out of it", i, e.text)
			}
		}
		if cut != 3 || !slices.ContainsFunc(named(all, "title"), func(e *element) bool { return e.text == long }) {
			t.Errorf("picture %d: %d texts are cut, or no title has all", i, cut)
		}
	}
}
