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

	StripTraces, StripFunctions bool // for these and the next three fields, see Options
	Tree                        int
	Representation              string
	ScoreColumn                 int

	// Gold is a file with gold trees for the inputs, which must be K-best lists: see gold.go. "" is none.
	Gold string
	// Tags says which tags the trees of lists get if Gold is set. "" is TagsOwn.
	Tags Tags
	// As says how dependency trees are converted to constituency trees, see package convert. If Shape is
	// "", they are not converted.
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
	// LabelsOptional says that it is no error if no sample gets the labels that were asked for. It is for
	// a second input, after samples of the first have got them.
	LabelsOptional bool
	// LabelsContinue says that another Inputs follows, with ContinueLabels. So there is no message at the
	// end about names in LabelsFile that no sample has.
	LabelsContinue bool
	// OnNote, if not nil, is called at the end with each message about decisions on labels. It is called
	// by the goroutine that calls Next.
	OnNote func(line string)

	// Pieces has, for each path, the part of the file that is read: see Cuts. nil is all of every file.
	// It must be nil if a path is a folder.
	Pieces []Piece

	Stdin   io.Reader       // the input "-"; nil is os.Stdin
	Context context.Context // its end also ends a Next that waits; nil never ends
}

// Tags says which tags the trees of a K-best list get: lemma, UPOS, XPOS and features. If each tree kept its
// own tags, a learner could recognise gold trees by their gold tags (decode/README.md, "Gold trees of
// lists").
type Tags string

const (
	// TagsMajority gives all dependency trees of a list the same tags: in each column of each word, the
	// value with the most votes. A candidate has treescore.Votes. Among equals, the value of the earlier
	// candidate is taken.
	TagsMajority Tags = "majority"
	// TagsOwn leaves each tree its own tags.
	TagsOwn Tags = "own"
)

// Input is the record of one input that was read. The gold file is an input too, the last one.
type Input struct {
	Path    string // as the caller gave it; "-" is standard input
	Format  string
	Bytes   int64  // size of the text, after decompression
	Hash    uint64 // xxh3 of that text
	Raw     uint64 // xxh3 of the bytes of the file or piece, before decompression
	Samples int    // number of good samples
	Refused int    // number of bad samples
}

// Stdin is the name of standard input in messages and names of samples.
const Stdin = "stdin"

// LabelOptions say where labels and documents come from (decode/README.md, "Labels and documents").
//
// A sample's labels are those in Label, then one from each entry of LabelFrom, then those in LabelsFile. They
// are joined by commas, without repetitions. If none of the three is set, a sample has the label on its own
// line, as in svmtk. If an option gives no sample a label, Inputs.Next returns an *OptionError. Labels that
// are the same number become one, in the spelling that came first.
type LabelOptions struct {
	Label []string // labels of every sample
	// LabelFrom lists sources of labels: file (the base name without compression suffix and extension),
	// path (as the caller gave it), line (the labels on the sample's own line), id (the sample's own
	// sent_id or ID), comment:KEY (`# KEY = value`).
	LabelFrom []string
	// LabelMatch is a regular expression that is searched in each value of LabelFrom. Its first group is
	// the label, or the whole match if it has no group.
	LabelMatch string
	LabelsFile string // lines of name TAB label; a name with several lines has several labels
	// DocumentFrom is newdoc, file or id. newdoc, the default, is what the input says (`# newdoc`). id is
	// the sample's own ID without the number at its end, so that weblog-juancole-0002 and
	// 1150.FIRSTGRAMMAR,.2 get their documents.
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
	Lines     int    // number of lines before From
	Sentences int    // number of sentences before From, for messages
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
