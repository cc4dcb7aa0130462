package gradient

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store/runfile"
)

// feature is a fragment with the number of gold samples (a) and of predicted samples (b) that have it.
type feature struct {
	code index.Code
	a, b uint32
}

// A stream is a sequence of features in ascending code order. For each feature it has the difference from the
// feature before, and two counts a and b:
//
//	byte     d<<4 | n, to drop d bytes and add n bytes; 15 stands for 15 or more
//	uvarint  d-15 if d is 15 or more; then n-15 if n is 15 or more
//	bytes    the n bytes to add
//	byte     a<<4 | b if a is below 15 and b below 16; else 0xF0, and then
//	uvarint  a, and another for b
//
// This takes about four and a half bytes a feature. A stream is divided into blocks of whole features, which
// stay in memory while the budget lasts. Then all its blocks go to a file, each after its length.
//
// The constant long is the 15 of the first byte.
const long = 15

// appendFeature appends f to dst, as its difference from the feature before, whose code is lastCode.
func appendFeature(dst []byte, lastCode index.Code, f *feature) []byte {
	same := 0
	for same < min(len(lastCode), len(f.code)) && lastCode[same] == f.code[same] {
		same++
	}
	drop, add := len(lastCode)-same, len(f.code)-same
	dst = append(dst, byte(min(drop, long)<<4|min(add, long)))
	if drop >= long {
		dst = binary.AppendUvarint(dst, uint64(drop-long))
	}
	if add >= long {
		dst = binary.AppendUvarint(dst, uint64(add-long))
	}
	dst = append(dst, f.code[same:]...)
	if f.a < 15 && f.b < 16 {
		return append(dst, byte(f.a<<4|f.b))
	}
	dst = append(dst, 0xF0)
	dst = binary.AppendUvarint(dst, uint64(f.a))
	return binary.AppendUvarint(dst, uint64(f.b))
}

var errStream = errors.New("gradient: a scratch file is not what was written")

// cutFeature replaces the feature f of a stream by the next one, which it reads from b. It returns the
// remaining bytes.
func cutFeature(b []byte, f *feature) (rest []byte, err error) {
	if len(b) == 0 {
		return nil, errStream
	}
	number := func(part byte) int {
		if part < long || err != nil {
			return int(part)
		}
		n, k := binary.Uvarint(b)
		if k <= 0 || n > 1<<31 {
			err = errStream
			return 0
		}
		b = b[k:]
		return long + int(n)
	}
	head := b[0]
	b = b[1:]
	drop := number(head >> 4)
	add := number(head & 15)
	if err != nil || drop > len(f.code) || add >= len(b) {
		return nil, errStream
	}
	f.code = append(f.code[:len(f.code)-drop], b[:add]...)
	counts := b[add]
	b = b[add+1:]
	if counts < 0xF0 {
		f.a, f.b = uint32(counts>>4), uint32(counts&15)
		return b, nil
	}
	for _, to := range [...]*uint32{&f.a, &f.b} {
		n, k := binary.Uvarint(b)
		if k <= 0 {
			return nil, errStream
		}
		*to, b = uint32(n), b[k:]
	}
	return b, nil
}

// stream is a sequence of features. After add and finish, it can be read any number of times.
type stream struct {
	s    *streamFiles
	n    uint64 // the number of features
	size int64  // the bytes of the finished blocks, as copy writes them
	last index.Code
	buf  []byte
	held [][]byte // finished blocks; empty if there is a file

	path string
	file vfs.File
	out  *bufio.Writer
}

// add appends a feature. Codes must ascend.
func (t *stream) add(f *feature) error {
	t.n++
	if t.buf == nil {
		t.buf = t.s.block()
	}
	t.buf = appendFeature(t.buf, t.last, f)
	t.last = append(t.last[:0], f.code...)
	if !t.full() {
		return nil
	}
	return t.flush()
}

// full says whether the next feature might not fit into the block.
func (t *stream) full() bool { return cap(t.buf)-len(t.buf) < blockSize/256 }

// flush ends the current block. The block stays in memory if the budget allows. Otherwise flush writes all
// blocks of the stream to a file.
func (t *stream) flush() error {
	if len(t.buf) == 0 {
		return nil
	}
	t.size += int64(blockBytes(t.buf))
	if t.path == "" && t.s.take(len(t.buf)) {
		if t.full() {
			t.held, t.buf = append(t.held, t.buf), nil
		} else {
			t.held = append(t.held, bytes.Clone(t.buf))
			t.s.giveBack(t.buf)
			t.buf = nil
		}
		return nil
	}
	if t.path == "" {
		file, path, err := t.s.create()
		if err != nil {
			return err
		}
		t.file, t.path, t.out = file, path, bufio.NewWriterSize(file, blockSize)
		for _, b := range t.held {
			if err := t.write(b); err != nil {
				return err
			}
			t.s.held.Add(-int64(len(b)))
		}
		t.s.giveBack(t.held...)
		t.held = nil
	}
	err := t.write(t.buf)
	t.buf = t.buf[:0]
	return err
}

