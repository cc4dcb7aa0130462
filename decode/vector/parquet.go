package vector

import (
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// parquetFile writes a Parquet file with the columns and attributes of arrowTable. Only the current row group
// is in memory.
type parquetFile struct {
	w       *parquet.GenericWriter[parquetRow]
	row     [1]parquetRow
	numbers []float64
	rows    int
	entries int
}

type parquetRow struct {
	Sample   string    `parquet:"sample"`
	Labels   []float64 `parquet:"labels,list"`
	Features []uint32  `parquet:"features,list"`
	Values   []float64 `parquet:"values,list"`
}

const (
	groupRows    = 1 << 17
	groupEntries = 1 << 22
)

func newParquet(w io.Writer, o Options) Writer {
	options := []parquet.WriterOption{parquet.Compression(&parquet.Zstd)}
	keys, values := o.attributes()
	for i, key := range keys {
		options = append(options, parquet.KeyValueMetadata(key, values[i]))
	}
	return &parquetFile{w: parquet.NewGenericWriter[parquetRow](w, options...)}
}

func (p *parquetFile) Write(v *Vector) (err error) {
	if p.numbers, err = appendLabels(p.numbers[:0], v.Label); err != nil {
		return err
	}
	p.row[0] = parquetRow{strings.ToValidUTF8(v.Sample, "\uFFFD"), p.numbers, v.ID, v.Value}
	if _, err := p.w.Write(p.row[:]); err != nil {
		return err
	}
	p.rows++
	p.entries += len(v.ID)
	if p.rows < groupRows && p.entries < groupEntries {
		return nil
	}
	p.rows, p.entries = 0, 0
	return p.w.Flush()
}

// Flush does nothing, because a row group for each pause of the input would be too small.
func (p *parquetFile) Flush() error { return nil }

func (p *parquetFile) Close() error { return p.w.Close() }
