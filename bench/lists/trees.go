package lists

import (
	"bufio"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"

	"fstore/decode/format/conllu"
	"fstore/index"
)

// TreeWriter is a file of trees in CoNLL-U that is being written.
type TreeWriter struct {
	file *os.File
	zip  *gzip.Writer // nil: not compressed
	w    *bufio.Writer
	text []byte
}

// CreateTrees creates a file, or empties it. It is compressed where its name ends in ".gz".
func CreateTrees(path string) (*TreeWriter, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	t := &TreeWriter{file: f, w: bufio.NewWriter(f)}
	if filepath.Ext(path) == ".gz" {
		t.zip, _ = gzip.NewWriterLevel(f, gzip.BestSpeed)
		t.w = bufio.NewWriter(t.zip)
	}
	return t, nil
}

// Add writes a tree over syms.
func (f *TreeWriter) Add(t *index.Tree, syms *index.Symbols) (err error) {
	if f.text, err = conllu.Append(f.text[:0], t, syms); err != nil {
		return err
	}
	_, err = f.w.Write(f.text)
	return err
}

// Write writes text of trees.
func (f *TreeWriter) Write(text []byte) (int, error) { return f.w.Write(text) }

// Close ends and closes the file.
func (f *TreeWriter) Close() error {
	err := f.w.Flush()
	if f.zip != nil {
		err = errors.Join(err, f.zip.Close())
	}
	return errors.Join(err, f.file.Close())
}
