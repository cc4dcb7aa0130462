package store

import (
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
}

func (c *sampleCounter) add(t *index.Tree) {
	c.lists.add(t)
	if !t.SameSentence(c.group, c.doc) {
		c.sentences++
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

func (c *sampleCounter) documents() uint32 { return uint32(len(c.docs)) }

// Lists counts what there is in K-best lists.
type Lists struct {
	Candidates uint64
	GoldFound  uint64 // sentences of which a candidate is the gold tree
	GoldAdded  uint64 // sentences to which it was added: a sample that is no candidate
}

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
