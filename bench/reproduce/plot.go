package main

import (
	"image/color"

	"github.com/cockroachdb/pebble/v2/vfs"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"fstore/cli/output"
)

type curve struct {
	name string
	at   plotter.XYs
}

type panel struct {
	title, x, y string
	logarithmic bool // the x axis is logarithmic
	curves      []curve
}

// colours are the colours of curves. Most colour-blind people can tell them apart (Okabe & Ito 2008).
var colours = []color.Color{
	color.RGBA{0, 114, 178, 255},
	color.RGBA{213, 94, 0, 255},
	color.RGBA{0, 158, 115, 255},
	color.RGBA{204, 121, 167, 255},
	color.RGBA{0, 0, 0, 255},
}

const (
	panelWidth  = 11 * vg.Centimeter
	panelHeight = 8 * vg.Centimeter
)

// drawPanels writes panels to an SVG file, in rows of this many columns.
func drawPanels(path string, panels []panel, columns int) error {
	rows := (len(panels) + columns - 1) / columns
	canvas := vgsvg.New(panelWidth*vg.Length(columns), panelHeight*vg.Length(rows))
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: 4 * vg.Millimeter, PadY: 4 * vg.Millimeter, PadRight: 4 * vg.Millimeter, PadTop: 2 * vg.Millimeter}
	for i := range panels {
		p, err := panels[i].plot()
		if err != nil {
			return err
		}
		p.Draw(tiles.At(draw.New(canvas), i%columns, i/columns))
	}
	out, err := output.Create(vfs.Default, path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := canvas.WriteTo(out); err != nil {
		return err
	}
	return out.Commit()
}

func (p *panel) plot() (*plot.Plot, error) {
	out := plot.New()
	out.Title.Text, out.X.Label.Text, out.Y.Label.Text = p.title, p.x, p.y
	if p.logarithmic {
		out.X.Scale, out.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	out.Legend.Left, out.Legend.Top = false, false
	out.Add(plotter.NewGrid())
	for i, c := range p.curves {
		line, points, err := plotter.NewLinePoints(c.at)
		if err != nil {
			return nil, err
		}
		line.Color, points.Color = colours[i%len(colours)], colours[i%len(colours)]
		points.Shape = shape(i)
		out.Add(line, points)
		out.Legend.Add(c.name, line, points)
	}
	return out, nil
}

// shape returns the shape of the points of curve i, so that curves differ not only in colour.
func shape(i int) draw.GlyphDrawer {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}}
	return shapes[i%len(shapes)]
}
