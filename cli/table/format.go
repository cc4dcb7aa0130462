package table

import (
	"io"
	"slices"

	"fstore/cli/output"
)

// Format is a way to print a table.
type Format struct {
	output.Format
	// New begins a table. The header is printed even if the table has no rows.
	New func(w io.Writer, columns []Column, o Options) Writer
	// Record prints a single row, one line for each column. If Record is nil, a record is printed as a table
	// with one row.
	Record func(w io.Writer, columns []Column, r *Row, o Options) error
}

// Styled is the name of the format for terminals. It makes control characters in texts visible. The only
// escape sequences are those of Options.Style.
const Styled = "table"

// Formats are all formats, in the order in which help lists them.
var Formats = []Format{
	{output.Format{Name: Styled}, newAligned, alignedRecord},
	{output.Format{Name: "tsv", Extensions: []string{"tab"}}, newTSV, nil},
	{output.Format{Name: "csv"}, newCSV, nil},
	{output.Format{Name: "jsonl", Extensions: []string{"ndjson", "json"}}, newJSONL, nil},
	{output.Format{Name: "xlsx", Binary: true}, newXLSX, nil},
	{output.Format{Name: "arrow", Extensions: []string{"feather"}, Binary: true}, newArrowFile, nil},
	{output.Format{Name: "arrows", Binary: true}, newArrowStream, nil},
	{output.Format{Name: "parquet", Binary: true}, newParquet, nil},
}

// OutputFormats returns Formats and additional formats in the form that [output.Pick] takes.
func OutputFormats(more ...Format) (list []output.Format) {
	for _, f := range slices.Concat(Formats, more) {
		list = append(list, f.Format)
	}
	return list
}

// Fallback returns the format that is used by default: table on a terminal, else tsv.
func Fallback(terminal bool) string {
	if terminal {
		return Styled
	}
	return "tsv"
}

// New begins a table in the format with this name. The format must be in Formats or in extraFormats.
func New(format string, w io.Writer, columns []Column, o Options, extraFormats ...Format) Writer {
	return find(format, extraFormats).New(w, columns, o)
}

// PrintRecord prints a single row: as a line for each column in the format `table`, as an object in `jsonl`,
// else as a header and a row.
func PrintRecord(format string, w io.Writer, columns []Column, r *Row, o Options) error {
	f := find(format, nil)
	if f.Record != nil {
		return f.Record(w, columns, r, o)
	}
	t := f.New(w, columns, o)
	defer Discard(t)
	if err := t.Write(r); err != nil {
		return err
	}
	return t.Close()
}

func find(format string, more []Format) Format {
	for _, f := range slices.Concat(Formats, more) {
		if f.Name == format {
			return f
		}
	}
	panic("table: no format " + format)
}
