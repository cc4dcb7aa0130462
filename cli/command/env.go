// Package command has what all commands share: [Env], groups of flags, arguments, inputs, outputs, and exit
// codes. It has no command itself.
//
// A command has methods that kong calls. Help returns the help text, Validate checks the flags, and then Run
// runs the command. The method Decode of a flag reads its value.
package command

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/term"

	"fstore/cli/output"
	"fstore/cli/progress"
	"fstore/cli/style"
	"fstore/cli/table"
	"fstore/cli/visible"
	"fstore/index"
	"fstore/store"
)

// Env is what a command gets from its caller.
type Env struct {
	Args     []string // the command line, for a store's history
	Stdin    io.Reader
	Stdout   io.Writer
	Progress *progress.Reporter // also the writer of standard error
	FS       vfs.FS             // for writing files
	Quiet    bool

	Messages Messenger
	Model    *kong.Application
	Command  string          // the name of the running command
	Given    map[string]bool // the given flags, by name
	store    string          // the name of the store that the command reads, "" before it is opened

	// Lent is an open store. If it is set, WithStore uses it for every name and does not close it.
	Lent *store.Store
	// If Picture is set, a command that can draw its rows also writes the drawing to it.
	Picture io.Writer
	// Again runs another command line in env. The caller must set the streams and FS of env.
	Again func(ctx context.Context, env *Env, args []string) error
}

// Titled returns a function for TableWith. The function sets the table's title: the name of the store, then
// the given text.
func (e *Env) Titled(what string) func(*table.Options) {
	return func(o *table.Options) { o.Title = strings.TrimSpace(e.store + " " + what) }
}

// Note prints a message for the user. With --quiet it prints nothing.
func (e *Env) Note(format string, args ...any) {
	if !e.Quiet {
		_, _ = io.WriteString(e.Progress, visible.Text(fmt.Sprintf(format, args...), "\n\t")+"\n")
	}
}

// Warn prints a message, even with --quiet.
func (e *Env) Warn(format string, args ...any) { e.Messages.Say(fmt.Sprintf(format, args...)) }

// Needs returns an error if one of the flags was given. The error says that the flag has no effect here.
func (e *Env) Needs(purpose string, flags ...string) error {
	for _, name := range flags {
		if e.Given[name] {
			return index.Usagef("--%s has no effect here: it is for %s", name, purpose)
		}
	}
	return nil
}

// TerminalOf reports whether a stream is a terminal. The width is in columns, or 80 if it is unknown.
func TerminalOf(stream any) (width int, ok bool) {
	f, isFile := stream.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	return width, true
}

// StdinIsTerminal reports whether the user would have to type the input.
func (e *Env) StdinIsTerminal() bool {
	_, ok := TerminalOf(e.Stdin)
	return ok
}

// Open opens the output and returns its format: the value of --format, else the format of the file's
// extension, else the fallback.
func (e *Env) Open(f OutputFlags, formats []output.Format, fallback string) (format string, sink output.Sink, err error) {
	_, terminal := TerminalOf(e.Stdout)
	format, err = output.Pick(formats, f.Format, f.Out, fallback, terminal)
	if err != nil {
		return "", nil, err
	}
	if format == table.Styled { // the table has made its texts visible, and its own escape sequences must pass
		sink, err = output.OpenStyled(e.FS, f.Out, e.Stdout)
	} else {
		sink, err = output.Open(e.FS, f.Out, e.Stdout)
	}
	return format, sink, err
}

// Table is a table that is being written. Call Write for each row, then Commit. A deferred Abort discards a
// table that was not committed.
type Table struct {
	table.Writer
	Format string // one of table.Formats
	sink   output.Sink

	progress *progress.Reporter // nil before Announce
	rows     int64              // rows written since the last report of progress
}

// Announce begins to report progress. If maxRows is not 0, at most maxRows rows will be written.
func (t *Table) Announce(e *Env, rows uint64, maxRows int) {
	if maxRows > 0 {
		rows = min(rows, uint64(maxRows))
	}
	t.progress = e.Progress
	e.Progress.Step("write", "rows", int64(rows))
}

// toldEvery is the number of rows between two reports of progress.
const toldEvery = 1024

// Write writes a row. After Announce, it also reports progress.
func (t *Table) Write(r *table.Row) error {
	if t.rows++; t.rows == toldEvery && t.progress != nil {
		t.progress.Add(t.rows)
		t.rows = 0
	}
	return t.Writer.Write(r)
}

// Table opens a table with the default options.
func (e *Env) Table(f OutputFlags, columns []table.Column) (*Table, error) {
	return e.TableWith(f, columns, nil)
}

