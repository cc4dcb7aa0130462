package table

import (
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

// Flusher is a writer that can write the rows so far before Close. The formats tsv, csv and jsonl have such
// writers.
type Flusher interface{ Flush() error }

// Discarder is a writer that holds more than memory, such as a temporary file, and can let it go before
// Close.
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
