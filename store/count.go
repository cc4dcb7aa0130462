package store

import (
	"strings"

	"fstore/index"
)

// sampleCounter counts documents and sentences: documents by name, wherever their
// samples are; sentences by the group that candidates share, which follow each
// other.
type sampleCounter struct {
	docs      map[string]struct{}
	doc       string // the last sample's, and its group
	group     string
	sentences uint64
}

func (c *sampleCounter) add(t *index.Tree) {
	if t.Group == "" || t.Group != c.group || t.Document != c.doc {
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
