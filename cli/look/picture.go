package look

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/decode/plot"
	"fstore/index"
	"fstore/mine/contrast"
	"fstore/mine/count"
)

// svgFormat is the format that draws a picture and prints no table.
var svgFormat = output.Format{Name: "svg"}

// scatter is the picture of a comparison. Each row is a point. The points of printed rows have names.
type scatter struct {
	w       io.Writer
	columns []table.Column
	t       *contrast.Contrast
	caption string
	inPage  bool // the picture is beside the table, so points have row numbers as names and link to the rows

	dots  map[dot]bool // points of all rows
	named []plot.Point
}

// dot is a point without a name. Rows with equal dots are one point.
type dot struct {
	frequency uint64
	logratio  float64
	sure      bool
}

// mostNamedPoints is the largest number of points with names, half of them from each end of the table.
const mostNamedPoints = 40

func newScatter(w io.Writer, t *contrast.Contrast, columns []table.Column, o table.Options) *scatter {
	return &scatter{w: w, columns: columns, t: t, caption: o.Caption, dots: map[dot]bool{}}
}

// withPicture writes a table and its picture.
type withPicture struct {
	table.Writer
	picture *scatter
}

func (w withPicture) Write(row *table.Row) error {
	return errors.Join(w.Writer.Write(row), w.picture.Write(row))
}

func (w withPicture) Close() error { return errors.Join(w.Writer.Close(), w.picture.Close()) }

// add adds a point without a name.
func (s *scatter) add(r *contrast.Row) { s.dots[dot{r.FreqA + r.FreqB, r.LogRatio, r.LRC != 0}] = true }

// Write adds a point for a row. The name of the point is the row's fragment.
func (s *scatter) Write(row *table.Row) error {
	at := func(column string) int { return table.Index(s.columns, column) }
	a, b := row.Uint(at("freq_A")), row.Uint(at("freq_B"))
	lrc, logratio := row.Float(at("lrc")), row.Float(at("logratio"))
	name := string(row.Text(fragmentColumn))
	title := fmt.Sprintf("%s\n%s in A, %s in B; log ratio %.3g", name, index.Thousands(a), index.Thousands(b), logratio)
	if lrc != 0 {
		title += fmt.Sprintf(", at least %.3g", lrc)
	}
	if s.t.Documents {
		title += fmt.Sprintf("; %s and %s", index.Thousands(row.Uint(at("docs_A"))), index.Plural(row.Uint(at("docs_B")), "document"))
	}
	point := plot.Point{Frequency: float64(a) + float64(b), LogRatio: logratio, Sure: lrc != 0, Least: lrc, Name: name, Title: title}
	if s.inPage {
		point.Name = strconv.Itoa(len(s.named) + 1)
		point.Link = "#r" + point.Name
	}
	s.named = append(s.named, point)
	return nil
}

// Close draws the picture.
func (s *scatter) Close() error {
	c := s.t
	a, b := cmp.Or(c.A.Label, "all samples"), cmp.Or(c.B.Label, "the rest")
	p := plot.Scatter{
		Text: plot.Text{
			Title:       fmt.Sprintf("%s against %s", a, b),
			Description: "Each point is a construction: to the right what is frequent, up what A has more of, down what B has more of. " + s.caption,
		},
		X: string(c.Options.Count) + ", A and B together", Y: "times as frequent per " + strings.TrimSuffix(string(c.Options.Per), "s"),
		Above: "more in A, " + a, Below: "more in B, " + b,
		Points: s.strongest(), InPage: s.inPage,
	}
	dots := slices.SortedFunc(maps.Keys(s.dots), func(x, y dot) int {
		return cmp.Or(cmp.Compare(x.frequency, y.frequency), cmp.Compare(x.logratio, y.logratio))
	})
	for _, d := range dots {
		p.Points = append(p.Points, plot.Point{Frequency: float64(d.frequency), LogRatio: d.logratio, Sure: d.sure})
	}
	_, err := s.w.Write(p.AppendSVG(nil))
	return err
}

// strongest returns the points with names, alternately from the top and from the bottom of the table.
func (s *scatter) strongest() (points []plot.Point) {
	for i := 0; i < (len(s.named)+1)/2 && len(points) < mostNamedPoints; i++ {
		points = append(points, s.named[i])
		if last := len(s.named) - 1 - i; last > i {
			points = append(points, s.named[last])
		}
	}
	return points
}

// strip is the picture that shows how constructions are spread over documents.
type strip struct {
	inPage bool
	panels []plot.Panel
}

// keys returns the groups of a sample: each of its labels, or no label, together with its document.
func (*strip) keys(_ uint32, t *index.Tree) (keys []string) {
	index.SplitLabels(t.Label, func(label string) { keys = append(keys, label+"\x00"+t.Document) })
	if len(keys) == 0 {
		keys = append(keys, "\x00"+t.Document)
	}
	return keys
}

// add adds a construction, with a row of its counts for each group of samples (see keys).
func (s *strip) add(name string, rows []count.Row) {
	type sum struct {
		hits, words uint64
		dots        []plot.Dot
	}
	labels := map[string]*sum{}
	for i := range rows {
		r := &rows[i]
		label, document, _ := strings.Cut(r.Group, "\x00")
		if labels[label] == nil {
			labels[label] = &sum{}
		}
		if document == "" || math.IsNaN(r.Permillion()) {
			continue
		}
		of := labels[label]
		of.hits += r.Hits
		of.words += r.Words
		of.dots = append(of.dots, plot.Dot{
			Rate:  r.Permillion(),
			Title: fmt.Sprintf("%s: %s in %s, %s per million", document, index.Plural(r.Hits, "hit"), index.Plural(r.Words, "word"), index.Thousands(uint64(math.Round(r.Permillion())))),
		})
	}
	panel := plot.Panel{Name: name}
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		all := count.Row{Hits: labels[label].hits, Words: labels[label].words}
		panel.Rows = append(panel.Rows, plot.StripRow{Name: label, Rate: all.Permillion(), Dots: labels[label].dots})
	}
	s.panels = append(s.panels, panel)
}

func (s *strip) write(w io.Writer) error {
	p := plot.Strip{
		Text: plot.Text{
			Title:       "Hits in a million words, by document",
			Description: "Each dot is a document, in the row of its label; the line is the rate of all documents together.",
		},
		X: "hits per million words: a dot is a document, the line all documents of the label together", Panels: s.panels,
		InPage: s.inPage,
	}
	_, err := w.Write(p.AppendSVG(nil))
	return err
}
