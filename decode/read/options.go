package read

import (
	"context"
	"io"
	"os"

	"fstore/decode/format/convert"
	"fstore/index"
)

// InputOptions say how inputs are read. Symbols must be set. All other fields can be zero.
type InputOptions struct {
	Symbols *index.Symbols
	Format  string // name of the format; if "", the file's name and first bytes show the format
	LabelOptions

	StripTraces, StripFunctions bool // see Options; the same holds for the next three fields
	Tree                        int
	Representation              string
	ScoreColumn                 int

	// Gold is the path of a file with gold trees for K-best lists, see gold.go. "" means no gold trees.
	Gold string
	// Tags says which tags the trees of lists get if Gold is set. "" means TagsOwn.
	Tags Tags
	// As says how dependency trees are converted to constituency trees, see package convert. If its Shape is
	// "", they stay as they are.
	As convert.Options

	// Skip says that bad sentences are skipped and counted, and that the first 20 are kept. SkipLog, if set,
	// gets a line for each bad sentence.
	Skip    bool
	SkipLog io.Writer

	// OnIdle is called just before Next waits for input that has not arrived yet, by the same goroutine. It
	// is not called for regular files, so that the output does not depend on the speed of a disk.
	OnIdle func()

	// NormalizeUnicode is NormalizeNFC, or "" to leave text as it is. It applies to inputs, to names of files
	// and to LabelsFile.
	NormalizeUnicode string

	// OnWarn, if not nil, is called at the end with each message about something odd in the samples. It
	// is called by the goroutine that calls Next or Close.
	OnWarn func(line string)
	// LabelsOptional allows inputs that give no sample a label. It is for use after an Inputs that gave
	// labels.
	LabelsOptional bool
	// LabelsContinue says that a later Inputs will call ContinueLabels. Names in LabelsFile without a sample
	// are then not reported yet.
	LabelsContinue bool
	// OnNote, if not nil, is called at the end with each message about decisions on labels. It is called
	// by the goroutine that calls Next.
	OnNote func(line string)

	// Pieces has, for each path, the part that is read: see Cuts. If Pieces is nil, whole files are read. A
	// folder has no pieces.
	Pieces []Piece

	Stdin   io.Reader       // the input "-"; nil means os.Stdin
	Context context.Context // ends a Next that waits; if nil, nothing ends it
}

// Tags says which tags (lemma, UPOS, XPOS and features) the trees of a K-best list get. A learner could
// recognise gold trees by their own tags (decode/README.md, "Gold trees of lists").
type Tags string

const (
	// TagsMajority gives all dependency trees of a list the same tags: for each word and column, the first
	// value with most votes (treescore.Votes).
	TagsMajority Tags = "majority"
	// TagsOwn leaves each tree its own tags.
	TagsOwn Tags = "own"
)

// Input is the record of one input. Inputs.Read returns the record of the gold file last.
type Input struct {
	Path    string // path as the caller gave it; "-" is standard input
	Format  string
	Bytes   int64  // size of the text in bytes, after decompression
	Hash    uint64 // xxh3 hash of that text
	Raw     uint64 // xxh3 hash of the bytes of the file or piece, before decompression
	Samples int    // number of good samples
	Refused int    // number of bad samples
}

// Stdin is the name of standard input in messages and names of samples.
const Stdin = "stdin"

// LabelOptions say where labels and documents come from (decode/README.md, "Labels and documents").
//
// A sample gets the labels of Label, LabelFrom and LabelsFile, joined by commas, each once. If none of these
// fields is set, it keeps the label from its format. If LabelsFile, or an entry of LabelFrom, gives no sample
// a label, Inputs.Next returns an *OptionError. Labels that are the same number become one label, in the
// first spelling.
type LabelOptions struct {
	Label []string // labels of every sample
	// LabelFrom lists sources of labels:
	//   - file: the base name without compression suffix and extension
	//   - path: the path as the caller gave it
	//   - line: the labels on the sample's own line
	//   - id: the sample's own sent_id or ID
	//   - comment:KEY: the value of `# KEY = value`
	LabelFrom []string
	// LabelMatch is a regular expression for the values from LabelFrom. The label is the text of its first
	// group, or the whole match if it has no group.
	LabelMatch string
	LabelsFile string // lines of name TAB label; a name with several lines has several labels
	// DocumentFrom is one of:
	//   - newdoc: the document of `# newdoc` (the default)
	//   - file: each file is a document
	//   - id: the sample's own ID without the number at its end, such as weblog-juancole for
	//     weblog-juancole-0002
	DocumentFrom string
}

// ScratchSymbols returns empty symbols. A Rollback makes them empty again.
func ScratchSymbols() *index.Symbols {
	s := index.NewSymbols()
	s.Freeze()
	return s
}

// Piece is a part of a file that contains whole samples, see Cuts.
type Piece struct {
	From, To  int64  // offsets in bytes; To < 0 means the end of the file
	Lines     int    // number of lines before From
	Sentences int    // number of sentences before From, for messages
	Format    string // format of the file; needed if From is not 0
}

// isCut says whether the file continues after the piece.
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
