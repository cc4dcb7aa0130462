package expansion

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unsafe"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"

	"fstore/index"
)

// The file, all little-endian:
//
//	magic    16 bytes
//	records  16 bytes each: the parts' blocks one after the other, the root's last
//	live     8 bytes each: bit set of the symbols that occur in codes
//	footer   footerSize bytes: number of records, of live words, of features, the
//	         root record, a checksum of all before the footer, one of the footer
//
// Records start at a multiple of their size, so that the file is used in place.
const (
	magic      = "fstore-expand\x00\x00\x03"
	footerSize = 8 + 8 + 8 + recordSize + 8 + 8
)

// ErrDamaged says that a file is no expansion index, or not what was written.
var ErrDamaged = errors.New("damaged expansion index")

// Join writes the index that parts, in ascending order of their ranges, make
// together; blocks[i] delivers what the builder of parts[i] wrote.
func Join(w io.Writer, parts []Part, blocks []io.Reader) error {
	h := xxh3.New()
	// The checksum first: a vfs.File may use what it is given as scratch.
	out := bufio.NewWriterSize(io.MultiWriter(h, w), 1<<16)
	out.WriteString(magic)
	var base uint64
	var features uint32
	var roots []Record
	var live []uint64
	for i, p := range parts {
		if err := rebase(out, blocks[i], p.Records, uint32(base), features); err != nil {
			return err
		}
		for _, r := range p.Roots {
			roots = append(roots, r.shift(uint32(base), features))
		}
		for len(live) < len(p.Live) {
			live = append(live, 0)
		}
		for k, x := range p.Live {
			live[k] |= x
		}
		base += p.Records
		features += p.Features
	}
	tail, root, total, err := rootBlock(roots, live, base)
	if err != nil {
		return err
	}
	out.Write(tail)
	if err := out.Flush(); err != nil {
		return err
	}
	foot := binary.LittleEndian.AppendUint64(nil, total)
	foot = binary.LittleEndian.AppendUint64(foot, uint64(len(live)))
	foot = binary.LittleEndian.AppendUint64(foot, uint64(features))
	foot = appendRecord(foot, &root)
	foot = binary.LittleEndian.AppendUint64(foot, h.Sum64())
	foot = binary.LittleEndian.AppendUint64(foot, xxh3.Hash(foot))
	_, err = w.Write(foot)
	return err
}

// rootBlock returns what follows the parts' blocks, which are base records: the
// block of the first steps, and the live words.
func rootBlock(roots []Record, live []uint64, base uint64) (tail []byte, root Record, total uint64, err error) {
	block, n := layOut(nil, roots)
	root = Record{Start: uint32(base), N: n}
	if total = base + uint64(len(block)); total > 1<<32 {
		return nil, root, 0, errors.New("expansion index: more than 2^32 states")
	}
	if len(roots) > 0 {
		root.MaxOff = roots[len(roots)-1].Off
	}
	for i := range block {
		tail = appendRecord(tail, &block[i])
	}
	for _, x := range live {
		tail = binary.LittleEndian.AppendUint64(tail, x)
	}
	return tail, root, total, nil
}

// Sum takes what the builder of a whole index writes, and keeps its checksum only.
type Sum struct{ h *xxh3.Hasher }

// NewSum returns an empty Sum.
func NewSum() *Sum {
	s := &Sum{xxh3.New()}
	s.h.WriteString(magic)
	return s
}

// Write implements io.Writer.
func (s *Sum) Write(b []byte) (int, error) { return s.h.Write(b) }

// Same says whether x is the index that the builder of part, which wrote to s,
// would have joined: parts lie one after the other, as one builder writes them.
func (x *Index) Same(part Part, s *Sum) bool {
	tail, root, total, err := rootBlock(part.Roots, part.Live, part.Records)
	if err != nil || root != x.root || total != uint64(len(x.records)) || part.Features != x.features {
		return false
	}
	s.h.Write(tail)
	return s.h.Sum64() == x.sum
}

// shift moves a record of a part to its place in the whole.
func (r Record) shift(base, features uint32) Record {
	if r.N != 0 {
		r.Start += base
	}
	if r.Out != 0 {
		r.Out += features
	}
	return r
}

// rebase copies the n records of a part; those of leaf blocks that are no records
// stay as they are.
func rebase(w io.Writer, r io.Reader, n uint64, base, features uint32) error {
	raw := uint32(0) // what is left of a leaf block
	in := make([]byte, 1<<10*recordSize)
	var out []byte
	for n > 0 {
		chunk := in[:min(n*recordSize, uint64(len(in)))]
		if _, err := io.ReadFull(r, chunk); err != nil {
			return fmt.Errorf("expansion index: reading a part: %w", err)
		}
		out = out[:0]
		for i := 0; i < len(chunk); i += recordSize {
			rec := readRecord(chunk[i:])
			switch {
			case raw > 0:
				raw--
			case rec.isLeafMark():
				raw = rec.Start
				rec.Out += features
			default:
				rec = rec.shift(base, features)
			}
			out = appendRecord(out, &rec)
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
		n -= uint64(len(chunk) / recordSize)
	}
	return nil
}

// Index is an open expansion index. It is read-only and for any number of
// goroutines.
type Index struct {
	records  []Record
	live     []uint64
	root     Record
	features uint32
	sum      uint64
	data     []byte
	close    func() error
}

// Open maps the file, or reads it where the file system has no descriptors (in
// tests). It checks the footer and the lengths; Verify checks the rest.
func Open(fs vfs.FS, path string) (*Index, error) {
	f, err := fs.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	data, unmap, err := load(f, st.Size())
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	x, err := Parse(data)
	if err != nil {
		unmap()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	x.close = unmap
	return x, nil
}

// load maps f or reads it into memory aligned for records.
func load(f vfs.File, size int64) (data []byte, unmap func() error, err error) {
	if size < int64(len(magic)+footerSize) {
		return nil, nil, fmt.Errorf("%w: %d bytes are too few", ErrDamaged, size)
	}
	if fd := f.Fd(); fd != vfs.InvalidFd {
		if data, unmap, err = mapFile(fd, size); err == nil {
			return data, unmap, nil
		}
	}
	words := make([]uint64, (size+7)/8)
	data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), size)
	if _, err := f.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	return data, func() error { return nil }, nil
}

