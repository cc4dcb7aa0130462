package vocabulary

import (
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/store"
	"fstore/store/runfile"
)

// ExpansionWriter writes the expansion index of ascending codes, and hashes the codes. Only one
// ExpansionWriter may be in use, because all have the same scratch file.
type ExpansionWriter struct {
	Vocab Hash
	w     *store.Writer
	file  *runfile.File
	trie  *expansion.Builder
}

// expansionBlocks is the name of the scratch file of every ExpansionWriter. So only one may be in use.
const expansionBlocks = "blocks"

// NewExpansionWriter begins the expansion index of a selection that w writes.
func NewExpansionWriter(w *store.Writer, space index.Space) (*ExpansionWriter, error) {
	f, err := w.Scratch().CreateFile(expansionBlocks)
	if err != nil {
		return nil, err
	}
	return &ExpansionWriter{w: w, file: f, trie: expansion.NewBuilderOf(f.Writer, space, w.Symbols())}, nil
}

// Add adds a code. Codes must ascend.
func (x *ExpansionWriter) Add(c index.Code) error {
	x.Vocab.Add(c)
	return x.trie.Add(c)
}

// Finish writes the file of the expansion index, and returns its name.
func (x *ExpansionWriter) Finish() (name string, err error) {
	part, err := x.trie.Finish()
	if err := errors.Join(err, x.file.Finish()); err != nil {
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

// Abort ends the writing without a file.
func (x *ExpansionWriter) Abort() { x.file.Abort() }
