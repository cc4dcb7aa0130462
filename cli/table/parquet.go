package table

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// parquetTable writes a Parquet file. Columns are text, int64, uint64 or double, and an unset cell is null.
type parquetTable struct {
	w    *parquet.GenericWriter[any]
	row  parquet.Row
	rows int
}

// parquetRows is the number of rows in a row group. A row group is kept in memory until it is written.
const parquetRows = 1 << 17

func newParquet(w io.Writer, columns []Column, o Options) Writer {
	types := map[Kind]reflect.Type{
		Text: reflect.TypeFor[string](), Uint: reflect.TypeFor[uint64](),
		Int: reflect.TypeFor[int64](), Float: reflect.TypeFor[float64](),
	}
	// A schema keeps the order of columns only if it comes from a struct.
	fields := make([]reflect.StructField, len(columns))
	for i, c := range columns {
		name := strings.ReplaceAll(c.Name, ",", " ") // a comma would end the name in the tag
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("C%d", i), Type: types[c.Kind],
			Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", name+",optional")),
		}
	}
	options := []parquet.WriterOption{
		parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()), parquet.Compression(&parquet.Zstd),
	}
	if o.Caption != "" {
		options = append(options, parquet.KeyValueMetadata("caption", o.Caption))
	}
	return &parquetTable{w: parquet.NewGenericWriter[any](w, options...)}
}

func (p *parquetTable) Write(r *Row) error {
	p.row = p.row[:0]
	for i, c := range r.cells {
		var x parquet.Value
		switch {
		case !c.set:
			p.row = append(p.row, parquet.NullValue().Level(0, 0, i))
			continue
		case c.kind == Text:
			x = parquet.ByteArrayValue([]byte(strings.ToValidUTF8(string(r.Text(i)), "\uFFFD")))
		case c.kind == Float:
			x = parquet.DoubleValue(math.Float64frombits(c.bits))
		default:
			x = parquet.Int64Value(int64(c.bits))
		}
		p.row = append(p.row, x.Level(0, 1, i))
	}
	if _, err := p.w.WriteRows([]parquet.Row{p.row}); err != nil {
		return err
	}
	if p.rows++; p.rows < parquetRows {
		return nil
	}
	p.rows = 0
	return p.w.Flush()
}

func (p *parquetTable) Close() error { return p.w.Close() }