// TableWith opens a table. If setOptions is not nil, it changes the options of the table. The flags can
// choose one of pictureFormats too.
func (e *Env) TableWith(f OutputFlags, columns []table.Column, setOptions func(*table.Options), pictureFormats ...table.Format) (*Table, error) {
	format, sink, o, err := e.OpenTable(f, pictureFormats...)
	if err != nil {
		return nil, err
	}
	if setOptions != nil {
		setOptions(&o)
	}
	return &Table{Writer: table.New(format, sink, columns, o, pictureFormats...), Format: format, sink: sink}, nil
}

// WriteTable writes a whole table (see TableWith). For each row, fillRows sets the cells of `row` and calls
// `write`, which empties the row again.
func (e *Env) WriteTable(f OutputFlags, columns []table.Column, setOptions func(*table.Options), fillRows func(row *table.Row, write func() error) error) error {
	out, err := e.TableWith(f, columns, setOptions)
	if err != nil {
		return err
	}
	defer out.Abort()
	row := table.NewRow(len(columns))
	err = fillRows(row, func() error {
		defer row.Clear()
		return out.Write(row)
	})
	if err != nil {
		return err
	}
	return out.Commit()
}

// Flush writes out the rows so far, if the format can do that (see table.Flusher).
func (t *Table) Flush() error {
	f, ok := t.Writer.(table.Flusher)
	if !ok {
		return nil
	}
	if err := f.Flush(); err != nil {
		return err
	}
	return t.sink.Flush()
}

// Commit ends the table and commits the output.
func (t *Table) Commit() error {
	if err := t.Close(); err != nil {
		return err
	}
	return t.sink.Commit()
}

// Abort discards a table that was not committed. Rows that went to standard output stay there.
func (t *Table) Abort() {
	table.Discard(t.Writer)
	t.sink.Abort()
}

// Print prints a text on standard output.
func (e *Env) Print(text string) error {
	out := output.Stdout(e.Stdout)
	defer out.Abort()
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	return out.Commit()
}

// Record prints a single row, see table.PrintRecord.
func (e *Env) Record(f OutputFlags, columns []table.Column, r *table.Row) error {
	format, sink, o, err := e.OpenTable(f)
	if err != nil {
		return err
	}
	defer sink.Abort()
	if err := table.PrintRecord(format, sink, columns, r, o); err != nil {
		return err
	}
	return sink.Commit()
}

// OpenTable opens the output of a table. It returns the format and the options with which the caller writes
// the table.
func (e *Env) OpenTable(f OutputFlags, pictures ...table.Format) (format string, sink output.Sink, o table.Options, err error) {
	width, terminal := TerminalOf(e.Stdout)
	terminal = terminal && output.IsStdout(f.Out)
	if terminal {
		o = table.Options{Width: width, Style: style.For(e.Stdout, os.Environ())}
	}
	e.Titled(e.Command)(&o)
	if e.Progress != nil {
		o.Progress = e.Progress
	}
	formats := table.OutputFormats(pictures...)
	format, sink, err = e.Open(f, formats, table.Fallback(terminal))
	if ext := filepath.Ext(f.Out); err == nil && f.Format == "" && ext != "" && !output.IsStdout(f.Out) && !output.Promises(f.Out, formats) {
		e.Note("-o %s: %s is no format of a table: it is written as %s", f.Out, ext, format)
	}
	return format, sink, o, err
}

// Redirected reports whether the output is standard output and the shell has redirected it to a file.
func (e *Env) Redirected(f OutputFlags) bool {
	file, ok := e.Stdout.(*os.File)
	if !ok || !output.IsStdout(f.Out) {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// TempDir returns the name of a new directory for temporary data. It does not create the directory.
func (e *Env) TempDir() string {
	return e.FS.PathJoin(os.TempDir(), fmt.Sprintf("fstore-%016x", rand.Uint64()))
}

// Record is a row that is built column by column, for Env.Record.
type Record struct {
	Columns []table.Column
	set     []func(r *table.Row, i int)
}

func (c *Record) add(name string, kind table.Kind, set func(r *table.Row, i int)) {
	c.Columns = append(c.Columns, table.Column{Name: name, Kind: kind})
	c.set = append(c.set, set)
}

// Uint adds a column with a count.
func (c *Record) Uint(name string, n uint64) {
	c.add(name, table.Uint, func(r *table.Row, i int) { r.SetUint(i, n) })
}

// Text adds a column with a text.
func (c *Record) Text(name, text string) {
	c.add(name, table.Text, func(r *table.Row, i int) { r.SetString(i, text) })
}

// Row returns the row, whose cells are in the order of Columns.
func (c *Record) Row() *table.Row {
	r := table.NewRow(len(c.Columns))
	for i, set := range c.set {
		set(r, i)
	}
	return r
}
