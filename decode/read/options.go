package read

import (
	"context"
	"io"
	"os"

	"fstore/decode/format/convert"
	"fstore/index"
)

// InputOptions say how inputs are read. Symbols must be set. All other fields may be zero.
type InputOptions struct {
	Symbols *index.Symbols
	Format  string // name of the format; "" is recognised from the file's name and first bytes
	LabelOptions

	StripTraces, StripFunctions bool // see Options, also for the next three
	Tree                        int
	Representation              string
	ScoreColumn                 int

	// Gold is a file with gold trees for the inputs, which must be K-best lists: see gold.go. "" is none.
	Gold string
	// Tags says which tags the trees of lists get if Gold is set. "" is TagsOwn.
	Tags Tags
	// As says how dependency trees become constituency trees, see package convert. If Shape is "", they
	// do not.
	As convert.Options

	// Skip says that bad sentences are skipped and not returned as errors. They are counted, and the
	// first 20 are kept. If SkipLog is set, each is written to it as a line.
	Skip    bool
	SkipLog io.Writer

	// OnIdle is called just before Next waits for input, if nothing has arrived yet, so that the output
	// can be flushed. It is called by the goroutine that calls Next. It is not called for regular files,
	// so that the output does not depend on the speed of a disk.
	OnIdle func()

	// NormalizeUnicode is NormalizeNFC, or "" to leave text as it is. It applies to inputs, names of
	// files and LabelsFile.
	NormalizeUnicode string

	// OnWarn, if not nil, is called at the end with each message about something odd in the samples. It
	// is called by the goroutine that calls Next or Close.
	OnWarn func(line string)
	// LabelsOptional says that samples need not get the labels that were asked for: samples of a first
	// input did.
	LabelsOptional bool
	// LabelsContinue says that another Inputs follows, with ContinueLabels. Names in LabelsFile that no
	// sample has are then not reported yet.
	LabelsContinue bool
	// OnNote, if not nil, is called at the end with each message about decisions on labels. It is called
	// by the goroutine that calls Next.
	OnNote func(line string)

	// Pieces has the part of each path that is read: see Cuts. nil is all of every file. A folder has no
	// pieces.
	Pieces []Piece

	Stdin   io.Reader       // the input "-"; nil is os.Stdin
	Context context.Context // ends a Next that waits; nil never does
}

// Tags says which tags the trees of a K-best list get: lemma, UPOS, XPOS and features. If each tree kept its
// own tags, a learner could recognise gold trees by their gold tags (decode/README.md, "Gold trees of
// lists").
type Tags string

const (
	// TagsMajority gives all dependency trees of a list the same tags: in each column of each word, the
	// value with most votes, the first of equals. A candidate has treescore.Votes.
	TagsMajority Tags = "majority"
	// TagsOwn leaves each tree its own tags.
	TagsOwn Tags = "own"
)

// Input is the record of one input. The gold file is the last one.
type Input struct {
	Path    string // as given; "-" is standard input
	Format  string
	Bytes   int64  // size of the text, after decompression
	Hash    uint64 // xxh3 of that text
	Raw     uint64 // xxh3 of the bytes of the file or piece, before decompression
	Samples int    // good samples
	Refused int    // bad samples
}

// Stdin is the name of standard input in messages and names of samples.
const Stdin = "stdin"

// LabelOptions say where labels and documents come from (decode/README.md, "Labels and documents").
//
// A sample's labels are Label, then one from each entry of LabelFrom, then those in LabelsFile, each once,
// joined by commas. If none of the three is set, the sample has the label on its own line, as in svmtk. If an
// option gives no sample a label, Inputs.Next returns an *OptionError. Labels that are the same number become
// one, in its first spelling.
type LabelOptions struct {
	Label []string // labels of every sample
	// LabelFrom lists sources of labels: file (the base name without compression suffix and extension),
	// path (as the caller gave it), line (the labels on the sample's own line), id (the sample's own
	// sent_id or ID), comment:KEY (`# KEY = value`).
	LabelFrom []string
	// LabelMatch is searched in each value of LabelFrom. The label is its first group, or the whole match
	// if it has no group.
	LabelMatch string
	LabelsFile string // lines of name TAB label; a name with several lines has several labels
	// DocumentFrom is newdoc (the default: `# newdoc` in the input), file, or id: the sample's own ID
	// without the number at its end, as of weblog-juancole-0002 and 1150.FIRSTGRAMMAR,.2.
	DocumentFrom string
}

// ScratchSymbols returns empty symbols that a Rollback empties again.
func ScratchSymbols() *index.Symbols {
	s := index.NewSymbols()
	s.Freeze()
	return s
}

// Piece is a part of a file that contains whole samples. They are read as they would be in the whole file:
// nothing before the piece holds inside it, see Cuts.
type Piece struct {
	From, To  int64  // offsets in bytes; To < 0 is the end of the file
	Lines     int    // lines before From
	Sentences int    // sentences before From, for messages
	Format    string // format of the file; needed if From is not 0
}

// isCut says whether the file goes on after the piece.
func (p *Piece) isCut() bool { return p != nil && p.To >= 0 }

// isLater says whether there is a part of the file before the piece.
func (p *Piece) isLater() bool { return p != nil && p.From > 0 }

// limit moves to the start of the piece in f, and returns a reader of the piece.
func (p *Piece) limit(f *os.File) (io.Reader, error) {
	if _, err := f.Seek(p.From, io.SeekStart); err != nil {
		return nil, err
	}
	if p.To < 0 {
		return f, nil
	}
	return io.LimitReader(f, p.To-p.From), nil
}
