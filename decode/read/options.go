package read

import (
	"context"
	"io"
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
	// LabelsContinue says that another Inputs follows, for ContinueLabels: names of LabelsFile that no
	// sample has are not told at the end.
	LabelsContinue bool
	// OnNote is told at the end, by the goroutine that calls Next, what was decided about
	// labels, a line at a time; nil: nobody is.
	OnNote func(line string)

	// Pieces are, of each path, the block of it that is read: see Cuts. None are given for folders;
	// nil is all of every file.
	Pieces []Piece

	Stdin   io.Reader       // what "-" reads; nil is os.Stdin
	Context context.Context // ends a Next that waits; nil is never
}

// Tags says whose tags the trees of a K-best list have: lemmas, both tags and features.
// Candidates may each have their own, and gold trees have gold ones, by which a learner
// would know them (decode/README.md, "Gold trees of lists").
type Tags string

const (
	// TagsMajority gives all dependency trees of a list the tags that most candidates have,
	// word by word and column by column, a candidate having treescore.Votes; of equals those
	// of the first.
	TagsMajority Tags = "majority"
	// TagsOwn leaves each tree its own.
	TagsOwn Tags = "own"
)

// Input is what was read of one input; the gold file is one, the last.
type Input struct {
	Path    string // as given; "-" is standard input
	Format  string
	Bytes   int64  // of text, after decompression
	Hash    uint64 // xxh3 of that text
	Raw     uint64 // xxh3 of the bytes of the file, which may be compressed, or of its piece
	Samples int    // good ones
	Refused int    // bad ones
}

// Stdin is what standard input is called in names and messages.
const Stdin = "stdin"

// LabelOptions say where labels and documents come from (decode/README.md, "Labels and documents").
//
// A sample's labels are Label, then one an entry of LabelFrom, then those of LabelsFile, each
// once, joined by commas. If none of the three is given, the label is the one that the line
// itself has, as with svmtk. An option that gives no sample a label is an *OptionError of
// Inputs.Next. Labels that are the same number are one, as it is spelled first.
type LabelOptions struct {
	Label []string // the same for all samples
	// LabelFrom lists sources: file (the base name without compression suffix
	// and extension), path (as it was given), line (the line's own label, or several), id (the
	// sample's own sent_id or ID), comment:KEY (`# KEY = value`).
	LabelFrom []string
	// LabelMatch is searched in what LabelFrom gives: the label is its first
	// group, or the whole match if it has no group.
	LabelMatch string
	LabelsFile string // lines of name TAB label; a name with several lines has several labels
	// DocumentFrom is newdoc (the default: what the input says, `# newdoc`), file, or
	// id: the sample's own ID without the number at its end, so that both
	// weblog-juancole-0002 and 1150.FIRSTGRAMMAR,.2 belong to a text.
	DocumentFrom string
}

// ScratchSymbols are symbols of which nothing is left after a Rollback.
func ScratchSymbols() *index.Symbols {
	s := index.NewSymbols()
	s.Freeze()
	return s
}

// Piece is a block of a file: whole samples, which are read as they are where the file is read at
// once. It begins where nothing that stands before it holds: see Cuts.
type Piece struct {
	From, To  int64  // bytes; To < 0 is the end of the file
	Lines     int    // before From
	Sentences int    // before From, for messages
	Format    string // of the file, where From is not 0
}

// isCut says whether the file goes on behind the piece.
func (p *Piece) isCut() bool { return p != nil && p.To >= 0 }

// isLater says whether the file begins before the piece.
func (p *Piece) isLater() bool { return p != nil && p.From > 0 }

// limit goes to where the piece begins in f, and returns what reads it.
func (p *Piece) limit(f *os.File) (io.Reader, error) {
	if _, err := f.Seek(p.From, io.SeekStart); err != nil {
		return nil, err
	}
	if p.To < 0 {
		return f, nil
	}
	return io.LimitReader(f, p.To-p.From), nil
}
