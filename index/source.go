package index

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Source is a stream of samples. Next refills t, and returns io.EOF after the last sample. After an
// *InputError, which is for one bad sample, the stream goes on. Any other error ends the stream.
type Source interface{ Next(t *Tree) error }

// Placed is implemented by sources that know the input of the last sample, and its number there, from 1.
type Placed interface {
	Where() (input string, sentence int)
}

// Ahead is implemented by sources from which another goroutine may read trees before the user asks for them.
type Ahead interface {
	// Ahead says whether a tree stays unchanged while the source reads further samples into other trees.
	Ahead() bool
}

// Needs says what the users of a source need of its samples.
type Needs struct {
	NoHeads bool     // heads are not needed: sentences without heads will do (Tree.Unparsed)
	Misc    []string // the values of these keys of MISC: Tree.Misc
	Columns []string // these columns of dependency trees, as in ColumnReading
}

// Headless is implemented by spaces that read words and their tags, and no heads.
type Headless interface{ Headless() }

// MiscReading is implemented by spaces that read values of keys of MISC.
type MiscReading interface{ MiscKeys() []string }

// ColumnReading is implemented by spaces that read columns of dependency trees: form, lemma, upos,
// xpos, feats, rel, deps.
type ColumnReading interface{ Columns() []string }

// ErrUnparsed says that a sentence has no heads, although its heads are needed.
var ErrUnparsed = errors.New("the words have no heads: expected a parsed sentence")

// Tell tells src what the spaces need of its samples. It does nothing if src has no method Need.
func Tell(src any, spaces ...Space) {
	s, ok := src.(interface{ Need(n Needs) })
	if !ok || len(spaces) == 0 {
		return
	}
	n := Needs{NoHeads: true}
	for _, space := range spaces {
		if _, ok := space.(Headless); !ok {
			n.NoHeads = false
		}
		if c, ok := space.(ColumnReading); ok {
			n.Columns = append(n.Columns, c.Columns()...)
		}
		m, ok := space.(MiscReading)
		if !ok {
			continue
		}
		for _, key := range m.MiscKeys() {
			if !slices.Contains(n.Misc, key) {
				n.Misc = append(n.Misc, key)
			}
		}
	}
	s.Need(n)
}

// KnowLabels tells src some labels. If src then reads another spelling of one of these, such as +1 for 1, it
// returns the known label.
func KnowLabels(src Source, labels []string) {
	if s, ok := src.(interface{ KnowLabels(labels []string) }); ok {
		s.KnowLabels(labels)
	}
}

// FindLabel returns the label with this text, or else one with the same number (see SameLabel).
func FindLabel(label string, labels []string) (found string, ok bool) {
	if slices.Contains(labels, label) {
		return label, true
	}
	for _, found := range labels {
		if SameLabel(found, label) {
			return found, true
		}
	}
	return "", false
}

// SameLabel says whether two labels are the same text, or the same number as +1 and 1 are.
func SameLabel(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// SplitLabels calls f for each of the labels that are joined by commas.
func SplitLabels(joined string, f func(label string)) {
	for label := range strings.SplitSeq(joined, ",") {
		if label != "" {
			f(label)
		}
	}
}

// BadSample returns err as an *InputError about t, the last sample of src. If src knows the file and the
// sentence, the result names them.
func BadSample(src Source, t *Tree, err error) *InputError {
	bad := &InputError{File: t.Name, Line: t.Line, Msg: err.Error()}
	if p, ok := src.(Placed); ok {
		bad.File, bad.Sentence = p.Where()
	}
	return bad
}
