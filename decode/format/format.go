// Package format says what a treebank format is, and holds what the readers of
// several formats share. Each format is one folder beside this one; package
// decode keeps the registry.
package format

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"fstore/index"
)

// Format is a treebank format. A reader is a function of a stream: it keeps one
// sample in memory, interns as it reads, and leaves nothing of a refused sample
// in the symbols.
type Format struct {
	Name string
	Kind index.Kind
	// OneAlphabet says that its words are labels, see index.Tree.
	OneAlphabet bool
	// NumericLabel says whether a label can be written; nil: any can.
	NumericLabel func(label string) bool
	// NoLabel is what Append writes for no label; "" where the format has no labels at all.
	NoLabel string
	// Sniff says how sure it is, 0 (no) to 100, that the text is in this format.
	// file is the name without a compression suffix, "" for standard input; head
	// is the first bytes without a byte order mark and blank lines before all else: at
	// least the first line that is neither blank nor starts with '#', unless that is
	// megabytes away.
	Sniff func(file string, head []byte) int
	// Open returns the samples of r. An error of r that is not io.EOF is returned
	// by Next as it is; the reader adds *index.InputError for what it finds.
	Open func(r io.Reader, o Options) index.Source
	// Append appends one sample as text, line end included. It is nil where the
	// format is only read.
	Append func(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error)
	// NoSpaces says that the fields of a token may have no spaces.
	NoSpaces bool
	// Losses says what Append changes of a sample, or leaves out; nil: nothing.
	Losses func(t *index.Tree, s *index.Symbols) Losses
}

// Options are what readers are told. The zero value with Symbols set is usable.
type Options struct {
	File           string                   // for messages
	Base           string                   // of File, without its directories: documents and lists without a name have it
	Symbols        *index.Symbols           // interned into
	StripTraces    bool                     // ptb: leave empty elements out
	StripFunctions bool                     // ptb: NP-SBJ=1 becomes NP
	Tree           int                      // svmtk: only the n-th tree of a line, from 1; 0 is all
	Representation string                   // klp: the tree of a line, by name; "" is the only one
	ScoreColumn    int                      // nbest: which of a candidate's scores, from 1; 0 is the first
	Unparsed       bool                     // dependencies: a sentence may have no heads at all, see index.Tree.Unparsed
	Dependencies   bool                     // jsonl: texts of other trees are refused
	Normal         func(text string) string // jsonl: what becomes of decoded text; nil: nothing
	MaxText        int                      // bytes of one sample's text, above which it is refused; 0 is MaxText

	// Notice is told what is odd about a good sample, which starts on a line; nil: nobody is.
	Notice func(kind Notice, line int, text string)
	// Losses counts what is left out of good samples because a tree has no place for it; nil:
	// nobody counts.
	Losses *Losses
}

// MaxText is the largest sample: so much text is kept to go back in after an error.
const MaxText = 256 << 20

// Limit is the largest sample that o allows, in bytes of text.
func (o *Options) Limit() int {
	if o.MaxText > 0 {
		return o.MaxText
	}
	return MaxText
}

// Commenter is a Source whose samples come with comments of the form
// `# key = value`, some of which hold for several samples.
type Commenter interface {
	// Comment returns the values that hold for the sample read last, in order: one, unless
	// a key is repeated; none where no comment has the key.
	Comment(key string) []string
}

// ParseComment splits a comment `# key = value`; without '=', which ok says, it is all key.
func ParseComment(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(strings.TrimLeft(line, "# \t"), "=")
	return strings.TrimSpace(key), strings.TrimSpace(value), ok
}

// BadSample returns the error of one bad sample, after which its source goes on; nil if err is any other
// error.
func BadSample(err error) *index.InputError {
	if bad, ok := errors.AsType[*index.InputError](err); ok && !bad.Fatal {
		return bad
	}
	return nil
}

// OptionError is a wrong option, or one that is missing: wrong usage, exit code 2. A
// reader returns one where only the input shows that.
type OptionError struct{ Option, Msg string }

func (e *OptionError) Error() string        { return "--" + e.Option + ": " + e.Msg }
func (e *OptionError) Is(target error) bool { return target == index.ErrUsage }

// OptionErrorf returns an *OptionError.
func OptionErrorf(option, msg string, args ...any) error {
	return &OptionError{option, fmt.Sprintf(msg, args...)}
}
