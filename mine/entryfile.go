package mine

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/store"
)

// entryFile holds the entries of one range, grown by a worker of its own, until those
// of the ranges before are written: each is an uvarint length of the code, the code, and
// the score, the weight and the statistics in eight bytes each.
type entryFile struct {
	w       *store.Writer
	name    string
	columns int // statistics
	n       uint64
	file    vfs.File
	sum     *xxh3.Hasher // of what is written
	out     *bufio.Writer
	buf     []byte
}

func createEntries(w *store.Writer, name string, columns int) (*entryFile, error) {
	file, err := w.CreateKept(name)
	if err != nil {
		return nil, err
	}
	f := &entryFile{w: w, name: name, columns: columns, file: file, sum: xxh3.New()}
	f.out = bufio.NewWriterSize(io.MultiWriter(f.sum, file), 1<<16) // the sum first: a file system may change the bytes
	return f, nil
}

// holds says whether the file is there, and what was written.
func (f *entryFile) holds(sum uint64) bool {
	file, err := f.w.OpenKept(f.name)
	if err != nil {
		return false
	}
	h := xxh3.New()
	_, err = io.Copy(h, struct{ io.Reader }{file})
	return errors.Join(err, file.Close()) == nil && h.Sum64() == sum
}

// put adds an entry; codes ascend.
func (f *entryFile) put(e *store.Entry) error {
	f.n++
	b := append(binary.AppendUvarint(f.buf[:0], uint64(len(e.Code))), e.Code...)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(e.Score))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(e.Weight))
	for _, x := range e.Stats {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	f.buf = b
	_, err := f.out.Write(b)
	return err
}

// finish ends writing.
func (f *entryFile) finish() error { return errors.Join(f.out.Flush(), f.file.Close()) }

// abort ends writing of what is of no use.
func (f *entryFile) abort() { _ = f.file.Close() }

// each calls g for the entries, with one that is refilled, and closes the file.
func (f *entryFile) each(g func(*store.Entry) error) error {
	file, err := f.w.OpenKept(f.name)
	if err != nil {
		return err
	}
	// Of a vfs.File, bufio needs Read only.
	r := bufio.NewReaderSize(struct{ io.Reader }{file}, 1<<16)
	var e store.Entry
	numbers := make([]byte, 8*(2+f.columns))
	for range f.n {
		if err = f.next(r, &e, numbers); err == nil {
			err = g(&e)
		}
		if err != nil {
			break
		}
	}
	return errors.Join(err, file.Close())
}

func (f *entryFile) next(r *bufio.Reader, e *store.Entry, numbers []byte) error {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return err
	}
	e.Code = append(e.Code[:0], make(index.Code, n)...)
	if _, err := io.ReadFull(r, e.Code); err != nil {
		return err
	}
	if _, err := io.ReadFull(r, numbers); err != nil {
		return err
	}
	number := func(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(numbers[8*i:])) }
	e.Score, e.Weight, e.Stats = number(0), number(1), e.Stats[:0]
	for i := range f.columns {
		e.Stats = append(e.Stats, number(2+i))
	}
	return nil
}
