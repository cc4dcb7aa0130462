package vector

import (
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowStream writes an Arrow IPC stream, of a column each of
//
//	sample    utf8
//	labels    list<float64>  the numbers of the sample's labels, most often one
//	features  list<uint32>   the ids, 1-based and ascending
//	values    list<float64>  one a feature
//
// without nulls. The schema's metadata are Options.attributes. A batch ends after
// batchRows vectors or with batchEntries features, and at Flush.
type arrowStream struct {
	w       *ipc.Writer
	b       *array.RecordBuilder
	numbers []float64
	rows    int
	entries int
}

const (
	batchRows    = 4096
	batchEntries = 1 << 20
)

func newArrow(w io.Writer, o Options) Writer {
	about := arrow.NewMetadata(o.attributes())
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "sample", Type: arrow.BinaryTypes.String},
		{Name: "labels", Type: arrow.ListOfNonNullable(arrow.PrimitiveTypes.Float64)},
		{Name: "features", Type: arrow.ListOfNonNullable(arrow.PrimitiveTypes.Uint32)},
		{Name: "values", Type: arrow.ListOfNonNullable(arrow.PrimitiveTypes.Float64)},
	}, &about)
	return &arrowStream{w: ipc.NewWriter(w, ipc.WithSchema(schema)), b: array.NewRecordBuilder(memory.DefaultAllocator, schema)}
}

func (a *arrowStream) Write(v *Vector) (err error) {
	if a.numbers, err = appendLabels(a.numbers[:0], v.Label); err != nil {
		return err
	}
	// Arrow's text is UTF-8, and readers refuse what is not.
	a.b.Field(0).(*array.StringBuilder).Append(strings.ToValidUTF8(v.Sample, "\uFFFD"))
	appendList(a.b.Field(1), a.numbers, (*array.Float64Builder).AppendValues)
	appendList(a.b.Field(2), v.ID, (*array.Uint32Builder).AppendValues)
	appendList(a.b.Field(3), v.Value, (*array.Float64Builder).AppendValues)
	a.rows++
	a.entries += len(v.ID)
	if a.rows == batchRows || a.entries >= batchEntries {
		return a.Flush()
	}
	return nil
}

// appendList appends one list to a column of lists.
func appendList[T any, B array.Builder](column array.Builder, list []T, appendTo func(B, []T, []bool)) {
	lists := column.(*array.ListBuilder)
	lists.Append(true)
	appendTo(lists.ValueBuilder().(B), list, nil)
}

// Flush ends a batch.
func (a *arrowStream) Flush() error {
	if a.rows == 0 {
		return nil
	}
	a.rows, a.entries = 0, 0
	batch := a.b.NewRecordBatch()
	defer batch.Release()
	return a.w.Write(batch)
}

func (a *arrowStream) Close() error {
	if err := a.Flush(); err != nil {
		return err
	}
	return a.w.Close()
}
