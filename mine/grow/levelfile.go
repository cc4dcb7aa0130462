package grow

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store/runfile"
)

// orders names orders: "3", "1 to 2".
func orders(from, to int) string {
	if from == to {
		return strconv.Itoa(to)
	}
	return fmt.Sprintf("%d to %d", from, to)
}

// A record is a fragment: its code, a block (runfile.AppendBlock), and its posting list.

func appendRecord(dst []byte, c index.Code, occ Occurrences) []byte {
	return occ.AppendPosting(runfile.AppendBlock(dst, c))
}

// codeOf is the key that records are sorted by.
func codeOf(record []byte) []byte {
	c, _, _ := runfile.CutBlock(record)
	return c
}

// levelFile is the frequent fragments of one order, in code order: their codes in one
// file, which growth follows time and again, and these with the posting lists in
// another. Each is preceded by its length, an uvarint.
type levelFile struct {
	s            *runfile.Dir
	codes, lists string // names
	n            uint64 // fragments
	files        [2]vfs.File
	out          [2]*bufio.Writer
	buf          []byte
}

func createLevel(s *runfile.Dir, order int) (*levelFile, error) {
	f := &levelFile{s: s, codes: fmt.Sprintf("codes-%d", order), lists: fmt.Sprintf("lists-%d", order)}
	for i, name := range []string{f.codes, f.lists} {
		file, err := s.Create(name)
		if err != nil {
			return nil, errors.Join(err, f.close())
		}
		f.files[i], f.out[i] = file, bufio.NewWriterSize(file, 1<<16)
	}
	return f, nil
}

// add writes the next fragment.
func (f *levelFile) add(c index.Code, occ Occurrences) error {
	f.n++
	err := runfile.WriteBlock(f.out[0], c)
	f.buf = appendRecord(f.buf[:0], c, occ)
	return errors.Join(err, runfile.WriteBlock(f.out[1], f.buf))
}

// close ends adding.
func (f *levelFile) close() (err error) {
	for i, file := range f.files {
		if file != nil {
			err = errors.Join(err, f.out[i].Flush(), file.Close())
		}
	}
	return err
}

// levelReader reads one of the files.
type levelReader struct {
	f    vfs.File
	r    *bufio.Reader
	buf  []byte
	code index.Code
	list []byte // where there are lists
	done bool

	lists bool
}

// open opens one of the files of f, by its name.
func (f *levelFile) open(name string) (*levelReader, error) {
	file, err := f.s.Open(name, vfs.SequentialReadsOption)
	if err != nil {
		return nil, err
	}
	// Of a vfs.File, bufio needs Read only.
	return &levelReader{f: file, r: bufio.NewReaderSize(struct{ io.Reader }{file}, 1<<16), lists: name == f.lists}, nil
}

// next reads the next fragment; done is set where there is none.
func (r *levelReader) next() error {
	var err error
	if r.buf, err = runfile.ReadBlock(r.r, r.buf); err == io.EOF {
		r.done = true
		return nil
	}
	if err != nil {
		return err
	}
	if r.code = r.buf; r.lists {
		r.code, r.list, _ = runfile.CutBlock(r.buf)
	}
	return nil
}

func (r *levelReader) close() error { return r.f.Close() }
