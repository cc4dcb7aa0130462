package learn

import (
	"strconv"

	"fstore/cli/table"
	"fstore/decode/predict"
)

// predictionRows makes rows of predictions: sample, predicted, score and gold, a
// score:LABEL for each of more than two labels, then fragment and adds of each reason. In
// a stream it is predicted, score and the reasons.
type predictionRows struct {
	columns []table.Column
	row     *table.Row
	stream  bool
	scores  bool // of each label
	reasons int  // the first column of reasons
}

func newPredictionRows(labels []string, why int, stream bool) *predictionRows {
	r := &predictionRows{stream: stream, scores: len(labels) > 2 && !stream}
	predicted := []table.Column{{Name: "predicted"}, {Name: "score", Kind: table.Float}}
	if stream {
		r.columns = predicted
	} else {
		r.columns = append(append([]table.Column{{Name: "sample"}}, predicted...), table.Column{Name: "gold"})
	}
	if r.scores {
		for _, label := range labels {
			r.columns = append(r.columns, table.Column{Name: "score:" + label, Kind: table.Float})
		}
	}
	r.reasons = len(r.columns)
	r.columns = append(r.columns, reasonColumns(why)...)
	r.row = table.NewRow(len(r.columns))
	return r
}

// set returns the row of a prediction, valid until the next call.
func (r *predictionRows) set(x *predict.Prediction) *table.Row {
	r.row.Clear()
	at := 0
	if !r.stream {
		r.row.SetString(0, x.Sample)
		r.row.SetString(3, x.Gold)
		at = 1
	}
	if x.Refused {
		return r.row
	}
	r.row.SetString(at, x.Predicted)
	r.row.SetFloat(at+1, x.Score)
	if r.scores {
		for i, score := range x.Scores {
			r.row.SetFloat(4+i, score)
		}
	}
	setReasons(r.row, r.reasons, x.Why)
	return r.row
}

// reasonColumns are the columns of so many reasons.
func reasonColumns(why int) (columns []table.Column) {
	for n := range why {
		rank := strconv.Itoa(n + 1)
		columns = append(columns, table.Column{Name: "fragment:" + rank}, table.Column{Name: "adds:" + rank, Kind: table.Float})
	}
	return columns
}

// setReasons sets the columns of reasons, the first of which is at from.
func setReasons(row *table.Row, from int, reasons []predict.Reason) {
	for n, why := range reasons {
		row.SetString(from+2*n, why.Fragment)
		row.SetFloat(from+2*n+1, why.Adds)
	}
}
