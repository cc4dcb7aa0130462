package expansion

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"unsafe"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"
)

// The layout of the file. All numbers are little-endian.
//
//	magic      16 bytes
//	records    16 bytes each: the blocks of the parts, then a block of the first steps with
//	           an Off other than 0, then the first steps with Off 0, ascending. A block of
//	           leaves ends with zeros that fill its last record.
//	directory  24 bytes each
//	footer     footerSize bytes: numbers of records, directory entries, features and first
//	           steps with Off 0; a record that has the block of the other first steps; a
//	           checksum of all before the footer; a checksum of the footer
//
// The offset of each record is a multiple of its size, so the program reads records without copying them.
const (
	magicName  = "fstore-expand\x00\x00"
	version    = "\x04"
	magic      = magicName + version
	footerSize = 4*8 + recordSize + 8 + 8
)

// ErrDamaged says that a file is not an expansion index, or was changed after it was written.
var ErrDamaged = errors.New("damaged expansion index")

// Index is an open expansion index. It is read-only, so goroutines can share it.
type Index struct {
	records   []Record
	words     []uint32 // the bytes of records, as words
	firsts    []Record // the end of records: the first steps with Off 0
	later     Record   // a record whose block has the first steps with other Offs
	directory []directory
	features  uint32
	sum       uint64
	data      []byte
	file      *Mapped      // nil if there is no file
	check     func() error // what Verify returns, computed once
	checking  sync.WaitGroup
}

// Open maps the file. It checks only the footer and the lengths. Verify checks the whole file.
func Open(files vfs.FS, path string) (*Index, error) {
	m, err := Map(files, path)
	if err != nil {
		return nil, err
	}
	x, err := Parse(m.Data)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), m.Close())
	}
	x.file = m
	return x, nil
}

// Release gives the memory of mapped pages back to the system. It can be called while x is in use.
func (x *Index) Release() {
	if x.file != nil {
		x.file.Release()
	}
}

// IsDamage says whether an error of Open means that the file is missing or damaged.
func IsDamage(err error) bool { return errors.Is(err, ErrDamaged) || errors.Is(err, fs.ErrNotExist) }

// Mapped is the content of a file, mapped or read. The address of Data is a multiple of 8.
type Mapped struct {
	Data  []byte
	unmap func() error // nil if the file was read, and after Close
}

// Map maps a file, or reads the file if it cannot be mapped.
func Map(files vfs.FS, path string) (*Mapped, error) {
	f, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	m := &Mapped{}
	if err := errors.Join(m.load(f), f.Close()); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, errors.Join(err, m.Close()))
	}
	return m, nil
}

func (m *Mapped) load(f vfs.File) error {
	st, err := f.Stat()
	if err != nil {
		return err
	}
	if fd := f.Fd(); fd != vfs.InvalidFd {
		if m.Data, m.unmap, err = mapFile(fd, st.Size()); err == nil {
			return nil
		}
	}
	words := make([]uint64, (st.Size()+7)/8)
	m.Data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), st.Size())
	if _, err := f.ReadAt(m.Data, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// Release gives the memory of mapped pages back to the system. It can be called while others read.
func (m *Mapped) Release() {
	if m.unmap != nil {
		release(m.Data)
	}
}

// Close unmaps the file. Data must not be read any more. Close can be called again.
func (m *Mapped) Close() (err error) {
	if m.unmap != nil {
		err = m.unmap()
		m.unmap = nil
	}
	return err
}

// Parse uses the content of a file as an index. It makes the same checks as Open.
func Parse(data []byte) (*Index, error) {
	if len(data) < len(magic)+footerSize {
		return nil, fmt.Errorf("%w: %d bytes are too few", ErrDamaged, len(data))
	}
	foot := data[len(data)-footerSize:]
	body := data[len(magic) : len(data)-footerSize]
	sum := binary.LittleEndian.Uint64(foot[footerSize-8:])
	if head := string(data[:len(magic)]); strings.HasPrefix(head, magicName) && head != magic {
		return nil, fmt.Errorf("%w: it is of form %d, and this program reads form %d: fstore reindex makes it anew",
			ErrDamaged, head[len(magicName)], version[0])
	}
	if string(data[:len(magic)]) != magic || sum != xxh3.Hash(foot[:footerSize-8]) {
		return nil, fmt.Errorf("%w: magic or footer", ErrDamaged)
	}
	n := binary.LittleEndian.Uint64(foot)
	dir := binary.LittleEndian.Uint64(foot[8:])
	firsts := binary.LittleEndian.Uint64(foot[24:])
	if size := uint64(len(body)); n > size/recordSize || dir > size/directorySize || firsts > n ||
		n*recordSize+dir*directorySize != size {
		return nil, fmt.Errorf("%w: its sections do not fill it", ErrDamaged)
	}
	x := &Index{
		features: uint32(binary.LittleEndian.Uint64(foot[16:])), later: readRecord(foot[32:]),
		sum: binary.LittleEndian.Uint64(foot[32+recordSize:]), data: data,
	}
	if x.later.N&origin > hashed {
		return nil, fmt.Errorf("%w: its first steps", ErrDamaged)
	}
	x.records = inPlace(body[:n*recordSize], recordSize, readRecord)
	x.words = inPlace(body[:n*recordSize], 4, binary.LittleEndian.Uint32)
	x.firsts = x.records[n-firsts:]
	x.directory = inPlace(body[n*recordSize:], directorySize, readDirectory)
	x.check = sync.OnceValue(x.compare)
	return x, nil
}

// inPlace returns b as a slice of T. It copies only if the machine's byte order or the alignment differs.
func inPlace[T any](b []byte, size int, decode func([]byte) T) []T {
	if len(b) == 0 {
		return nil
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 && uintptr(p)%8 == 0 {
		return unsafe.Slice((*T)(p), len(b)/size)
	}
	s := make([]T, len(b)/size)
	for i := range s {
		s[i] = decode(b[i*size:])
	}
	return s
}

// Close unmaps the file. No matcher may use x any more.
func (x *Index) Close() error {
	if x.file == nil {
		return nil
	}
	x.checking.Wait()
	return x.file.Close()
}

// Features is the largest feature id.
func (x *Index) Features() uint32 { return x.features }

// Raw is the content of the file. It must not be changed.
func (x *Index) Raw() []byte { return x.data }

// Verify compares the whole file with its checksum. Later calls return the result of the first call.
func (x *Index) Verify() error { return x.check() }

// BeginVerify starts Verify in the background. A later Verify waits for the result.
func (x *Index) BeginVerify() {
	x.checking.Go(func() { _ = x.check() })
}

func (x *Index) compare() error {
	if xxh3.Hash(x.data[:len(x.data)-footerSize]) != x.sum {
		return fmt.Errorf("%w: its checksum differs", ErrDamaged)
	}
	return nil
}
