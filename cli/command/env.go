// Package command is what all commands share: [Env], groups of flags, arguments, inputs, outputs,
// and exit codes. It has no command.
//
// A command has the hooks of kong: Help is its help text, Validate checks flags before Run runs it.
// A flag's Decode reads its value.
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

// Env is what a command runs in.
type Env struct {
	Args     []string // the command line, for a store's history
	Stdin    io.Reader
	Stdout   io.Writer
	Progress *progress.Reporter // an index.Progress, and the writer of standard error
	FS       vfs.FS             // files are written through
	Quiet    bool

	Messages Messenger
	Model    *kong.Application
	Command  string          // that runs
	Given    map[string]bool // the flags of the command line, by name
	store    string          // the name of the store that it reads, "" before

	// Lent is an open store that WithStore uses and leaves open, whatever store it is asked for;
	// nil: it opens its own.
	Lent *store.Store
	// Picture gets the picture of the rows that a command prints, where it draws one beside them for
	// a page; nil: none is drawn.
	Picture io.Writer
	// Again runs another command line, in an environment whose streams and file system are set.
	Again func(ctx context.Context, env *Env, args []string) error
}

// Titled returns what a table is about: the store, and what of it.
func (e *Env) Titled(what string) func(*table.Options) {
	return func(o *table.Options) { o.Title = strings.TrimSpace(e.store + " " + what) }
}

// Note says something that --quiet silences: the closing line, what was left out.
func (e *Env) Note(format string, args ...any) {
	if !e.Quiet {
		_, _ = io.WriteString(e.Progress, visible.Text(fmt.Sprintf(format, args...), "\n\t")+"\n")
	}
}

// Warn says something that the user must know whatever the flags.
func (e *Env) Warn(format string, args ...any) { e.Messages.Say(fmt.Sprintf(format, args...)) }

// Needs refuses the first of the flags that was given: without what it needs, it has no effect.
func (e *Env) Needs(need string, flags ...string) error {
	for _, name := range flags {
		if e.Given[name] {
			return index.Usagef("--%s has no effect here: it is for %s", name, need)
		}
	}
	return nil
}

// TerminalOf says whether a stream is a terminal, and how wide that is.
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

// StdinIsTerminal says whether somebody would have to type the input.
func (e *Env) StdinIsTerminal() bool {
	_, ok := TerminalOf(e.Stdin)
	return ok
}

// Open picks one of formats and opens what it is written to.
func (e *Env) Open(f OutputFlags, formats []output.Format, fallback string) (format string, sink output.Sink, err error) {
	_, terminal := TerminalOf(e.Stdout)
	format, err = output.Pick(formats, f.Format, f.Out, fallback, terminal)
	if err != nil {
		return "", nil, err
	}
	if format == table.Styled { // what it styles it has made visible before
		sink, err = output.OpenStyled(e.FS, f.Out, e.Stdout)
	} else {
		sink, err = output.Open(e.FS, f.Out, e.Stdout)
	}
	return format, sink, err
}

// Table is a table on its way out. Rows go to Write; Commit makes them certain,
// Abort, deferred, throws an uncommitted file away.
type Table struct {
	table.Writer
	Format string // of table.Formats
	sink   output.Sink

	progress *progress.Reporter // of writing, where it was announced
	rows     int64              // since progress was told
}

// Announce begins a stage of the run: this many rows are written from now on, or as many
// as a limit, where that is not 0, allows.
func (t *Table) Announce(e *Env, rows uint64, limit int) {
	if limit > 0 {
		rows = min(rows, uint64(limit))
	}
	t.progress = e.Progress
	e.Progress.Step("write", "rows", int64(rows))
}

// toldEvery is how many rows are written between two looks at progress.
const toldEvery = 1024

// Write writes a row.
func (t *Table) Write(r *table.Row) error {
	if t.rows++; t.rows == toldEvery && t.progress != nil {
		t.progress.Add(t.rows)
		t.rows = 0
	}
	return t.Writer.Write(r)
}

// Table opens a table with these columns.
func (e *Env) Table(f OutputFlags, columns []table.Column) (*Table, error) {
	return e.TableWith(f, columns, nil)
}

// Headless opens a table without the line of names that tsv and csv begin with.
func (e *Env) Headless(f OutputFlags, columns []table.Column) (*Table, error) {
	return e.TableWith(f, columns, func(o *table.Options) { o.NoHeader = true })
}

// TableWith is Table, with options that set changes, unless it is nil. Pictures are further formats:
// writers that draw what the rows say.
func (e *Env) TableWith(f OutputFlags, columns []table.Column, set func(*table.Options), pictures ...table.Format) (*Table, error) {
	format, sink, o, err := e.OpenTable(f, pictures...)
	if err != nil {
		return nil, err
	}
	if set != nil {
		set(&o)
	}
	return &Table{Writer: table.New(format, sink, columns, o, pictures...), Format: format, sink: sink}, nil
}

// WriteTable prints a table whose rows are made by fill: it sets an empty row, and calls write, which
// prints the row and empties it. The other arguments are those of TableWith.
func (e *Env) WriteTable(f OutputFlags, columns []table.Column, set func(*table.Options), fill func(row *table.Row, write func() error) error) error {
	out, err := e.TableWith(f, columns, set)
	if err != nil {
		return err
	}
	defer out.Abort()
	row := table.NewRow(len(columns))
	err = fill(row, func() error {
		defer row.Clear()
		return out.Write(row)
	})
	if err != nil {
		return err
	}
	return out.Commit()
}

// Flush hands on the rows so far, where the format can (table.Flusher).
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

// Commit prints what is left and commits.
func (t *Table) Commit() error {
	if err := t.Close(); err != nil {
		return err
	}
	return t.sink.Commit()
}

// Abort undoes what Commit has not made certain; on standard output the rows so
// far stay.
func (t *Table) Abort() {
	table.Discard(t.Writer)
	t.sink.Abort()
}

// Record prints one record.
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

// OpenTable opens where a table goes, and says how it is to be written.
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

// Redirected says whether the output is standard output that the shell has put into a file.
func (e *Env) Redirected(f OutputFlags) bool {
	file, ok := e.Stdout.(*os.File)
	if !ok || !output.IsStdout(f.Out) {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// TempDir names a directory that does not exist, for what memory does not hold.
func (e *Env) TempDir() string {
	return e.FS.PathJoin(os.TempDir(), fmt.Sprintf("fstore-%016x", rand.Uint64()))
}

// Record is a single row under construction, column by column.
type Record struct {
	Columns []table.Column
	set     []func(r *table.Row, i int)
}

func (c *Record) add(name string, kind table.Kind, set func(r *table.Row, i int)) {
	c.Columns = append(c.Columns, table.Column{Name: name, Kind: kind})
	c.set = append(c.set, set)
}

// Uint adds a number.
func (c *Record) Uint(name string, n uint64) {
	c.add(name, table.Uint, func(r *table.Row, i int) { r.SetUint(i, n) })
}

// Text adds a text.
func (c *Record) Text(name, text string) {
	c.add(name, table.Text, func(r *table.Row, i int) { r.SetString(i, text) })
}

// Row is the record's row.
func (c *Record) Row() *table.Row {
	r := table.NewRow(len(c.Columns))
	for i, set := range c.set {
		set(r, i)
	}
	return r
}
