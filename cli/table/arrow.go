package table

import (
	"bytes"
	"io"
	"math"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowTable writes Arrow IPC, as a file or a stream. An unset cell is null. The metadata of the schema has
// the caption.
type arrowTable struct {
	w    batchWriter
	b    *array.RecordBuilder
	rows int
	err  error // the error that stopped the table
}

// batchWriter is the common interface of *ipc.FileWriter and *ipc.Writer.
type batchWriter interface {
	Write(arrow.RecordBatch) error
	Close() error
}

// arrowRows is the number of rows in a batch.
const arrowRows = 16 << 10

func newArrowFile(w io.Writer, columns []Column, o Options) Writer {
	return newArrow(columns, o, func(s *arrow.Schema) (batchWriter, error) {
		return ipc.NewFileWriter(w, ipc.WithSchema(s))
	})
}

func newArrowStream(w io.Writer, columns []Column, o Options) Writer {
	return newArrow(columns, o, func(s *arrow.Schema) (batchWriter, error) {
		return ipc.NewWriter(w, ipc.WithSchema(s)), nil
	})
}

func newArrow(columns []Column, o Options, open func(*arrow.Schema) (batchWriter, error)) Writer {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		of := map[Kind]arrow.DataType{
			Text: arrow.BinaryTypes.String, Uint: arrow.PrimitiveTypes.Uint64,
			Int: arrow.PrimitiveTypes.Int64, Float: arrow.PrimitiveTypes.Float64,
		}
		fields[i] = arrow.Field{Name: c.Name, Type: of[c.Kind], Nullable: true}
	}
	properties := map[string]string{}
	if o.Caption != "" {
		properties["caption"] = o.Caption
	}
	about := arrow.MetadataFrom(properties)
	schema := arrow.NewSchema(fields, &about)
	c := &arrowTable{b: array.NewRecordBuilder(memory.DefaultAllocator, schema)}
	c.w, c.err = open(schema)
	return c
}

func (c *arrowTable) Write(r *Row) error {
	if c.err != nil {
		return c.err
	}
	for i, cell := range r.cells {
		if !cell.set {
			c.b.Field(i).AppendNull()
			continue
		}
		switch f := c.b.Field(i).(type) {
		case *array.StringBuilder:
			text := r.Text(i)
			if !utf8.Valid(text) {
				text = bytes.ToValidUTF8(text, []byte("\uFFFD")) // Arrow allows only UTF-8
			}
			f.BinaryBuilder.Append(text)
		case *array.Uint64Builder:
			f.Append(cell.bits)
		case *array.Int64Builder:
			f.Append(int64(cell.bits))
		case *array.Float64Builder:
			f.Append(math.Float64frombits(cell.bits))
		}
	}
	if c.rows++; c.rows == arrowRows {
		return c.endBatch()
	}
	return nil
}

func (c *arrowTable) endBatch() error {
	if c.rows == 0 {
		return nil
	}
	c.rows = 0
	batch := c.b.NewRecordBatch()
	defer batch.Release()
	return c.w.Write(batch)
}

func (c *arrowTable) Close() error {
	if c.err == nil {
		c.err = c.endBatch()
	}
	if c.err != nil {
		return c.err
	}
	return c.w.Close()
}
