// Package format says what a treebank format is, and has the parts that readers of several formats share.
// Each format has a folder of its own here. Package read lists them all.
package format

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"fstore/index"
)

// Format is a treebank format. Its reader keeps one sample of a stream in memory, and interns names as it
// reads. A refused sample leaves nothing in the symbols.
type Format struct {
	Name string
	Kind index.Kind
	// OneAlphabet says that words are labels, see index.Tree.
	OneAlphabet bool
	// NumericLabel says whether a label can be written. nil: any can.
	NumericLabel func(label string) bool
	// NoLabel is written for a sample without a label. It is "" if the format has no labels at all.
	NoLabel string
	// Sniff returns how sure it is that a text is in this format, from 0 (no) to 100. file is the name
	// without a compression suffix, "" for standard input. head is the start of the text, without a byte
	// order mark and leading blank lines. It contains the first line that is neither blank nor starts
	// with '#', unless that is megabytes away.
	Sniff func(file string, head []byte) int
	// Open returns a reader of the samples of r. A bad sample is an *index.InputError. An error of r is
	// returned unchanged.
	Open func(r io.Reader, o Options) index.Source
	// Append appends one sample as text, with its line end. It is nil if the format is only read.
	Append func(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error)
	// NoSpaces says that a token's fields must not contain spaces.
	NoSpaces bool
	// Losses counts what Append changes or leaves out. nil: nothing.
	Losses func(t *index.Tree, s *index.Symbols) Losses
}

// Options are for readers. The zero value with Symbols set can be used.
type Options struct {
	File           string                   // the file's name in messages
	Base           string                   // File without directories, in names of documents and lists
	Symbols        *index.Symbols           // names are interned here
	StripTraces    bool                     // ptb: leave empty elements out
	StripFunctions bool                     // ptb: NP-SBJ=1 becomes NP
	Tree           int                      // svmtk: read only this tree of a line, from 1; 0 is all trees
	Representation string                   // klp: read the tree of this name; "" is the only one
	ScoreColumn    int                      // nbest: read this score of each candidate; 0 is the first
	Unparsed       bool                     // dependencies: sentences without heads, see index.Tree.Unparsed
	Dependencies   bool                     // jsonl: refuse texts that are not dependency trees
	Normal         func(text string) string // jsonl: applied to decoded text; nil: it stays as it is
	MaxText        int                      // refuse samples with more bytes of text; 0 is MaxText

	// Notice, if not nil, is called for something odd about a good sample, which starts on the line.
	Notice func(kind Notice, line int, text string)
	// Losses, if not nil, counts what the reader leaves out of good samples because a tree has no place
	// for it.
	Losses *Losses
}

// MaxText is the default limit for a sample, in bytes. So much text is kept, so that reading can go back
// after an error.
const MaxText = 256 << 20

// Limit returns the maximum size of a sample, in bytes of text.
func (o *Options) Limit() int {
	if o.MaxText > 0 {
		return o.MaxText
	}
	return MaxText
}

// Commenter is a Source whose samples have comments of the form `# key = value`. Some comments hold for
// several samples.
type Commenter interface {
	// Comment returns the values of a key that hold for the sample read last, in order: one, unless the
	// key is repeated, or none.
	Comment(key string) []string
}

// ParseComment splits a comment `# key = value`. If it has no '=', ok is false, and key is the whole comment.
func ParseComment(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(strings.TrimLeft(line, "# \t"), "=")
	return strings.TrimSpace(key), strings.TrimSpace(value), ok
}

// BadSample returns err if only one sample is bad and its source can go on, else nil.
func BadSample(err error) *index.InputError {
	if bad, ok := errors.AsType[*index.InputError](err); ok && !bad.Fatal {
		return bad
	}
	return nil
}

// OptionError is an option that is wrong or missing: wrong usage, exit code 2. A reader returns it if only
// the input shows the mistake.
type OptionError struct{ Option, Msg string }

func (e *OptionError) Error() string        { return "--" + e.Option + ": " + e.Msg }
func (e *OptionError) Is(target error) bool { return target == index.ErrUsage }

// OptionErrorf returns an *OptionError.
func OptionErrorf(option, msg string, args ...any) error {
	return &OptionError{option, fmt.Sprintf(msg, args...)}
}
