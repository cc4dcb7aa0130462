// Package read reads files and standard input as one source of trees, with names, labels and
// documents, and K-best lists beside their gold trees. [Formats] is the registry of formats.
// Start at inputs.go.
package read

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"fstore/decode/format/convert"
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

	// Gold is a file with the gold trees of the inputs, which are K-best lists: see
	// gold.go. "" is none.
	Gold string
	// Tags says whose tags the trees of lists with Gold have; "" is TagsOwn.
	Tags Tags
	// As makes constituency trees of dependency trees, see package convert; Shape "" leaves
	// them as they are.
	As convert.Options

	// Skip passes over bad sentences instead of returning them: each is counted,
	// the first 20 are kept, all are written to SkipLog, a line each, where it is set.
	Skip    bool
	SkipLog io.Writer

	// OnIdle is called by the goroutine that calls Next, just before it waits for
	// input of which nothing has arrived: a stream's writer flushes there. It is not called
	// for regular files, so that what they become does not depend on the speed of a disk.
	OnIdle func()

	// NormalizeUnicode is NormalizeNFC, or "" for text as it stands: of inputs, names of files,
	// and LabelsFile.
	NormalizeUnicode string

	// OnWarn is told at the end, by the goroutine that calls Next or Close, what was odd about the
	// samples that were read, a line each; nil: nobody is.
	OnWarn func(line string)
	// LabelsOptional says that samples need not get the labels that were asked for: they are of a
	// second input, and those of the first did.
	LabelsOptional bool
	// OnNote is told at the end, by the goroutine that calls Next, what was decided about
	// labels, a line at a time; nil: nobody is.
	OnNote func(line string)

	Stdin   io.Reader       // what "-" reads; nil is os.Stdin
	Context context.Context // ends a Next that waits; nil is never
}

// Input is what was read of one input; the gold file is one, the last.
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

	nextPath int
	cur      *input
	lists    int // n-best lists in the inputs before cur
	inputs   []*Input
	good     int
	read     progress
	spare    [][]byte // memory for reading ahead

	syms    *index.Symbols // of the readers
	gold    *goldLists     // nil: none
	convert *convert.Converter
	tree    index.Tree    // to convert
	last    Place         // of what Next returned
	undo    index.Builder // forgets the symbols of a sample that is refused
	refused index.Tree

	unparsed bool     // sentences without heads are good
	misc     []string // keys of MISC whose values samples have
	ended    bool     // what is to be said at the end has been
	notices  notices
	// decomposed says that there may be words that are not in NFC: one was read, or the symbols
	// had words before. As long as there are none, words in NFC have no other form.
	decomposed bool
}

// Stdin is what standard input is called in names and messages.
const Stdin = "stdin"

