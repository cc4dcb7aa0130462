package runfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/zeebo/xxh3"

	"fstore/store/disk"
)

// File is a file that stays where the run is killed, or aborted with store.WriteOptions.Keep, until
// one begins without Resume. It is not synced: a sum, which is kept apart, tells whether it
// is what was written.
type File struct {
	*bufio.Writer // what is written goes here
	d             *Dir
	name          string
	file          vfs.File
	sum           *xxh3.Hasher // of what is written
}

// Kept is a file that an earlier run may have left.
func (d *Dir) Kept(name string) *File { return &File{d: d, name: disk.KeptPrefix + name} }

// CreateKept begins a file, in place of one of that name.
func (d *Dir) CreateKept(name string) (*File, error) {
	f, err := d.CreateFile(disk.KeptPrefix + name)
	if err != nil {
		return nil, err
	}
	f.sum = xxh3.New()
	f.Reset(io.MultiWriter(f.sum, f.file)) // the sum first: a file system may change the bytes
	return f, nil
}

// CreateFile begins a file without a sum, which goes with the run.
func (d *Dir) CreateFile(name string) (*File, error) {
	file, err := d.Create(name)
	if err != nil {
		return nil, err
	}
	return &File{Writer: bufio.NewWriterSize(file, 1<<16), d: d, name: name, file: file}, nil
}

// Finish ends writing.
func (f *File) Finish() error { return errors.Join(f.Flush(), f.file.Close()) }

// Abort ends writing of what is of no use.
func (f *File) Abort() { _ = f.file.Close() }

// Remove removes the file, which need not be there.
func (f *File) Remove() error { return f.d.disk().Remove(f.name) }

// Sum is that of the bytes written, after Finish.
func (f *File) Sum() uint64 { return f.sum.Sum64() }

// Holds says whether the file is there, and what was written.
func (f *File) Holds(sum uint64) bool {
	h := xxh3.New()
	err := f.Read(func(r *bufio.Reader) error {
		_, err := io.Copy(h, r)
		return err
	})
	return err == nil && h.Sum64() == sum
}

// WriteBlock writes what ReadBlock reads.
func WriteBlock(w *bufio.Writer, b []byte) error {
	_, _ = w.Write(binary.AppendUvarint(w.AvailableBuffer(), uint64(len(b)))) // w keeps its first error
	_, err := w.Write(b)
	return err
}

// ReadBlock reads bytes after their length, an uvarint, into buf, which grows no faster than
// there are bytes: of a stranger's file, a length is no reason to take memory.
func ReadBlock[B ~[]byte](r *bufio.Reader, buf B) (B, error) {
	n, err := binary.ReadUvarint(r)
	for buf = buf[:0]; err == nil && n > 0; {
		from, step := len(buf), int(min(n, readStep))
		buf = slices.Grow(buf, step)[:from+step]
		if _, err = io.ReadFull(r, buf[from:]); err == io.EOF { // not the end, which comes before a length
			err = io.ErrUnexpectedEOF
		}
		n -= uint64(step)
	}
	return buf, err
}

// AppendBlock appends what ReadBlock reads.
func AppendBlock(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// CutBlock returns the first block of b, and the rest; ok is false where b holds no whole one.
func CutBlock(b []byte) (block, rest []byte, ok bool) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n > uint64(len(b)-k) {
		return nil, nil, false
	}
	return b[k : k+int(n)], b[k+int(n):], true
}

// readStep is how far ReadBlock trusts a length.
const readStep = 64 << 10

// Read opens the file for g.
func (f *File) Read(g func(*bufio.Reader) error) error {
	file, err := f.d.Open(f.name, vfs.SequentialReadsOption)
	if err != nil {
		return err
	}
	return errors.Join(g(reader(file, 1<<16)), file.Close())
}

// A state of a run is in a file that stays as those of Kept do, summed. What is read must say
// whose state it is.

// versioned is a state as it is in its file.
type versioned[T any] struct {
	Version int
	State   T
}

// ReadState reads a state of a run: disk.ErrNotFound where there is none of this version, or it is
// damaged. It may be called from any goroutine.
func ReadState[T any](d *Dir, number uint32, version int) (state T, err error) {
	b, err := d.disk().ReadSummed(stateName(number))
	if err != nil {
		return state, err
	}
	var v versioned[T]
	if disk.Unmarshal(b, &v) != nil || v.Version != version {
		return state, disk.ErrNotFound
	}
	return v.State, nil
}

// PutState replaces a state of a run as a whole and for good. Killed meanwhile, there is the old
// state. It may be called from any goroutine, for one number from one at a time.
func PutState[T any](d *Dir, number uint32, version int, state T) error {
	b, err := msgpack.Marshal(&versioned[T]{version, state})
	if err != nil {
		return err
	}
	return d.disk().ReplaceSummed(stateName(number), b)
}

func stateName(number uint32) string { return fmt.Sprintf("%sstate-%d", disk.KeptPrefix, number) }

// SaveEvery is how long a run goes on before it saves its state.
const SaveEvery = 10 * time.Second
