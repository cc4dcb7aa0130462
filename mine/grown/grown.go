// Package grown counts the fragments of a range while they are grown. It counts fragments and templates by
// order, computes the hash of the vocabulary, and builds the range's part of the expansion index. A build
// counts the fragments that it loads. A task of a build in many tasks writes the counts to its file. The
// package imports vocabulary and template.
package grown

import (
	"fmt"
	"io"

	"github.com/vmihailenco/msgpack/v5"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/mine/template"
	"fstore/mine/vocabulary"
	"fstore/store/disk"
)

// Range has the counts of the fragments of one range.
type Range struct {
	Part    expansion.Part
	ByOrder []uint64 // number of fragments; index 0 is unused
	Vocab   vocabulary.Hash
	Size    uint64 // sum of SizeOf over all fragments
}

// SizeOf returns how much a fragment of this order counts when the number of fragments is bounded. Long
// fragments count more, since they take more time and memory.
func SizeOf(order int) uint64 { return 1 + uint64(order)/longOrder }

// longOrder is the lowest order at which SizeOf counts a fragment as two.
const longOrder = 32

// Counter counts the fragments that are added, and keeps the counts in its Range. It is for one goroutine.
type Counter struct {
	Range
	trie      *expansion.Builder
	templates *template.Templates
	kinds     *template.Counter
}

// NewCounter returns a counter for a space's fragments. It writes blocks of the expansion index to w, and
// adds templates to t. For sharedStep, see expansion.Builder.Shared.
func NewCounter(w io.Writer, space index.Space, syms *index.Symbols, t *template.Templates, sharedStep bool) *Counter {
	c := &Counter{trie: expansion.NewBuilderOf(w, space, syms), templates: t, kinds: t.Counter()}
	c.trie.Shared = sharedStep
	return c
}

// Add counts a fragment. Fragments must come in code order.
func (c *Counter) Add(code index.Code, order int) error {
	c.Size += SizeOf(order)
	for order >= len(c.ByOrder) {
		c.ByOrder = append(c.ByOrder, 0)
	}
	c.ByOrder[order]++
	c.kinds.Add(code, order)
	c.Vocab.Add(code)
	return c.trie.Add(code)
}

// Finish completes the Range. It is called after the last Add.
func (c *Counter) Finish() (err error) {
	c.Part, err = c.trie.Finish()
	c.templates.Release(c.kinds)
	return err
}

// written is a Range in the form in which it is encoded.
type written struct {
	Part    []byte
	ByOrder []uint64
	Vocab   []byte
	Size    uint64
}

// Marshal encodes a range.
func (r *Range) Marshal() ([]byte, error) {
	return msgpack.Marshal(&written{r.Part.Append(nil), r.ByOrder, r.Vocab.Append(nil), r.Size})
}

// Unmarshal decodes b, which Marshal has encoded from a Range of this space.
func Unmarshal(b []byte, space index.Space, syms *index.Symbols) (r Range, err error) {
	var w written
	if err = disk.Unmarshal(b, &w); err != nil {
		return r, fmt.Errorf("range of space %s: %w", space.ID(), err)
	}
	r.ByOrder, r.Size = w.ByOrder, w.Size
	if r.Part, err = expansion.ReadPart(w.Part, expansion.WidthOf(space, syms)); err == nil {
		r.Vocab, err = vocabulary.ReadHash(w.Vocab)
	}
	return r, err
}
