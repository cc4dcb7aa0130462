package learn

import (
	"maps"
	"slices"
	"strconv"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/decode/lists"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/learn/classes"
)

// predictionRows makes the rows of predicted labels, with scores, gold labels and reasons.
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

// set returns the row of a prediction. The next call overwrites the row.
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

// chosenColumns returns the columns of a table of chosen candidates, with one column for each part of the
// score.
func chosenColumns(parts []string, why int) []table.Column {
	columns := []table.Column{{Name: "sample"}, {Name: "predicted", Kind: table.Int}, {Name: "score", Kind: table.Float}, {Name: "gold", Kind: table.Int}}
	for _, part := range parts {
		columns = append(columns, table.Column{Name: "adds:" + part, Kind: table.Float})
	}
	return append(columns, reasonColumns(why)...)
}

const firstPart = 4

func setChosen(row *table.Row, x *lists.Reranked) {
	row.Clear()
	t := x.Candidates[x.Chosen]
	row.SetString(0, t.Name)
	row.SetInt(1, int64(t.Candidate))
	row.SetFloat(2, x.Score)
	if gold := x.GoldCandidate(); gold >= 0 {
		row.SetInt(3, int64(x.Candidates[gold].Candidate))
	}
	for i, adds := range x.Parts {
		row.SetFloat(firstPart+i, adds)
	}
	setReasons(row, firstPart+len(x.Parts), x.Why)
}

// reasonColumns returns two columns for each reason: a fragment, and what it adds to the score.
func reasonColumns(why int) (columns []table.Column) {
	for n := range why {
		rank := strconv.Itoa(n + 1)
		columns = append(columns, table.Column{Name: "fragment:" + rank}, table.Column{Name: "adds:" + rank, Kind: table.Float})
	}
	return columns
}

// setReasons sets the columns of the reasons, which begin at firstColumn.
func setReasons(row *table.Row, firstColumn int, reasons []predict.Reason) {
	for n, why := range reasons {
		row.SetString(firstColumn+2*n, why.Fragment)
		row.SetFloat(firstColumn+2*n+1, why.Adds)
	}
}

// warnUnknown warns of gold labels that the model does not know.
func warnUnknown(env *command.Env, unknown map[string]uint64) {
	if len(unknown) == 0 {
		return
	}
	n := uint64(0)
	for _, samples := range unknown {
		n += samples
	}
	what := "samples have a label that the model does not know, and count"
	if n == 1 {
		what = "sample has a label that the model does not know, and counts"
	}
	env.Warn("%s %s as wrong: %s", index.Thousands(n), what, classes.List(slices.Sorted(maps.Keys(unknown))))
}

// saySums prints the scores of the chosen trees. It prints nothing if no list had a gold tree.
func saySums(env *command.Env, sums *lists.Sums) {
	if sums.Lists == 0 {
		return
	}
	env.Note("reranked: %s (%s)", command.TreeScores(sums.Kind, sums.Reranked), index.Plural(sums.Lists, "list"))
	sayBaselines(env, sums.Kind, sums.Base, sums.Vote, sums.Oracle)
}

// watchedLists shows as progress how many bytes of the input have been read.
type watchedLists struct {
	*read.ListInputs
	env  *command.Env
	told int64
}

func (w *watchedLists) Release() {
	w.ListInputs.Release()
	done, _ := w.Progress()
	w.env.Progress.Add(done - w.told)
	w.told = done
}
