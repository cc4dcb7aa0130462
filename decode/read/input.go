package read

import (
	"io"
	"os"
	"strconv"
	"time"

	"fstore/decode/format"
	"fstore/index"
)

// input is the file being read.
type input struct {
	name     string // in messages
	base     string // in names
	file     *os.File
	pre      *prefetch
	source   index.Source
	comments format.Commenter
	lists    lister // nil: it has no lists
	leaver   leaver // nil: samples have nothing in common
	sentence int
	piece    *Piece            // nil: all of the file
	refused  *index.InputError // the sentence read last, where it was
	record   *Input
	nameBuf  []byte

	number     int    // of the input, from 1
	readerList string // the reader's name of the last sample's K-best list
	ownList    string // ours, which no other input has
}

// next is the number of the sentence that is being read, for messages.
func (c *input) next() int {
	if c.lists != nil {
		return c.lists.InList()
	}
	return c.sentence + 1
}

// numberList puts the number of the input before the name of t's K-best list: those of
// two inputs are different lists, even where they have the same name.
func (c *input) numberList(t *index.Tree) {
	if t.Group == "" {
		return
	}
	if t.Group != c.readerList {
		c.readerList = t.Group
		c.ownList = strconv.Itoa(c.number) + ":" + t.Group
	}
	t.Group = c.ownList
}

// lister is implemented by sources of lists: InList is the number of the list that what
// Next returned last is of.
type lister interface{ InList() int }

// leaver is implemented by sources whose samples say something of those that follow:
// LeaveOut says that what Next returned last is not kept, and the next sample says it.
type leaver interface{ LeaveOut() (lost int) }

// interrupt ends a read of standard input, where that is possible.
func interrupt(r io.Reader, done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
	}
	d, ok := r.(interface{ SetReadDeadline(time.Time) error })
	if !ok || d.SetReadDeadline(time.Unix(1, 0)) != nil {
		select {
		case <-done:
			return true
		case <-time.After(50 * time.Millisecond):
			return false
		}
	}
	<-done
	_ = d.SetReadDeadline(time.Time{})
	return true
}

// Place is where a sample or an error stands.
type Place struct {
	File     string
	sentence int    // of the file, from 1; in an n-best list, that of all its candidates
	own      string // the sample's own name, "" for none
	list     int    // the n-best list it is of, from 1 through all inputs; 0: none
	record   *Input
}

// placed is implemented by sources that know where their last sample stands.
type placed interface {
	Where() (file string, sentence int)
}

// PlaceOf is where t, which src has just given, stands; a stored sample has a name only.
func PlaceOf(src index.Source, t *index.Tree) Place {
	if p, ok := src.(placed); ok {
		file, sentence := p.Where()
		return Place{File: file, sentence: sentence}
	}
	return Place{File: t.Name}
}

// BadTree is the error of a tree that was read, and has no vector.
func BadTree(p Place, line int, err error) *index.InputError {
	return &index.InputError{File: p.File, Line: line, Sentence: p.sentence, Msg: err.Error()}
}
