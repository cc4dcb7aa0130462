package table

import (
	"io"
	"slices"

	"fstore/cli/output"
	"fstore/cli/style"
	"fstore/index"
)

// Writer prints the rows of one table.
type Writer interface {
	Write(*Row) error
	// Close prints what is left. It does not close what the rows are written to.
	Close() error
}

// Options are what a format may look at beyond the rows. The zero value is for a
// pipe.
type Options struct {
	Width int         // of the terminal that is written to, in cells; 0 where it is none
	Style style.Style // of that terminal
	// Caption is what all rows are about. It is a line of its own above the header of
	// table and tsv, after "# ", and a property of the file in xlsx; other formats have
	// no place for it.
	Caption string
	// NoHeader leaves out the line of names in tsv and csv.
	NoHeader bool
	// Title names what the rows are of: the sheet of xlsx.
	Title string
	// Progress is told of what Close does, where that takes time: xlsx compresses the
	// rows. nil: none.
	Progress index.Progress
}

// Flusher is implemented by writers that can hand on the rows so far at any time: tsv,
// csv and jsonl.
type Flusher interface{ Flush() error }

// Discarder is implemented by writers that hold more than memory.
type Discarder interface {
	// Discard gives up what Close has not written; after Close it does nothing.
	Discard()
}

// Discard gives up a table, or does nothing where its Writer holds nothing or is closed.
func Discard(w Writer) {
	if d, ok := w.(Discarder); ok {
		d.Discard()
	}
}

// Format is one way to print a table.
type Format struct {
	output.Format
	// New starts a table; a header goes out even where no row follows.
	New func(w io.Writer, columns []Column, o Options) Writer
	// Record prints a single row with its columns below each other; nil where a
	// record is a table of one row.
	Record func(w io.Writer, columns []Column, r *Row, o Options) error
}

// Styled is the format for the eye. What comes from outside is visible in it, and the only
// escape sequences are those of its own looks.
const Styled = "table"

// Formats are the formats there are, in the order help names them.
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

// OutputFormats are the formats, and more, as [output.Pick] wants them.
func OutputFormats(more ...Format) (list []output.Format) {
	for _, f := range slices.Concat(Formats, more) {
		list = append(list, f.Format)
	}
	return list
}

// Fallback is the format where neither --format nor an extension names one:
// table on a terminal, tsv elsewhere.
func Fallback(terminal bool) string {
	if terminal {
		return Styled
	}
	return "tsv"
}

// New starts a table in the format of this name, which must be one of Formats or of more.
func New(format string, w io.Writer, columns []Column, o Options, more ...Format) Writer {
	return find(format, more).New(w, columns, o)
}

// PrintRecord prints one row as a record: key and value lines in table, an
// object in jsonl, a header and a row elsewhere.
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
