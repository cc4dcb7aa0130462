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

// File is a temporary file of a run, which is deleted when the run ends. A kept file stays if the run is
// killed, or aborted with store.WriteOptions.Keep. Because files are not synced, the caller saves the
// checksum of a kept file.
type File struct {
	*bufio.Writer // for writing
	d             *Dir
	name          string
	file          vfs.File
	sum           *xxh3.Hasher // checksum of the written bytes
}

// Kept returns a kept file that an earlier run may have left. Use Holds to see whether it did.
func (d *Dir) Kept(name string) *File { return &File{d: d, name: disk.KeptPrefix + name} }

// CreateKept creates a kept file. It replaces an older file with the same name.
func (d *Dir) CreateKept(name string) (*File, error) {
	f, err := d.CreateFile(disk.KeptPrefix + name)
	if err != nil {
		return nil, err
	}
	f.sum = xxh3.New()
	f.Reset(io.MultiWriter(f.sum, f.file)) // the hash first: a file system may change the bytes
	return f, nil
}

// CreateFile creates a file that is deleted when the run ends. It has no checksum.
func (d *Dir) CreateFile(name string) (*File, error) {
	file, err := d.Create(name)
	if err != nil {
		return nil, err
	}
	return &File{Writer: bufio.NewWriterSize(file, 1<<16), d: d, name: name, file: file}, nil
}

// Finish flushes and closes the file.
func (f *File) Finish() error { return errors.Join(f.Flush(), f.file.Close()) }

// Abort closes a file that is not needed any more.
func (f *File) Abort() { _ = f.file.Close() }

// Remove removes the file. It is no error if the file is missing.
func (f *File) Remove() error { return f.d.disk().Remove(f.name) }

// Sum returns the checksum of the written bytes of a kept file. Call it after Finish.
func (f *File) Sum() uint64 { return f.sum.Sum64() }

// Holds says whether the file exists and has this checksum.
func (f *File) Holds(sum uint64) bool {
	h := xxh3.New()
	err := f.Read(func(r *bufio.Reader) error {
		_, err := io.Copy(h, r)
		return err
	})
	return err == nil && h.Sum64() == sum
}

// WriteBlock writes a block: the length of b as an uvarint, then b. A later w.Flush repeats any error.
func WriteBlock(w *bufio.Writer, b []byte) error {
	_, _ = w.Write(binary.AppendUvarint(w.AvailableBuffer(), uint64(len(b)))) // w keeps its first error
	_, err := w.Write(b)
	return err
}

// ReadBlock reads a block: a length as an uvarint, then that many bytes. It reuses buf, and returns io.EOF if
// there is no further block. buf grows only as bytes arrive, since the length may be wrong.
func ReadBlock[B ~[]byte](r *bufio.Reader, buf B) (B, error) {
	n, err := binary.ReadUvarint(r)
	for buf = buf[:0]; err == nil && n > 0; {
		from, step := len(buf), int(min(n, readStep))
		buf = slices.Grow(buf, step)[:from+step]
		if _, err = io.ReadFull(r, buf[from:]); err == io.EOF { // io.EOF means the end only before a length
			err = io.ErrUnexpectedEOF
		}
		n -= uint64(step)
	}
	return buf, err
}

// AppendBlock appends a block: the length of b as an uvarint, then b.
func AppendBlock(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// CutBlock splits b into the bytes of its first block and all bytes after the block. It returns false if b
// does not begin with a whole block.
func CutBlock(b []byte) (block, rest []byte, ok bool) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n > uint64(len(b)-k) {
		return nil, nil, false
	}
	return b[k : k+int(n)], b[k+int(n):], true
}

// readStep is how many bytes ReadBlock allocates at a time.
const readStep = 64 << 10

// Read opens the file, calls g with a reader of it, and closes it.
func (f *File) Read(g func(*bufio.Reader) error) error {
	file, err := f.d.Open(f.name, vfs.SequentialReadsOption)
	if err != nil {
		return err
	}
	return errors.Join(g(reader(file, 1<<16)), file.Close())
}

// The state of a run is in a kept file with a checksum. The state itself must say to which run it belongs.

type versioned[T any] struct {
	Version int
	State   T
}

// ReadState reads the run's saved state with this number. If the state is missing, damaged or of another
// version, the error is disk.ErrNotFound. Any goroutine may call it.
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

// PutState saves the run's state under a number, and syncs it. If the process is killed, the old state stays.
// Several goroutines may call PutState at the same time, for different numbers.
func PutState[T any](d *Dir, number uint32, version int, state T) error {
	b, err := msgpack.Marshal(&versioned[T]{version, state})
	if err != nil {
		return err
	}
	return d.disk().ReplaceSummed(stateName(number), b)
}

func stateName(number uint32) string { return fmt.Sprintf("%sstate-%d", disk.KeptPrefix, number) }

// SaveEvery is the least time between two saves of a run's state.
const SaveEvery = 10 * time.Second
