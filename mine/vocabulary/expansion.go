package vocabulary

import (
	"bufio"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/store"
)

// ExpansionWriter writes the expansion index of codes that come one after another, and hashes
// them. Its blocks wait in a scratch file, as what goes before them is known at the end.
type ExpansionWriter struct {
	Vocab Hash
	w     *store.Writer
	file  vfs.File
	buf   *bufio.Writer
	trie  *expansion.Builder
}

// expansionBlocks is the scratch file: there is one expansionWriter at a time.
const expansionBlocks = "blocks"

// NewExpansionWriter begins the expansion index of a selection that w writes.
func NewExpansionWriter(w *store.Writer, space index.Space) (*ExpansionWriter, error) {
	f, err := w.Scratch().Create(expansionBlocks)
	if err != nil {
		return nil, err
	}
	x := &ExpansionWriter{w: w, file: f, buf: bufio.NewWriterSize(f, 1<<16)}
	x.trie = expansion.NewBuilderOf(x.buf, space, w.Symbols())
	return x, nil
}

// Add adds a code; codes ascend.
func (x *ExpansionWriter) Add(c index.Code) error {
	x.Vocab.Add(c)
	return x.trie.Add(c)
}

// Finish writes the file, and returns its name.
func (x *ExpansionWriter) Finish() (name string, err error) {
	part, err := x.trie.Finish()
	if err := errors.Join(err, x.buf.Flush(), x.file.Close()); err != nil {
		return "", err
	}
	blocks, err := x.w.Scratch().Open(expansionBlocks, vfs.SequentialReadsOption)
	if err != nil {
		return "", err
	}
	f, err := x.w.CreateExpansion()
	if err != nil {
		return "", errors.Join(err, blocks.Close())
	}
	err = expansion.Join(f, []expansion.Part{part}, []io.Reader{blocks})
	return f.Name(), errors.Join(err, f.Close(), blocks.Close())
}

// Abort closes what is open.
func (x *ExpansionWriter) Abort() { _ = x.file.Close() }
