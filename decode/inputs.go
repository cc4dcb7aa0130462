package decode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"fstore/decode/format"
	"fstore/index"
)

// InputOptions are how inputs are read. Symbols must be set, all else may be zero.
type InputOptions struct {
	Symbols *index.Symbols
	Format  string // a name of the registry; "" finds it from the name and the first bytes
	LabelOptions

	StripTraces, StripFunctions bool // see Options, as are the next three
	Tree                        int
	Representation              string
	ScoreColumn                 int

	// Skip passes over bad sentences instead of returning them: each is counted,
	// the first 20 are kept, all are written to SkipLog, a line each, where it is set.
	Skip    bool
	SkipLog io.Writer

	// OnIdle is called by the goroutine that calls Next, just before it waits for
	// input of which nothing has arrived: a stream's writer flushes there.
	OnIdle func()

	Stdin   io.Reader       // what "-" reads; nil is os.Stdin
	Context context.Context // ends a Next that waits; nil is never
}

// Input is what was read of one input.
type Input struct {
	Path    string // as given; "-" is standard input
	Format  string
	Bytes   int64  // of text, after decompression
	Hash    uint64 // xxh3 of that text
	Samples int    // good ones
	Refused int    // bad ones
}

// Inputs is the samples of several inputs, one after the other. It is for one
// goroutine, but for Progress.
type Inputs struct {
	o     InputOptions
	paths []string
	sizes []int64
	label *labeler
	Refusals

	next   int // in paths
	cur    *input
	inputs []Input
	good   int
	read   progress
	spare  [][]byte // memory for reading ahead
}

// Stdin is what standard input is called in names and messages.
const Stdin = "stdin"

// OpenInputs checks that the paths can be inputs, and returns their samples. "-"
// is standard input. An *OptionError is wrong usage, an *index.InputError names a
// path that is missing or a directory.
func OpenInputs(paths []string, o InputOptions) (*Inputs, error) {
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	if len(paths) == 0 {
		return nil, optionErrorf("input", "expected at least one input")
	}
	if o.Format != "" {
		if _, err := FormatByName(o.Format); err != nil {
			return nil, optionErrorf("input-format", "%v", err)
		}
	}
	label, err := newLabeler(o.LabelOptions)
	if err != nil {
		return nil, err
	}
	in := &Inputs{o: o, paths: paths, label: label, Refusals: Refusals{Log: o.SkipLog}}
	if err := in.checkPaths(); err != nil {
		return nil, err
	}
	if o.LabelsFile != "" {
		if err := in.readLabels(); err != nil {
			return nil, err
		}
	}
	return in, nil
}

func (in *Inputs) checkPaths() error {
	stdin := 0
	for _, p := range in.paths {
		if p == "-" {
			if stdin++; stdin > 1 {
				return optionErrorf("input", `"-" twice: standard input can be read once`)
			}
			in.sizes = append(in.sizes, 0)
			continue
		}
		size, err := checkPath(p)
		if err != nil {
			return err
		}
		in.sizes = append(in.sizes, size)
	}
	for _, size := range in.sizes {
		in.read.total += size
	}
	return nil
}

// checkPath returns the size of a file, 0 for a pipe.
func checkPath(file string) (int64, error) {
	st, err := os.Stat(file)
	switch {
	case err != nil:
		return 0, fileError(file, err)
	case st.IsDir():
		return 0, &index.InputError{File: file, Msg: "is a directory: expected a file", Fatal: true}
	case !st.Mode().IsRegular():
		return 0, nil
	}
	return st.Size(), nil
}

// fileError turns an error of the system into one of bad input.
func fileError(file string, err error) error {
	msg := "cannot be read: "
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		msg = "no such file"
	case errors.As(err, &pe):
		msg += pe.Err.Error()
	default:
		msg += err.Error()
	}
	return &index.InputError{File: file, Msg: msg, Fatal: true}
}

func (in *Inputs) readLabels() error {
	file := in.o.LabelsFile
	if _, err := checkPath(file); err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return fileError(file, err)
	}
	defer f.Close()
	r, done, err := decompress(f)
	if err != nil {
		return &index.InputError{File: file, Msg: err.Error(), Fatal: true}
	}
	defer done()
	return in.label.readLabels(file, r)
}

// Next reads the next sample, see index.Source. An error with Fatal set ends its
// file, whatever Skip says; the next call goes on with the next file. Symbols that
// are frozen go back to what they were: what is new is one sample's only.
func (in *Inputs) Next(t *index.Tree) error {
	in.o.Symbols.Rollback()
	for {
		if in.cur == nil {
			if err := in.open(); err != nil {
				return err
			}
		}
		err := in.cur.source.Next(t)
		if err == nil {
			in.finish(t)
			return nil
		}
		var bad *index.InputError
		switch {
		case err == io.EOF:
			if err := in.endFile(); err != nil {
				return err
			}
		case errors.As(err, &bad) && !bad.Fatal:
			in.cur.sentence++
			in.cur.record.Refused++
			if !in.o.Skip {
				return err
			}
			in.Add(bad)
		default:
			return in.breakOff(err)
		}
	}
}

// finish gives a sample its name, label and document.
func (in *Inputs) finish(t *index.Tree) {
	c := in.cur
	c.sentence++
	c.record.Samples++
	in.good++
	id := t.Name
	if id == "" {
		c.nameBuf = append(c.nameBuf[:0], c.base...)
		c.nameBuf = append(c.nameBuf, '#')
		c.nameBuf = strconv.AppendInt(c.nameBuf, int64(c.sentence), 10)
		t.Name = string(c.nameBuf)
	}
	in.label.apply(t, id, c.comments)
}

// breakOff ends a file that cannot be read further.
func (in *Inputs) breakOff(err error) error {
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

// endFile closes a file that was read to its end, and says whether there was
// something in it.
func (in *Inputs) endFile() error {
	c := in.cur
	in.close()
	in.inputs = append(in.inputs, c.record)
	switch {
	case c.record.Samples+c.record.Refused == 0:
		return &index.InputError{File: c.name, Msg: "no trees", Fatal: true}
	case in.next == len(in.paths) && in.good == 0 && in.o.Skip:
		return &index.InputError{
			File: c.name, Fatal: true,
			Msg: fmt.Sprintf("no trees: all of %s refused", format.Plural(in.n, "sentence")),
		}
	}
	return nil
}

// Read returns what was read of each input that was read to its end.
func (in *Inputs) Read() []Input { return in.inputs }

// Progress returns how many bytes of the files have been read, and how many there
// are; standard input and pipes are in the first only. It is safe at any time.
func (in *Inputs) Progress() (done, total int64) { return in.read.done(), in.read.total }

// Close ends reading. It does not close standard input.
func (in *Inputs) Close() error {
	in.next = len(in.paths)
	if in.cur != nil {
		in.close()
	}
	return nil
}
