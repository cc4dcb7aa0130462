package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/plotter"

	"fstore/bench/reproduce/markdown"
	"fstore/index"
)

// report prints tables 1 and 2 and the numbers of figures 2 and 3, and draws the figures.
func (r *pm10Run) report(ctx context.Context, s *settings, c *choice, stk *scored, w io.Writer) error {
	fmt.Fprintf(w, "C of the kernel machines: %g. C of OPT:", c.machine)
	for _, way := range ways {
		var each []string
		for _, class := range stk.Classes {
			each = append(each, fmt.Sprintf("%s %g", class, c.linear[way][class]))
		}
		fmt.Fprintf(w, " %s: %s.", way, strings.Join(each, ", "))
	}
	fmt.Fprint(w, "\n\n")
	return errors.Join(
		r.table1(ctx, c, stk, w),
		r.table2(ctx, c, stk, w),
		r.figure2(ctx, s, c, stk, w),
		r.figure3(ctx, s, c, stk, w),
	)
}

// opt returns the scores of the retrained model of a class, with the chosen C.
func (p *projected) opt(c *choice, way, class string) []float64 {
	return p.OPT[fmt.Sprint(c.linear[way][class])]
}

// at calls project with the C that was chosen for this class and way of selecting.
func (r *pm10Run) at(ctx context.Context, c *choice, class, way string, length float64) (projected, error) {
	return r.project(ctx, class, way, length, []float64{c.linear[way][class]})
}

// table1 compares the kernel machine and the linear models of each class, at the length tableLength.
func (r *pm10Run) table1(ctx context.Context, c *choice, stk *scored, w io.Writer) error {
	fmt.Fprintf(w, "Table 1: F1 of each class, of STK and of the fragments with %g of ‖w‖, selected by the gradient.\n\n", tableLength)
	var rows [][]string
	for k, class := range stk.Classes {
		p, err := r.at(ctx, c, class, byGradient, tableLength)
		if err != nil {
			return err
		}
		rows = append(rows, []string{
			class, markdown.Percent(f1(stk.Gold, class, stk.column(k))), fmt.Sprintf("%.2f", p.Norm), index.Thousands(p.Fragments),
			markdown.Percent(f1(stk.Gold, class, p.LIN)), fmt.Sprintf("%.2f", p.Norm*p.Length), markdown.Percent(f1(stk.Gold, class, p.opt(c, byGradient, class))),
		})
	}
	return markdown.Table(w, []string{"class", "STK", "‖w‖", "fragments", "LIN", "‖w_in‖", "OPT"}, rows)
}

// table2 prints the accuracy over the six classes, at the length chosen on the development questions.
func (r *pm10Run) table2(ctx context.Context, c *choice, stk *scored, w io.Writer) error {
	fmt.Fprint(w, "Table 2: accuracy over the six classes; how much is selected is chosen on the development questions.\n\n")
	rows := [][]string{{"STK", markdown.Percent(stk.accuracy()), "all", ""}}
	for _, way := range ways {
		a, n, err := r.together(ctx, stk, c, way, c.length[way])
		if err != nil {
			return err
		}
		rows = append(rows, []string{"OPT/" + way, markdown.Percent(a), index.Thousands(n), fmt.Sprint(c.length[way])})
	}
	return markdown.Table(w, []string{"model", "accuracy", "fragments", "‖w_in‖ / ‖w‖ of Grad"}, rows)
}

// figure2 prints and draws the F1 of each class by the selected share of ‖w‖.
func (r *pm10Run) figure2(ctx context.Context, s *settings, c *choice, stk *scored, w io.Writer) error {
	fmt.Fprint(w, "Figure 2: F1 by ‖w_in‖ / ‖w‖; Chi selects as many fragments as Grad.\n\n")
	var rows [][]string
	var panels []panel
	for k, class := range stk.Classes {
		machine := f1(stk.Gold, class, stk.column(k))
		curves := []curve{{name: "LIN/Grad"}, {name: "OPT/Grad"}, {name: "LIN/Chi"}, {name: "OPT/Chi"}, {name: "STK"}}
		for _, length := range lengths {
			row := []string{class, markdown.Percent(machine)}
			for i, way := range ways {
				p, err := r.at(ctx, c, class, way, length)
				if err != nil {
					return err
				}
				lin, opt := f1(stk.Gold, class, p.LIN), f1(stk.Gold, class, p.opt(c, way, class))
				if way == byGradient {
					row = append(row, index.Thousands(p.Fragments))
				}
				row = append(row, fmt.Sprintf("%.3f", p.Length), markdown.Percent(lin), markdown.Percent(opt))
				for j, y := range []float64{lin, opt} {
					curves[2*i+j].at = append(curves[2*i+j].at, plotter.XY{X: p.Length, Y: 100 * y})
				}
				if way == byGradient {
					curves[4].at = append(curves[4].at, plotter.XY{X: p.Length, Y: 100 * machine})
				}
			}
			rows = append(rows, row)
		}
		panels = append(panels, panel{title: class, x: "‖w_in‖ / ‖w‖", y: "F1", curves: curves})
	}
	head := []string{"class", "STK", "fragments", "Grad: length", "LIN", "OPT", "Chi: length", "LIN", "OPT"}
	return errors.Join(markdown.Table(w, head, rows), drawPanels(filepath.Join(s.out, "pm10-figure2.svg"), panels, 3))
}

// figure3 prints and draws the accuracy over the six classes by the number of fragments.
func (r *pm10Run) figure3(ctx context.Context, s *settings, c *choice, stk *scored, w io.Writer) error {
	fmt.Fprint(w, "Figure 3: accuracy over the six classes by the number of fragments of all of them.\n\n")
	curves := []curve{{name: "OPT/Grad"}, {name: "OPT/Chi"}, {name: "STK"}}
	var rows [][]string
	for _, length := range lengths {
		row := []string{fmt.Sprint(length)}
		for i, way := range ways {
			a, n, err := r.together(ctx, stk, c, way, length)
			if err != nil {
				return err
			}
			if i == 0 {
				row = append(row, index.Thousands(n))
				curves[2].at = append(curves[2].at, plotter.XY{X: float64(n), Y: 100 * stk.accuracy()})
			}
			row = append(row, markdown.Percent(a))
			curves[i].at = append(curves[i].at, plotter.XY{X: float64(n), Y: 100 * a})
		}
		rows = append(rows, append(row, markdown.Percent(stk.accuracy())))
	}
	head := []string{"‖w_in‖ / ‖w‖ of Grad", "fragments", "OPT/Grad", "OPT/Chi", "STK"}
	p := panel{title: "six classes", x: "fragments", y: "accuracy", logarithmic: true, curves: curves}
	return errors.Join(markdown.Table(w, head, rows), drawPanels(filepath.Join(s.out, "pm10-figure3.svg"), []panel{p}, 1))
}

// reproducePM10 runs the experiment and prints its report.
func reproducePM10(ctx context.Context, s *settings, w io.Writer) error {
	c, err := s.choose(ctx)
	if err != nil {
		return err
	}
	r, err := s.openPM10(ctx, "test", s.find(trainingFile), s.find(testFile))
	if err != nil {
		return err
	}
	defer r.close()
	stk, err := r.stk(ctx, c.machine)
	if err != nil {
		return err
	}
	r.machine = fmt.Sprintf("stk-%g", c.machine)
	return r.report(ctx, s, &c, &stk, w)
}