func (t *stream) write(b []byte) error {
	t.s.bytes.Add(int64(blockBytes(b)))
	return runfile.WriteBlock(t.out, b)
}

// blockBytes returns how many bytes a block takes in a file, with its length in front.
func blockBytes(b []byte) int {
	var n [binary.MaxVarintLen64]byte
	return binary.PutUvarint(n[:], uint64(len(b))) + len(b)
}

func (t *stream) finish() error {
	err := t.flush()
	if t.buf != nil {
		t.s.giveBack(t.buf)
	}
	t.buf, t.last = nil, nil
	if t.file == nil {
		return err
	}
	if err == nil {
		err = t.out.Flush()
	}
	err = errors.Join(err, t.file.Close())
	t.file, t.out = nil, nil
	return err
}

// copy writes the blocks of a finished stream, size bytes in all, each block with its length in front.
func (t *stream) copy(w *bufio.Writer) error {
	if t.path != "" {
		f, err := t.s.fs.Open(t.path, vfs.SequentialReadsOption)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, struct{ io.Reader }{f})
		return errors.Join(err, f.Close())
	}
	for _, b := range t.held {
		if err := runfile.WriteBlock(w, b); err != nil {
			return err
		}
	}
	return nil
}

// load fills an empty stream with what the method `copy` has written, and finishes it. It calls visit for
// each feature. The error is errStream if size or n does not fit.
func (t *stream) load(in io.Reader, size int64, n uint64, visit func(*feature)) error {
	blocks := &streamReader{in: bufio.NewReaderSize(io.LimitReader(in, size), blockSize)}
	for {
		ok, err := blocks.nextBlock()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if t.buf == nil {
			t.buf = t.s.block()
		}
		t.buf = append(t.buf[:0], blocks.block...)
		for len(blocks.block) > 0 {
			if blocks.block, err = cutFeature(blocks.block, &blocks.feature); err != nil {
				return err
			}
			t.n++
			visit(&blocks.feature)
		}
		if err := t.flush(); err != nil {
			return err
		}
	}
	if t.n != n || t.size != size {
		return errStream
	}
	return t.finish()
}

// remove frees the memory and removes the file of the stream. It can be called at any time, and more than
// once.
func (t *stream) remove() error {
	for _, b := range t.held {
		t.s.held.Add(-int64(len(b)))
	}
	t.held, t.buf, t.n, t.size = nil, nil, 0, 0
	if t.path == "" {
		return nil
	}
	var err error
	if t.file != nil {
		err = t.file.Close()
		t.file = nil
	}
	err = errors.Join(err, t.s.fs.Remove(t.path))
	t.path = ""
	return err
}

func (t *stream) each(f func(*feature) error) (err error) {
	r := t.reader()
	defer func() { err = errors.Join(err, r.close()) }()
	for {
		if err := r.next(); r.done || err != nil {
			return err
		}
		if err := f(&r.feature); err != nil {
			return err
		}
	}
}

func (t *stream) reader() streamReader { return streamReader{rest: []*stream{t}} }

// streamReader reads finished streams, one after another.
type streamReader struct {
	feature
	done bool // set when there are no more features

	rest  []*stream // the streams that are not open yet
	held  [][]byte
	block []byte // the bytes of the block that were not read yet
	buf   []byte
	file  vfs.File
	in    *bufio.Reader
}

// next reads the next feature, or sets done after the last.
func (r *streamReader) next() (err error) {
	if len(r.block) == 0 && !r.done {
		ok, err := r.nextBlock()
		if err != nil {
			return err
		}
		r.done = !ok
	}
	if r.done {
		return nil
	}
	r.block, err = cutFeature(r.block, &r.feature)
	return err
}

// nextBlock sets block to the next block. It returns false if there is no next block.
func (r *streamReader) nextBlock() (ok bool, err error) {
	for {
		if r.in != nil {
			if r.buf, err = runfile.ReadBlock(r.in, r.buf); err == nil {
				r.block = r.buf
				return true, nil
			}
			if err != io.EOF {
				return false, errors.Join(errStream, err)
			}
		}
		if len(r.held) > 0 {
			r.block, r.held = r.held[0], r.held[1:]
			return true, nil
		}
		if len(r.rest) == 0 {
			return false, nil
		}
		if err := r.open(); err != nil {
			return false, err
		}
	}
}

// open opens the next stream. It empties r.code, because the first feature of a stream has its whole code.
func (r *streamReader) open() (err error) {
	if err := r.close(); err != nil {
		return err
	}
	t := r.rest[0]
	r.rest, r.held, r.code = r.rest[1:], t.held, r.code[:0]
	if t.path == "" {
		return nil
	}
	if r.file, err = t.s.fs.Open(t.path, vfs.SequentialReadsOption); err != nil {
		return err
	}
	// The struct hides the file's other methods: bufio must only read.
	r.in = bufio.NewReaderSize(struct{ io.Reader }{r.file}, blockSize)
	return nil
}

func (r *streamReader) close() error {
	f := r.file
	r.file, r.in = nil, nil
	if f == nil {
		return nil
	}
	return f.Close()
}
