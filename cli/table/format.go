package table

import (
	"io"
	"slices"

	"fstore/cli/output"
	"fstore/cli/style"
	"fstore/index"
)

// Writer prints the rows of a table.
type Writer interface {
	Write(*Row) error
	// Close writes the rest of the table. It does not close the underlying writer.
	Close() error
}

// Options are what formats need to know besides the rows. The zero value is for a pipe.
type Options struct {
	Width int         // width of the terminal in cells; 0 if the output is no terminal
	Style style.Style // how that terminal shows text
	// Caption describes all rows. In table and tsv it is a line above the header, after "# ". In xlsx and
	// arrow it is a property of the file. Other formats leave it out.
	Caption string
	// NoHeader leaves out the header of tsv and csv.
	NoHeader bool
	// Title says what the rows are about. It is the name of the sheet in xlsx.
	Title string
	// Progress is told how far Close is, if Close takes long, for example because xlsx compresses the rows in
	// Close. Progress can be nil.
	Progress index.Progress
}

// Flusher is a writer that can pass on the rows so far at any time. The formats tsv, csv and jsonl have such
// writers.
type Flusher interface{ Flush() error }

// Discarder is a writer that needs more than memory, such as a temporary file.
type Discarder interface {
	// Discard gives up the rest of the table. After Close it does nothing.
	Discard()
}

// Discard calls the writer's method Discard, if it has one.
func Discard(w Writer) {
	if d, ok := w.(Discarder); ok {
		d.Discard()
	}
}

// Format is a way to print a table.
type Format struct {
	output.Format
	// New begins a table. The header is printed even if the table has no rows.
	New func(w io.Writer, columns []Column, o Options) Writer
	// Record prints a single row, one line for each column. If Record is nil, a record is printed as a table
	// with one row.
	Record func(w io.Writer, columns []Column, r *Row, o Options) error
}

// Styled is the name of the format for terminals. It makes control characters in texts visible. Its only
// escape sequences are those of its own style.
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

// OutputFormats returns Formats and more in the form that [output.Pick] takes.
func OutputFormats(more ...Format) (list []output.Format) {
	for _, f := range slices.Concat(Formats, more) {
		list = append(list, f.Format)
	}
	return list
}

// Fallback returns the format that is used if neither --format nor a file extension names one: table on a
// terminal, else tsv.
func Fallback(terminal bool) string {
	if terminal {
		return Styled
	}
	return "tsv"
}

// New begins a table in the format with this name. The name must be in Formats or in the parameter more.
func New(format string, w io.Writer, columns []Column, o Options, more ...Format) Writer {
	return find(format, more).New(w, columns, o)
}

// PrintRecord prints one row as a record. In the format table these are lines of key and value, in jsonl an
// object, and in other formats a header and a row.
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
