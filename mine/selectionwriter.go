package mine

import (
	"bufio"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/store"
)

// selectionWriter writes a selection: its entries, its expansion index and its
// vocabulary hash.
type selectionWriter struct {
	w     *store.Writer
	space index.Space
	sel   *store.SelectionWriter
	file  vfs.File // blocks of the expansion index
	buf   *bufio.Writer
	trie  *expansion.Builder
	vocab vocabulary
}

// selectionBlocks is the scratch file with the blocks of the expansion index.
const selectionBlocks = "selection"

// newSelectionWriter begins the selection that info describes. What it leaves when it
// is neither finished nor closed goes with the writer.
func newSelectionWriter(w *store.Writer, space index.Space, info store.SelectionInfo) (*selectionWriter, error) {
	s := &selectionWriter{w: w, space: space}
	var err error
	if s.file, err = w.CreateScratch(selectionBlocks); err != nil {
		return nil, err
	}
	if s.sel, err = w.Select(info); err != nil {
		return nil, errors.Join(err, s.file.Close())
	}
	s.buf = bufio.NewWriterSize(s.file, 1<<16)
	s.trie = newTrie(s.buf, space, w.Symbols())
	return s, nil
}

// put adds an entry; codes ascend.
func (s *selectionWriter) put(e *store.Entry) error {
	s.vocab.add(e.Code)
	if err := s.trie.Add(e.Code); err != nil {
		return err
	}
	return s.sel.Put(e)
}

// finish puts the selection into the pending meta.
func (s *selectionWriter) finish() error {
	part, err := s.trie.Finish()
	if err := errors.Join(err, s.buf.Flush(), s.file.Close()); err != nil {
		return err
	}
	blocks, err := s.w.OpenScratch(selectionBlocks)
	if err != nil {
		return err
	}
	// The spaces that this run indexes take the numbers from 0, and it indexes none.
	f, err := s.w.CreateExpansion(0)
	if err != nil {
		return errors.Join(err, blocks.Close())
	}
	err = expansion.Join(f, []expansion.Part{part}, []io.Reader{blocks})
	if err := errors.Join(err, f.Close(), blocks.Close()); err != nil {
		return err
	}
	info := s.sel.Info()
	info.Expansion, info.VocabularyHash = f.Name(), s.vocab.hash(s.space, s.w.Symbols())
	return s.sel.Close()
}

// abort closes what is open.
func (s *selectionWriter) abort() { _ = s.file.Close() }
