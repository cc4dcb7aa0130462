package learn

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	"fstore/cli/command"
	"fstore/cli/output"
	"fstore/cli/table"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/learn/classes"
	"fstore/store"
)

// labels prints the labels that a model predicts for the inputs, or for the store's own samples.
func (c *PredictCommand) labels(ctx context.Context, env *command.Env, s *store.Store, m predict.Model) error {
	if err := c.refuseListFlags(); err != nil {
		return err
	}
	log, err := env.SideLog(c.ErrorLog)
	if err != nil {
		return err
	}
	defer log.Abort()
	rows := newPredictionRows(m.Labels(), c.Why, c.Stream)
	open := env.Table
	if c.Stream {
		open = env.Headless
	}
	out, err := open(c.OutputFlags, rows.columns)
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, ok := out.Writer.(table.Flusher); c.Stream && !ok {
		return index.Usagef("--stream: %s does not print a row at a time: choose tsv, csv or jsonl", out.Format)
	}
	printed := uint64(0)
	p := predict.New(ctx, m, c.Workers, func(x *predict.Prediction) error {
		printed++
		return out.Write(rows.set(x))
	})
	p.Flush = out.Flush
	p.Why = c.Why
	if err := c.run(env, s, m, p, log); err != nil {
		return command.Printed(err, printed, "row", c.Out)
	}
	if err := errors.Join(out.Commit(), log.Commit()); err != nil {
		return err
	}
	warnUnknown(env, p.Unknown)
	sayMeasures(env, &p.Outcomes, m.Labels())
	return nil
}

// warnUnknown prints the gold labels that the model does not know. They often mean that the file or the model
// is the wrong one.
func warnUnknown(env *command.Env, unknown map[string]uint64) {
	if len(unknown) == 0 {
		return
	}
	n := uint64(0)
	for _, samples := range unknown {
		n += samples
	}
	have := "samples have a label"
	if n == 1 {
		have = "sample has a label"
	}
	env.Warn("%s %s that the model does not know, and count as wrong: %s", index.Thousands(n), have, classes.List(slices.Sorted(maps.Keys(unknown))))
}

func (c *PredictCommand) run(env *command.Env, s *store.Store, m predict.Model, p *predict.Predictor, log output.Sink) error {
	if c.Training {
		return p.Run(store.NewSource(s))
	}
	env.CompareReading(s.Meta(), &c.InputFlags)
	o := env.InputOptions(p.Context(), &c.InputFlags, &c.LabelFlags)
	o.Symbols, o.OnIdle = m.ReaderSymbols(), p.Idle
	o.Skip, o.SkipLog = c.OnError == "skip", log
	in, err := read.Open(command.ExpandGlobs(c.Inputs), o)
	if err != nil {
		return err
	}
	done := "left out"
	if p.Empty = c.OnError == "empty"; p.Empty {
		done = "without a prediction"
	}
	if c.OnError != "stop" {
		p.Refused = in.Add
	}
	err = p.Run(env.Watch(in, "predict", c.Out))
	env.Progress.Close()
	env.Refused(&in.Refusals, done, c.ErrorLog)
	return errors.Join(err, in.Close())
}

// predictionRows makes rows of predictions. The columns are sample, predicted, score and gold, and if there
// are more than two labels, score:LABEL for each of them. Then come fragment and adds for each reason. With
// --stream, the columns are predicted, score and those of the reasons.
type predictionRows struct {
	columns []table.Column
	row     *table.Row
	stream  bool
	scores  int // number of score:LABEL columns
}

func newPredictionRows(labels []string, why int, stream bool) *predictionRows {
	r := &predictionRows{stream: stream}
	r.columns = []table.Column{{Name: "predicted"}, {Name: "score", Kind: table.Float}}
	if !stream {
		r.columns = slices.Concat([]table.Column{{Name: "sample"}}, r.columns, []table.Column{{Name: "gold"}})
		if len(labels) > 2 {
			r.scores = len(labels)
		}
	}
	for _, label := range labels[:r.scores] {
		r.columns = append(r.columns, table.Column{Name: "score:" + label, Kind: table.Float})
	}
	r.columns = append(r.columns, reasonColumns(why)...)
	r.row = table.NewRow(len(r.columns))
	return r
}

// set returns the row of a prediction. It is valid until the next call.
func (r *predictionRows) set(x *predict.Prediction) *table.Row {
	r.row.Clear()
	at, reasons := 0, 2
	if !r.stream {
		r.row.SetString(0, x.Sample)
		r.row.SetString(3, x.Gold)
		at, reasons = 1, 4+r.scores
	}
	if x.Refused {
		return r.row
	}
	r.row.SetString(at, x.Predicted)
	r.row.SetFloat(at+1, x.Score)
	for i, score := range x.Scores[:r.scores] {
		r.row.SetFloat(4+i, score)
	}
	setReasons(r.row, reasons, x.Why)
	return r.row
}

// reasonColumns returns the columns for a number of reasons.
func reasonColumns(why int) (columns []table.Column) {
	for n := range why {
		rank := strconv.Itoa(n + 1)
		columns = append(columns, table.Column{Name: "fragment:" + rank}, table.Column{Name: "adds:" + rank, Kind: table.Float})
	}
	return columns
}

// setReasons sets the columns of reasons. The parameter from is the index of the first of these columns.
func setReasons(row *table.Row, from int, reasons []predict.Reason) {
	for n, why := range reasons {
		row.SetString(from+2*n, why.Fragment)
		row.SetFloat(from+2*n+1, why.Adds)
	}
}