// Open checks that the paths can be inputs, and returns their samples. "-"
// is standard input, a folder all files in it that can be read. An *OptionError is wrong usage, an *index.InputError names a
// path that is missing or a directory.
func Open(paths []string, o InputOptions) (*Inputs, error) {
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	if len(paths) == 0 {
		return nil, OptionErrorf("input", "expected at least one input")
	}
	if o.Format != "" {
		if _, err := FormatByName(o.Format); err != nil {
			return nil, OptionErrorf("input-format", "%v", err)
		}
	}
	if err := checkUnicode(o.NormalizeUnicode); err != nil {
		return nil, err
	}
	label, err := newLabeler(o.LabelOptions)
	if err != nil {
		return nil, err
	}
	in := &Inputs{o: o, paths: paths, label: label, Refusals: Refusals{Log: o.SkipLog}, syms: o.Symbols}
	in.decomposed = o.Symbols.Len(index.Words) > 0
	if o.As.Shape != "" {
		if err := o.As.Check(); err != nil {
			return nil, err
		}
		in.syms = ScratchSymbols()
		in.convert = convert.New(o.As, in.syms, o.Symbols)
	}
	if err := in.openFolders(); err != nil {
		return nil, err
	}
	if err := in.checkPaths(); err != nil {
		return nil, err
	}
	if o.Gold != "" {
		if in.gold, err = openGold(in); err != nil {
			return nil, err
		}
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
				return OptionErrorf("input", `"-" twice: standard input can be read once`)
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

func (in *Inputs) readLabels() error {
	f, err := OpenFile(in.o.LabelsFile, nil)
	if err != nil {
		return err
	}
	defer f.Close()
	return in.label.readLabels(f, in.text(f))
}

// Need says what is made of the samples. K-best lists with gold trees, and constituency trees of
// dependencies, need heads all the same.
func (in *Inputs) Need(n index.Needs) {
	in.unparsed = n.NoHeads && in.gold == nil && in.convert == nil
	in.misc = n.Misc
}

// Next reads the next sample, see index.Source. Of one that is refused t has what is known
// without reading it: line, name, and labels of its file or of all samples. An error with Fatal set ends its
// file, whatever Skip says; the next call goes on with the next file. Symbols that
// are frozen go back to what they were: what is new is one sample's only.
func (in *Inputs) Next(t *index.Tree) error {
	if in.convert == nil {
		err := in.next(t)
		if err == nil {
			in.correct(t)
			t.AddMisc(in.misc, in.o.Symbols)
		}
		return err
	}
	in.o.Symbols.Rollback()
	if err := in.next(&in.tree); err != nil {
		t.Reset()
		t.Line, t.Name, t.Label = in.tree.Line, in.tree.Name, in.tree.Label
		return err
	}
	before := countSymbols(in.o.Symbols)
	in.convert.Convert(t, &in.tree)
	in.lookForForms(in.o.Symbols, before, in.last.File, t.Line)
	in.correct(t)
	return nil
}

// next is Next but for the conversion.
func (in *Inputs) next(t *index.Tree) error {
	for {
		var err error
		if in.gold != nil {
			in.last, err = in.gold.next(t)
		} else {
			in.syms.Rollback()
			in.last, err = in.sample(t)
		}
		if err, skipped := in.settle(err); !skipped {
			return err
		}
	}
}

// settle counts a sample that was read, or says what its error means; skipped says that the
// error is of a bad sentence that is passed over.
func (in *Inputs) settle(err error) (_ error, skipped bool) {
	if err == nil {
		in.good++
		return nil, false
	}
	var bad *index.InputError
	switch {
	case err == io.EOF && in.good == 0 && in.n > 0:
		in.good = 1 // not again
		return &index.InputError{
			File: in.last.File, Fatal: true,
			Msg: fmt.Sprintf("no trees: all of %s refused", index.Plural(in.n, "sentence")),
		}, false
	case err == io.EOF && !in.ended:
		in.ended = true
		return in.endLabels(), false
	case in.o.Skip && errors.As(err, &bad) && !bad.Fatal:
		in.Add(bad)
		return nil, true
	}
	return err, false
}

// endLabels is the end of the samples, io.EOF, or the error of labels that none of them got.
func (in *Inputs) endLabels() error {
	in.tellNotices()
	if err := in.label.missing(); err != nil && !in.o.LabelsOptional {
		return err
	}
	if forms := in.label.spelling.forms; forms != "" && in.o.OnWarn != nil {
		in.o.OnWarn(forms)
	}
	for _, line := range [...]string{in.label.spelling.say(), in.label.unused()} {
		if line != "" && in.o.OnNote != nil {
			in.o.OnNote(line)
		}
	}
	return io.EOF
}

// KnowLabels tells the labels that there are already, see index.KnowLabels.
func (in *Inputs) KnowLabels(labels []string) { in.label.spelling.know(labels) }

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
	if c.record.Samples+c.record.Refused == 0 {
		return &index.InputError{File: c.name, Msg: "no trees", Fatal: true}
	}
	if c.lists != nil {
		in.lists += c.lists.List()
	}
	return nil
}

// Read returns what was read of each input that was read to its end.
func (in *Inputs) Read() (all []Input) {
	for _, r := range in.inputs {
		all = append(all, *r)
	}
	if in.gold != nil && in.gold.in != nil {
		all = append(all, in.gold.in.Read()...)
	}
	return all
}

// Progress returns how many bytes of the files have been read, and how many there
// are; standard input and pipes are in the first only. It is safe at any time.
func (in *Inputs) Progress() (done, total int64) { return in.read.done(), in.read.total }

// Close ends reading. It does not close standard input.
func (in *Inputs) Close() error {
	in.tellNotices()
	in.nextPath = len(in.paths)
	if in.cur != nil {
		in.close()
	}
	if in.gold != nil && in.gold.in != nil {
		return in.gold.in.Close()
	}
	return nil
}