// Parse views the content of a file as an index; see Open for what it checks.
func Parse(data []byte) (*Index, error) {
	if len(data) < len(magic)+footerSize {
		return nil, fmt.Errorf("%w: %d bytes are too few", ErrDamaged, len(data))
	}
	foot := data[len(data)-footerSize:]
	body := data[len(magic) : len(data)-footerSize]
	sum := binary.LittleEndian.Uint64(foot[footerSize-8:])
	if string(data[:len(magic)]) != magic || sum != xxh3.Hash(foot[:footerSize-8]) {
		return nil, fmt.Errorf("%w: magic or footer", ErrDamaged)
	}
	n := binary.LittleEndian.Uint64(foot)
	words := binary.LittleEndian.Uint64(foot[8:])
	if n > uint64(len(body))/recordSize || words > uint64(len(body))/8 || n*recordSize+words*8 != uint64(len(body)) {
		return nil, fmt.Errorf("%w: its sections do not fill it", ErrDamaged)
	}
	x := &Index{
		features: uint32(binary.LittleEndian.Uint64(foot[16:])), root: readRecord(foot[24:]),
		sum: binary.LittleEndian.Uint64(foot[24+recordSize:]), data: data,
	}
	x.records = inPlace[Record](body[:n*recordSize], recordSize, readRecord)
	x.live = inPlace[uint64](body[n*recordSize:], 8, binary.LittleEndian.Uint64)
	return x, nil
}

// inPlace views b as a slice, where the machine's byte order and the alignment
// allow it; else it decodes.
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

// Close unmaps the file: no matcher may be in use.
func (x *Index) Close() error {
	if x.close == nil {
		return nil
	}
	c := x.close
	x.close = nil
	return c()
}

// Features is the largest feature id.
func (x *Index) Features() uint32 { return x.features }

// Raw is the content of the file; it must not be changed.
func (x *Index) Raw() []byte { return x.data }

// States is the number of states, with the free slots of tables.
func (x *Index) States() int { return len(x.records) }

// Bytes is the size of the file.
func (x *Index) Bytes() int64 { return int64(len(x.data)) }

// Live says whether a symbol occurs in a code.
func (x *Index) Live(sym uint32) bool {
	w := int(sym >> 6)
	return w < len(x.live) && x.live[w]>>(sym&63)&1 == 1
}

// EachLive calls f for the symbols that occur in codes, ascending.
func (x *Index) EachLive(f func(sym uint32)) {
	for w, bits := range x.live {
		for k := range 64 {
			if bits>>k&1 == 1 {
				f(uint32(w<<6 | k))
			}
		}
	}
}

// Root is the state before the first step.
func (x *Index) Root() Record { return x.root }

// Block returns the children of a state: sorted by (Off, Sym) where Sorted says
// so. It is nil where they are in leaf form, and where the record points outside of
// the index.
func (x *Index) Block(r *Record) []Record {
	from, n := uint64(r.Start), uint64(r.Slots())
	if from+n > uint64(len(x.records)) {
		return nil
	}
	return x.records[from : from+n : from+n]
}

// Sorted says whether the block of r's children is sorted.
func (r *Record) Sorted() bool { return r.N <= sortedMax }

// Find returns the child of r under a step; ok is false where there is none.
func (x *Index) Find(r *Record, off uint8, sym uint32) (child Record, ok bool) {
	if r.N == leaves {
		return x.findLeaf(r, off, sym)
	}
	block := x.Block(r)
	if len(block) == 0 {
		return child, false
	}
	if !r.Sorted() {
		n := uint32(len(block))
		at := slot(off, sym, n)
		for range block {
			c := &block[at]
			if c.Sym == sym && c.Off == off {
				return *c, true
			}
			if c.free() {
				return child, false
			}
			if at++; at == n {
				at = 0
			}
		}
		return child, false
	}
	key := uint64(off)<<32 | uint64(sym)
	lo, hi := 0, len(block)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if block[m].key() < key {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(block) && block[lo].key() == key {
		return block[lo], true
	}
	return child, false
}

// Step is Find for any step: an Off too large for an edge goes by skips.
func (x *Index) Step(r *Record, st index.Step) (child Record, ok bool) {
	for child = *r; st.Off >= maxOff; st.Off -= maxOff {
		if child, ok = x.Find(&child, maxOff, 0); !ok {
			return child, false
		}
	}
	return x.Find(&child, uint8(st.Off), st.Sym)
}

// Verify compares the file with its checksum.
func (x *Index) Verify() error {
	if xxh3.Hash(x.data[:len(x.data)-footerSize]) != x.sum {
		return fmt.Errorf("%w: its checksum differs", ErrDamaged)
	}
	return nil
}
