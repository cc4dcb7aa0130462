package vector

import (
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowTable writes Arrow IPC, as a stream or a file. The columns, which have no nulls, are
//
//	sample    utf8
//	labels    list<float64>  the numbers of the sample's labels, most often one
//	features  list<uint32>   the ids, 1-based and ascending
//	values    list<float64>  one for each feature
//
// The schema's metadata are Options.attributes. A batch ends after batchRows vectors or at batchEntries
// features. A stream also ends its batch at Flush.
type arrowTable struct {
	w       arrowWriter
	b       *array.RecordBuilder
	numbers []float64
	rows    int
	entries int
	stream  bool
}

// arrowWriter has the common methods of *ipc.Writer and *ipc.FileWriter.
type arrowWriter interface {
	Write(arrow.RecordBatch) error
	Close() error
}

const (
	batchRows    = 4096
	batchEntries = 1 << 20
)

func newArrowStream(w io.Writer, o Options) Writer {
	b := newRecordBuilder(o)
	return &arrowTable{w: ipc.NewWriter(w, ipc.WithSchema(b.Schema())), b: b, stream: true}
}

// newArrowFile returns a writer of Arrow's file format (.arrow), which readers map into memory.
func newArrowFile(w io.Writer, o Options) Writer {
	b := newRecordBuilder(o)
	file, _ := ipc.NewFileWriter(w, ipc.WithSchema(b.Schema())) // it cannot fail, because nothing is written yet
	return &arrowTable{w: file, b: b}
}

func newRecordBuilder(o Options) *array.RecordBuilder {
	about := arrow.NewMetadata(o.attributes())
	return array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "sample", Type: arrow.BinaryTypes.String},
		{Name: "labels", Type: arrow.ListOfNonNullable(arrow.PrimitiveTypes.Float64)},
		{Name: "features", Type: arrow.ListOfNonNullable(arrow.PrimitiveTypes.Uint32)},
		{Name: "values", Type: arrow.ListOfNonNullable(arrow.PrimitiveTypes.Float64)},
	}, &about))
}

func (a *arrowTable) Write(v *Vector) (err error) {
	if a.numbers, err = appendLabels(a.numbers[:0], v.Label); err != nil {
		return err
	}
	// Arrow's text must be UTF-8. Readers refuse other text.
	a.b.Field(0).(*array.StringBuilder).Append(strings.ToValidUTF8(v.Sample, "\uFFFD"))
	appendList(a.b.Field(1), a.numbers, (*array.Float64Builder).AppendValues)
	appendList(a.b.Field(2), v.ID, (*array.Uint32Builder).AppendValues)
	appendList(a.b.Field(3), v.Value, (*array.Float64Builder).AppendValues)
	a.rows++
	a.entries += len(v.ID)
	if a.rows == batchRows || a.entries >= batchEntries {
		return a.endBatch()
	}
	return nil
}

func appendList[T any, B array.Builder](column array.Builder, list []T, appendTo func(B, []T, []bool)) {
	lists := column.(*array.ListBuilder)
	lists.Append(true)
	appendTo(lists.ValueBuilder().(B), list, nil)
}

// Flush ends the batch of a stream. In a file it does nothing, so that the batches do not depend on when the
// input pauses.
func (a *arrowTable) Flush() error {
	if !a.stream {
		return nil
	}
	return a.endBatch()
}

func (a *arrowTable) endBatch() error {
	if a.rows == 0 {
		return nil
	}
	a.rows, a.entries = 0, 0
	batch := a.b.NewRecordBatch()
	defer batch.Release()
	return a.w.Write(batch)
}

func (a *arrowTable) Close() error {
	if err := a.endBatch(); err != nil {
		return err
	}
	return a.w.Close()
}
