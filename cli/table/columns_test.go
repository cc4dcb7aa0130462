package table

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/parquet-go/parquet-go"
)

// sameCells compares a row that was read back with row i of oddRows. A nil stands for a null cell.
func sameCells(t *testing.T, format string, i int, got [4]any) {
	t.Helper()
	r := oddRows()[i]
	var want [4]any
	if r.cells[0].set {
		want = [4]any{string(r.Text(0)), r.Uint(1), r.Int(2), r.Float(3)}
	}
	for k := range got {
		a, _ := got[k].(float64)
		b, _ := want[k].(float64)
		if got[k] != want[k] && !(math.IsNaN(a) && math.IsNaN(b)) {
			t.Errorf("%s, row %d: %v, want %v", format, i, got, want)
		}
	}
}

// TestArrow reads rows back, from the file and from the stream.
func TestArrow(t *testing.T) {
	batch := func(format string, b arrow.RecordBatch, caption string) {
		if caption != "a caption" {
			t.Errorf("%s: caption %q", format, caption)
		}
		if int(b.NumRows()) != len(oddRows()) {
			t.Fatalf("%s: %d rows", format, b.NumRows())
		}
		for i := range int(b.NumRows()) {
			var got [4]any
			if !b.Column(0).IsNull(i) {
				got = [4]any{
					b.Column(0).(*array.String).Value(i), b.Column(1).(*array.Uint64).Value(i),
					b.Column(2).(*array.Int64).Value(i), b.Column(3).(*array.Float64).Value(i),
				}
			}
			sameCells(t, format, i, got)
		}
	}
	o := Options{Caption: "a caption"}
	stream, err := ipc.NewReader(strings.NewReader(render(t, "arrows", o, sampleColumns, oddRows()...)))
	if err != nil || !stream.Next() {
		t.Fatal(err)
	}
	caption, _ := stream.Schema().Metadata().GetValue("caption")
	batch("arrows", stream.RecordBatch(), caption)
	file, err := ipc.NewFileReader(strings.NewReader(render(t, "arrow", o, sampleColumns, oddRows()...)))
	if err != nil {
		t.Fatal(err)
	}
	record, err := file.RecordBatch(0)
	if err != nil {
		t.Fatal(err)
	}
	caption, _ = file.Schema().Metadata().GetValue("caption")
	batch("arrow", record, caption)
}

// TestParquet reads rows back, with the columns in their order.
func TestParquet(t *testing.T) {
	out := render(t, "parquet", Options{}, sampleColumns, oddRows()...)
	r := parquet.NewGenericReader[any](strings.NewReader(out))
	defer r.Close()
	for i, path := range r.Schema().Columns() {
		if path[0] != sampleColumns[i].Name {
			t.Errorf("column %d is %s", i, path)
		}
	}
	rows := make([]parquet.Row, len(oddRows())+1)
	n, err := r.ReadRows(rows)
	if n != len(oddRows()) || err != nil && err != io.EOF {
		t.Fatal(n, err)
	}
	for i, row := range rows[:n] {
		var got [4]any
		if !row[0].IsNull() {
			got = [4]any{row[0].String(), row[1].Uint64(), row[2].Int64(), row[3].Double()}
		}
		sameCells(t, "parquet", i, got)
	}
}
