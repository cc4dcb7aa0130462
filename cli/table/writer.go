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
	// Caption describes all rows. It is a line above the header in table and tsv, and a property of the file
	// in xlsx and arrow.
	Caption string
	// NoHeader leaves out the header of tsv and csv.
	NoHeader bool
	// Title says what the rows are about. It is the name of the sheet in xlsx.
	Title string
	// Progress is told how far Close is, if Close takes long, as for xlsx. It can be nil.
	Progress index.Progress
}

// Flusher is implemented by the writers of tsv, csv and jsonl. Flush writes the rows so far.
type Flusher interface{ Flush() error }

// Discarder is a writer that holds more than memory, such as a temporary file.
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
