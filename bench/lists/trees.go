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

// TreeWriter writes trees to a CoNLL-U file.
type TreeWriter struct {
	file *os.File
	zip  *gzip.Writer // nil: not compressed
	w    *bufio.Writer
	text []byte
}

// CreateTrees creates or empties a file. A file whose name ends in ".gz" is compressed.
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

// Add writes a tree whose symbols are in syms.
func (f *TreeWriter) Add(t *index.Tree, syms *index.Symbols) (err error) {
	if f.text, err = conllu.Append(f.text[:0], t, syms); err != nil {
		return err
	}
	_, err = f.w.Write(f.text)
	return err
}

// Write writes CoNLL-U text as it is.
func (f *TreeWriter) Write(text []byte) (int, error) { return f.w.Write(text) }

// Close flushes and closes the file.
func (f *TreeWriter) Close() error {
	err := f.w.Flush()
	if f.zip != nil {
		err = errors.Join(err, f.zip.Close())
	}
	return errors.Join(err, f.file.Close())
}
