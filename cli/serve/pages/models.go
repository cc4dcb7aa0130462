package pages

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fstore/cli/serve/ask"
	"fstore/decode/draw"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/count"
)

type modelsData struct {
	Models, Selections []madeThing
}

// madeThing is a model or a selection with the settings that made it.
type madeThing struct {
	Name, By, Over string
	Fragments      uint32
	Settings       []string
}

// settings returns texts such as "C 100", in the byte order of the names.
func settings(all map[string]string) (texts []string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		texts = append(texts, name+" "+all[name])
	}
	return texts
}

func modelsLines(v *View) { v.add("info", ask.NewLine("info", v.Shelf), "tsv", "jsonl", "xlsx") }

func modelsPage(v *View) error {
	m := v.Meta()
	d := &modelsData{}
	for i := range m.Models {
		k := &m.Models[i]
		over := k.Kernel
		if k.Selection != "" {
			over = strings.TrimSpace(over + " over selection " + k.Selection)
		}
		d.Models = append(d.Models, madeThing{Name: k.Name, By: k.Learner, Over: over, Settings: settings(k.Settings)})
	}
	for i := range m.Selections {
		k := &m.Selections[i]
		d.Selections = append(d.Selections, madeThing{Name: k.Name, By: k.By, Over: m.Spaces[k.Space].ID, Fragments: k.Features, Settings: settings(k.Settings)})
	}
	v.Title, v.Data = "Models and selections", d
	return nil
}

// modelData is the data of a model's page, with its prediction for a sentence.
type modelData struct {
	Name, Learner string
	Text          string
	Table         *Table
	Row           Row
	Scores        []labelScore
	Most          float64
	Reasons       []reason
	Weights       string // address of the fragments with the model's weights, "" if it has none
	Example       string
}

type labelScore struct {
	Label string
	Score float64
}

// reason is a fragment that counts for or against the prediction.
type reason struct {
	Fragment string
	Adds     float64
	Drawing  string // the sentence with the fragment marked; only for the first few reasons
}

const (
	mostReasons  = 8
	mostDrawings = 3
)

func modelLines(v *View) {
	if v.Get("text") == "" {
		return
	}
	l := ask.NewLine("predict", v.Shelf).Arg("-").Flag("model", v.Get("name")).Input(strings.TrimSpace(v.Form.Get("text")) + "\n")
	if v.Get("why") != "no" {
		l.Int("why", mostReasons)
	}
	v.add("prediction", l, tableFormats...)
}

func modelPage(v *View) error {
	info := v.Meta().Model(v.Get("name"))
	if info == nil {
		return errors.New("no model has the name " + v.Get("name"))
	}
	d := &modelData{Name: info.Name, Learner: info.Learner, Text: strings.TrimSpace(v.Form.Get("text")), Table: &Table{}}
	v.Title, v.Data = "Model "+d.Name, d
	column := weightColumn(info.Kernel)
	d.Weights = v.To("fragments", "model", d.Name, "columns", column, "sort", column)
	d.Example = v.example()
	if d.Text == "" {
		return nil
	}
	line := v.lineOf("prediction")
	answer := v.ask(d.Table, line.line.With("format", "jsonl").Question())
	if d.Table.Problem != nil && strings.Contains(d.Table.Problem.Text, predict.ErrUnexplained.Error()) {
		d.Table = &Table{}
		line.line = line.line.With("why", "")
		v.Form.Set("why", "no") // for the downloads too
		answer = v.ask(d.Table, line.line.With("format", "jsonl").Question())
	}
	v.Problem = d.Table.Problem
	if answer == nil {
		return nil
	}
	if err := d.Table.parse(answer.Text); err != nil {
		return err
	}
	if len(d.Table.Rows) == 0 {
		return errors.New("there is no tree in the text")
	}
	d.Row = d.Table.Rows[0]
	for _, label := range d.Table.Some("score:") {
		d.Scores = append(d.Scores, labelScore{label, d.Row.Number("score:" + label)})
	}
	for n := 1; n <= mostReasons; n++ {
		if f := d.Row.Text(fmt.Sprintf("fragment:%d", n)); f != "" {
			d.Reasons = append(d.Reasons, reason{Fragment: f, Adds: d.Row.Number(fmt.Sprintf("adds:%d", n))})
			d.Most = max(d.Most, abs(d.Reasons[n-1].Adds))
		}
	}
	return d.draw(v, info.Kernel)
}

// weightColumn returns the column of the command `query` that has the weights of a model.
func weightColumn(kernel string) string {
	if kernel != "" {
		return "relevance"
	}
	return "weight"
}

func abs(x float64) float64 { return max(x, -x) }

// example returns the first sample of the store in the form in which a user types a sentence.
func (v *View) example() string {
	v.add("example", ask.NewLine("info", v.Shelf).Flag("sample", "1"))
	_, text := v.text("example")
	if len(text) > 4000 {
		return ""
	}
	return strings.TrimSpace(text)
}

// draw draws the sentence once for each of the first reasons, with the fragment of this reason marked.
func (d *modelData) draw(v *View, kernel string) error {
	own, err := v.State.Symbols()
	if err != nil {
		return err
	}
	syms := own.Overlay()
	in, err := read.Open([]string{"-"}, read.InputOptions{Symbols: syms, Stdin: strings.NewReader(d.Text + "\n"), Context: v.r.Context()})
	if err != nil {
		return err
	}
	defer in.Close()
	in.Need(index.Needs{NoHeads: true})
	var t index.Tree
	if err := in.Next(&t); err != nil {
		return err
	}
	x, err := count.Open(v.State.Store, kernel)
	if err != nil {
		if x, err = count.Open(v.State.Store, v.space()); err != nil {
			return err
		}
	}
	for i := range d.Reasons[:min(len(d.Reasons), mostDrawings)] {
		k, err := x.Parse(d.Reasons[i].Fragment)
		if err != nil {
			continue // fragments of this space cannot be found in trees
		}
		var marked []int32
		k.Finder(syms).Each(&t, func(row []int32) bool {
			marked = append(marked, row...)
			return len(marked) < 1000
		})
		slices.Sort(marked)
		d.Reasons[i].Drawing = string(draw.SVG(nil, &t, syms, draw.Options{Marked: slices.Compact(marked)}))
	}
	return nil
}
