package read

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"fstore/decode/format"
	"fstore/decode/format/foreign"
	"fstore/index"
)

// files reads the samples of files and standard input, one file after the other.
type files struct {
	unread   format.Losses // what readers have left out
	o        InputOptions
	paths    []string
	nextPath int
	label    *labeler
	syms     *index.Symbols // the symbols for readers
	unparsed bool           // sentences without heads are allowed

	cur    *input
	last   Place // place of the last sample or error
	lists  int   // number of n-best lists in the files before cur
	inputs []*Input
	read   progress
	memory sync.Pool // buffers for reading ahead

	undo    index.Builder // removes the symbols of a sample that is refused
	refused index.Tree
	notices notices
	forms   spellings

	candidates listWords
}

// open opens the next file, or returns io.EOF after the last.
func (in *files) open() error {
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
		if c.piece = in.piece(); c.piece != nil {
			if r, err = c.piece.limit(f); err != nil {
				return fileError(p, err)
			}
		}
	}
	c.base = in.o.normalized(filepath.Base(c.name))
	in.cur = c
	onIdle := in.o.OnIdle
	if !canWait(r) {
		onIdle = nil
	}
	c.pre = startPrefetch(in.o.Context, r, onIdle, &in.memory)
	in.read.cur.Store(c.pre)
	in.label.startFile(in.o.normalized(c.name))
	if err := in.start(c); err != nil {
		return in.breakOff(err)
	}
	return nil
}

// start finds the format of a file and opens its reader.
func (in *files) start(c *input) error {
	var f *Format
	text, known := in.o.text(c.pre), in.o.Format
	if c.piece.isLater() {
		known = c.piece.Format
		text = io.MultiReader(io.LimitReader(newlines{}, int64(c.piece.Lines)), text)
	}
	if known != "" {
		f, _ = FormatByName(known)
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
	if in.o.As.Shape != "" && f.Kind != index.Dependency {
		return OptionErrorf("as", "%s has %s trees (%s), and %s is made of dependencies", c.name, f.Kind, f.Name, in.o.As.Shape)
	}
	c.source = f.Open(text, Options{
		File: c.name, Base: c.base, Symbols: in.syms,
		StripTraces: in.o.StripTraces, StripFunctions: in.o.StripFunctions, Tree: in.o.Tree,
		Representation: in.o.Representation, ScoreColumn: in.o.ScoreColumn,
		Unparsed: in.unparsed, Dependencies: in.o.As.Shape != "",
		Normal: in.o.normal(),
		Losses: &in.unread,
		Notice: func(kind format.Notice, line int, text string) { in.notices.add(kind, c.name, line, text) },
	})
	c.comments, _ = c.source.(format.Commenter)
	c.lists, _ = c.source.(lister)
	c.leaver, _ = c.source.(leaver)
	return nil
}

// close closes the current file, stops reading it ahead, and completes the record of the input.
func (in *files) close() {
	c := in.cur
	in.cur = nil
	close(c.pre.stop)
	if c.file != nil {
		_ = c.file.Close() // the file was only read
		<-c.pre.done
	} else if !interrupt(in.o.Stdin, c.pre.done) {
		return // the goroutine still waits for input, and ends with the process
	}
	c.record.Bytes = c.pre.bytes
	c.record.Hash, c.record.Raw = c.pre.hash.Sum64(), c.pre.rawHash.Sum64()
	in.read.end(c.pre)
}

// breakOff closes the current file after the error err, and returns err as an error about that file.
func (in *files) breakOff(err error) error {
	file := in.cur.name
	in.close()
	var bad *index.InputError
	var option *OptionError
	if errors.As(err, &bad) || errors.As(err, &option) || in.o.Context.Err() != nil && errors.Is(err, in.o.Context.Err()) {
		return err
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fileError(file, err)
	}
	return &index.InputError{File: file, Msg: err.Error(), Fatal: true}
}

// endFile closes a file that was read to its end. It returns an error if the file had no sample.
func (in *files) endFile() error {
	c := in.cur
	in.close()
	if c.refused != nil {
		if bad := in.atCut(c, c.refused, true); bad != nil {
			return bad
		}
	}
	in.inputs = append(in.inputs, c.record)
	if c.record.Samples+c.record.Refused == 0 {
		return &index.InputError{File: c.name, Msg: "no trees", Fatal: true}
	}
	if c.lists != nil {
		in.lists += c.lists.InList()
	}
	return nil
}

// end closes the current file and skips the files after it.
func (in *files) end() {
	in.nextPath = len(in.paths)
	if in.cur != nil {
		in.close()
	}
}

// piece returns the piece of the current file that is to be read, or nil for the whole file.
func (in *files) piece() *Piece {
	if i := in.nextPath - 1; i < len(in.o.Pieces) && (in.o.Pieces[i].From > 0 || in.o.Pieces[i].To >= 0) {
		return &in.o.Pieces[i]
	}
	return nil
}

// atCut returns a fatal error if the bad sentence cannot be skipped, because it may go on in another piece of
// the file. Otherwise it returns nil.
func (in *files) atCut(c *input, bad *index.InputError, last bool) *index.InputError {
	if !last && bad.Sentence > 0 && c.piece.isLater() {
		bad.Sentence += c.piece.Sentences
	}
	if !in.o.Skip || !(last && c.piece.isCut() || !last && c.piece.isLater() && c.sentence == 0) {
		return nil
	}
	x := *bad
	x.Fatal = true
	x.Msg += "; it stands where the file is cut into blocks: begin a job in another directory, with --whole-files"
	return &x
}
