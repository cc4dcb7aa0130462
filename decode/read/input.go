package read

import (
	"io"
	"os"
	"strconv"
	"time"

	"fstore/decode/format"
	"fstore/index"
)

// input is the file that is being read.
type input struct {
	name     string // name of the file in messages
	base     string // name of the file in names of samples
	file     *os.File
	pre      *prefetch
	source   index.Source
	comments format.Commenter
	lists    lister // nil if the reader has no lists
	leaver   leaver // nil if no comment holds for several samples
	sentence int
	piece    *Piece            // the piece to read; nil means the whole file
	refused  *index.InputError // the error about the last sentence; nil if the sentence was good
	record   *Input
	nameBuf  []byte

	number     int    // number of the file among the inputs, from 1
	readerList string // name of the last sample's K-best list, as the reader gave it
	ownList    string // our name of that list, which no other input has
}

// next returns the number of the sentence or K-best list that is being read.
func (c *input) next() int {
	if c.lists != nil {
		return c.lists.InList()
	}
	return c.sentence + 1
}

// numberList puts the input's number before the list name of t, so that lists of different inputs differ.
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

// lister is a source of lists. InList returns the index, from 1, of the list read last.
type lister interface{ InList() int }

// leaver is a source in which a comment can hold for several samples. LeaveOut leaves out the last sample,
// and returns how many of its comments are lost.
type leaver interface{ LeaveOut() (lost int) }

// interrupt ends a read of standard input. It returns false if the read cannot be ended.
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

// Place tells where in the inputs a sample or an error is.
type Place struct {
	File     string
	sentence int    // number in the file, from 1; all candidates of an n-best list have the list's number
	own      string // the sample's own name; "" if it has none
	list     int    // number of the n-best list, from 1 through all inputs; 0 if there is no list
	record   *Input
}

// PlaceOf returns the place of t, the last sample of src. The place of a stored sample has only the sample's
// name.
func PlaceOf(src index.Source, t *index.Tree) Place {
	if p, ok := src.(index.Placed); ok {
		file, sentence := p.Where()
		return Place{File: file, sentence: sentence}
	}
	return Place{File: t.Name}
}

// BadTree returns an error about a tree that was read but cannot be used.
func BadTree(p Place, line int, err error) *index.InputError {
	return &index.InputError{File: p.File, Line: line, Sentence: p.sentence, Msg: err.Error()}
}
