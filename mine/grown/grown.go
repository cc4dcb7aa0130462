// Package grown counts the fragments of a range as they are grown: by order, their templates,
// the hash of the vocabulary, and their part of the expansion index. A build counts so what it
// loads into its store; a task of a build in many writes the counts down beside the fragments.
// It imports vocabulary and template.
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

// Range is what is known of the fragments of a range.
type Range struct {
	Part    expansion.Part
	ByOrder []uint64 // fragments; index 0 is unused
	Vocab   vocabulary.Hash
	Size    uint64 // fragments, as SizeOf counts them
}

// SizeOf is how many fragments one of some order is in a bound on their number: of a tree that is
// a long chain nearly all fragments are long, and take time and memory as they are long.
func SizeOf(order int) uint64 { return 1 + uint64(order)/longOrder }

// longOrder is the order at which a fragment counts twice.
const longOrder = 32

// Counter makes a Range. It is for one goroutine.
type Counter struct {
	Range
	trie      *expansion.Builder
	templates *template.Templates
	kinds     *template.Counter
}

// NewCounter returns a counter of a space's fragments. Blocks of the expansion index go to w, and
// templates to t. shared is expansion.Builder.Shared.
func NewCounter(w io.Writer, space index.Space, syms *index.Symbols, t *template.Templates, shared bool) *Counter {
	c := &Counter{trie: expansion.NewBuilderOf(w, space, syms), templates: t, kinds: t.Counter()}
	c.trie.Shared = shared
	return c
}

// Add counts a fragment. They come in code order.
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

// Finish ends adding.
func (c *Counter) Finish() (err error) {
	c.Part, err = c.trie.Finish()
	c.templates.Release(c.kinds)
	return err
}

// written is a Range on its own.
type written struct {
	Part    []byte
	ByOrder []uint64
	Vocab   []byte
	Size    uint64
}

// Marshal returns the bytes of a range.
func (r *Range) Marshal() ([]byte, error) {
	return msgpack.Marshal(&written{r.Part.Append(nil), r.ByOrder, r.Vocab.Append(nil), r.Size})
}

// Unmarshal reads what Marshal wrote of a space's range.
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
