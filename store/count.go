package store

import (
	"strconv"
	"strings"

	"fstore/index"
)

// sampleCounter counts documents and sentences: documents by name, wherever their
// samples are; sentences by the group that candidates share, which follow each
// other; and what there is in K-best lists.
type sampleCounter struct {
	docs      map[string]struct{}
	doc       string // the last sample's, and its group
	group     string
	sentences uint64
	lists     Lists
	name      string // of the list that the last sample is of, see list
}

func (c *sampleCounter) add(t *index.Tree) {
	c.lists.add(t)
	if !t.SameSentence(c.group, c.doc) {
		c.sentences++
		c.name = ""
	}
	if t.Document != c.doc {
		c.doc = strings.Clone(t.Document)
		if c.docs == nil {
			c.docs = map[string]struct{}{}
		}
		if c.doc != "" {
			c.docs[c.doc] = struct{}{}
		}
	}
	if t.Group != c.group {
		c.group = strings.Clone(t.Group)
	}
}

// endList says that the next sample is of another list than the last, whatever it is
// called there: it comes from another run.
func (c *sampleCounter) endList() { c.group = "" }

// list is what the list of the sample added last is called in the store, "" for none: the
// number of its sentence, which no other list has.
func (c *sampleCounter) list(t *index.Tree) string {
	if t.Group == "" {
		return ""
	}
	if c.name == "" {
		c.name = strconv.FormatUint(c.sentences, 10)
	}
	return c.name
}

func (c *sampleCounter) documents() uint32 { return uint32(len(c.docs)) }

// Lists counts what there is in K-best lists.
type Lists struct {
	Candidates uint64
	GoldFound  uint64 // sentences of which a candidate is the gold tree
	GoldAdded  uint64 // sentences to which it was added: a sample that is no candidate
}

// Gold is the number of sentences with a gold tree.
func (l *Lists) Gold() uint64 { return l.GoldFound + l.GoldAdded }

func (l *Lists) add(t *index.Tree) {
	switch {
	case t.Gold == index.GoldAdded:
		l.GoldAdded++
		return
	case t.Gold == index.GoldFound:
		l.GoldFound++
	}
	if t.Group != "" {
		l.Candidates++
	}
}
