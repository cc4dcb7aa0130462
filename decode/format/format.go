// Package format describes treebank formats, and has the parts that several readers share. Each format has a
// folder below this one. Package read lists all formats.
package format

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"fstore/index"
)

// Format is a treebank format. Its reader keeps one sample in memory. A refused sample leaves nothing in the
// symbols.
type Format struct {
	Name string
	Kind index.Kind
	// OneAlphabet says that words and labels share one set of names, see index.Tree.
	OneAlphabet bool
	// NumericLabel says whether a label is a number. It is nil if labels need not be numbers.
	NumericLabel func(label string) bool
	// NoLabel is written for a sample without a label. It is "" if the format has no labels at all.
	NoLabel string
	// Sniff returns how sure it is that a text is in this format, from 0 to 100. The file name has no
	// compression suffix, and is "" for standard input. The head is the beginning of the text, without a byte
	// order mark or leading blank lines. Normally it contains a line that is neither blank nor a comment.
	Sniff func(file string, head []byte) int
	// Open returns a reader of the samples of r. A bad sample is an *index.InputError. An error of r is
	// returned unchanged.
	Open func(r io.Reader, o Options) index.Source
	// Append appends one sample as text, with its line end. It is nil if the format can be read but not
	// written.
	Append func(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error)
	// NoSpaces says that a token's fields must not contain spaces.
	NoSpaces bool
	// Losses counts what Append changes or leaves out. If it is nil, Append writes everything.
	Losses func(t *index.Tree, s *index.Symbols) Losses
}

// Options are for readers. The zero value with Symbols set can be used.
type Options struct {
	File           string                   // the file's name in messages
	Base           string                   // File without directories, in names of documents and lists
	Symbols        *index.Symbols           // names are interned here
	StripTraces    bool                     // ptb: leave empty elements out
	StripFunctions bool                     // ptb: NP-SBJ=1 becomes NP
	Tree           int                      // svmtk: read only this tree of a line, from 1; 0 means all trees
	Representation string                   // klp: read the tree of this name; "" means the only tree
	ScoreColumn    int                      // nbest: read this score of each candidate; 0 means the first score
	Unparsed       bool                     // dependencies: allow sentences without heads, see index.Tree.Unparsed
	Dependencies   bool                     // jsonl: refuse texts that are not dependency trees
	Normal         func(text string) string // jsonl: applied to decoded text; if nil, the text stays as it is
	MaxText        int                      // refuse samples with more bytes of text; 0 means the constant MaxText

	// Notice, if not nil, is called for each oddity of a good sample, with the line on which the sample
	// starts.
	Notice func(kind Notice, line int, text string)
	// Losses, if not nil, counts the parts of good samples that have no place in a tree.
	Losses *Losses
}

// MaxText is the default limit for a sample, in bytes. The text of a sample stays in memory, because after an
// error it may be read again.
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
	// Comment returns the values of a key that hold for the sample read last, in order. A repeated key has
	// several values.
	Comment(key string) []string
}

// ParseComment splits a comment `# key = value`. If it has no '=', ok is false, and key is the whole comment.
func ParseComment(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(strings.TrimLeft(line, "# \t"), "=")
	return strings.TrimSpace(key), strings.TrimSpace(value), ok
}

// BadSample returns err if only one sample is bad and the reader can continue after it, else nil.
func BadSample(err error) *index.InputError {
	if bad, ok := errors.AsType[*index.InputError](err); ok && !bad.Fatal {
		return bad
	}
	return nil
}

// OptionError says that an option is wrong or missing (exit code 2). A reader returns it if only the input
// shows the mistake.
type OptionError struct{ Option, Msg string }

func (e *OptionError) Error() string        { return "--" + e.Option + ": " + e.Msg }
func (e *OptionError) Is(target error) bool { return target == index.ErrUsage }

// OptionErrorf returns an *OptionError with a formatted message.
func OptionErrorf(option, msg string, args ...any) error {
	return &OptionError{option, fmt.Sprintf(msg, args...)}
}
