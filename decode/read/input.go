package read

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"fstore/decode/format"
	"fstore/decode/format/foreign"
	"fstore/index"
)

// input is the file being read.
type input struct {
	name     string // in messages
	base     string // in names
	file     *os.File
	pre      *prefetch
	source   index.Source
	comments format.Commenter
	lists    lister // nil: it has no lists
	leaver   leaver // nil: samples have nothing in common
	sentence int
	record   *Input
	nameBuf  []byte

	number      int    // of the input, from 1
	given, list string // the K-best list of the sample read last, as its reader calls it, and we
}

// next is the number of the sentence that is being read, for messages.
func (c *input) next() int {
	if c.lists != nil {
		return c.lists.List()
	}
	return c.sentence + 1
}

// numberList puts the number of the input before the name of t's K-best list: those of
// two inputs are different lists, even where they have the same name.
func (c *input) numberList(t *index.Tree) {
	if t.Group == "" {
		return
	}
	if t.Group != c.given {
		c.given = t.Group
		c.list = strconv.Itoa(c.number) + ":" + t.Group
	}
	t.Group = c.list
}

// lister is implemented by sources of lists: List is the number of the list that what
// Next returned last is of.
type lister interface{ List() int }

// leaver is implemented by sources whose samples say something of those that follow:
// LeaveOut says that what Next returned last is not kept, and the next sample says it.
type leaver interface{ LeaveOut() }

// open starts the next file, io.EOF after the last.
func (in *Inputs) open() error {
	if in.nextPath == len(in.paths) {
		return io.EOF
	}
	p := in.paths[in.nextPath]
	in.nextPath++
	c := &input{name: p, number: in.nextPath, record: &Input{Path: p}}
	r := in.o.Stdin
	if p == "-" {
		c.name = Stdin
	} else {
		f, err := openFile(in.o.Context, p)
		if in.o.Context.Err() != nil && errors.Is(err, in.o.Context.Err()) {
			return err
		}
		if err != nil {
			return fileError(p, err)
		}
		c.file, r = f, f
	}
	c.base = in.normalized(filepath.Base(c.name))
	in.cur = c
	onIdle := in.o.OnIdle
	if !waits(r) {
		onIdle = nil
	}
	c.pre = startPrefetch(in.o.Context, r, onIdle, in.spare)
	in.spare = nil
	in.read.start(c.pre)
	in.label.startFile(in.normalized(c.name))
	if err := in.start(c); err != nil {
		return in.breakOff(err)
	}
	return nil
}

// start finds the format and opens its reader.
func (in *Inputs) start(c *input) error {
	var f *Format
	text := in.text(c.pre)
	if in.o.Format != "" {
		f, _ = FormatByName(in.o.Format)
	} else {
		head, err := readHead(text)
		if err != nil {
			return err
		}
		if refusal := foreign.Recognise(head.text); refusal != "" {
			return &index.InputError{File: c.name, Line: head.blank + 1, Fatal: true, Msg: refusal}
		}
		if head.isEmpty() {
			return &index.InputError{File: c.name, Msg: "no trees", Fatal: true}
		}
		name := ""
		if c.file != nil {
			name = plainName(c.name)
		}
		if f = head.format(name); f == nil {
			return &index.InputError{
				File: c.name, Line: head.line, Fatal: true,
				Msg: "the format is not recognised: expected one of " + formatList() + "; --input-format names it",
			}
		}
		text = head.reader(text)
	}
	c.record.Format = f.Name
	if in.convert != nil && f.Kind != index.Dependency {
		return OptionErrorf("as", "%s has %s trees (%s), and %s is made of dependencies", c.name, f.Kind, f.Name, in.o.As.Shape)
	}
	c.source = f.Open(text, Options{
		File: c.name, Base: c.base, Symbols: in.syms,
		StripTraces: in.o.StripTraces, StripFunctions: in.o.StripFunctions, Tree: in.o.Tree,
		Representation: in.o.Representation, ScoreColumn: in.o.ScoreColumn,
		Unparsed: in.unparsed,
		Notice:   func(kind format.Notice, line int, text string) { in.notice(kind, c.name, line, text) },
	})
	c.comments, _ = c.source.(format.Commenter)
	c.lists, _ = c.source.(lister)
	c.leaver, _ = c.source.(leaver)
	return nil
}

// close ends the current file and its goroutine, and fills in its record.
func (in *Inputs) close() {
	c := in.cur
	in.cur = nil
	close(c.pre.stop)
	if c.file != nil {
		_ = c.file.Close() // only read from
		<-c.pre.done
	} else if !interrupt(in.o.Stdin, c.pre.done) {
		return // it waits for input, and ends with the process
	}
	in.spare = c.pre.recycle()
	c.record.Bytes = c.pre.bytes
	c.record.Hash = c.pre.hash.Sum64()
	in.read.end(c.pre)
}

// interrupt ends a read of standard input, where that is possible.
func interrupt(r io.Reader, done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
	}
	d, ok := r.(interface{ SetReadDeadline(time.Time) error })
	if !ok || d.SetReadDeadline(time.Unix(1, 0)) != nil {
		select {
		case <-done:
			return true
		case <-time.After(50 * time.Millisecond):
			return false
		}
	}
	<-done
	_ = d.SetReadDeadline(time.Time{})
	return true
}
