package expansion

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"
)

// Join writes the index made of all parts, which must ascend by their codes. blocks[i] has the bytes that the
// builder of parts[i] wrote. A single builder of all codes would make the same bytes.
func Join(w io.Writer, parts []Part, blocks []io.Reader) error {
	h := xxh3.New()
	// The hasher comes before w, because a vfs.File is allowed to overwrite the bytes that it is given.
	out := bufio.NewWriterSize(io.MultiWriter(h, w), 1<<16)
	out.WriteString(magic)
	j := joiner{Builder: Builder{w: out}}
	var features uint32
	for i := range parts {
		p := &parts[i]
		j.meet(p)
		j.Width = p.width
		base := uint32(j.written)
		if err := rebase(out, blocks[i], p, base, features); err != nil {
			return err
		}
		j.written += p.Records
		j.take(p, base, features)
		features += p.Features
	}
	j.close()
	if j.err != nil {
		return j.err
	}
	tail, foot, err := ending(j.roots, j.live, j.written, features)
	if err != nil {
		return err
	}
	out.Write(tail)
	if err := out.Flush(); err != nil {
		return err
	}
	foot = binary.LittleEndian.AppendUint64(foot, h.Sum64())
	foot = binary.LittleEndian.AppendUint64(foot, xxh3.Hash(foot))
	_, err = w.Write(foot)
	return err
}

// joiner builds the whole index. It keeps a first step open until all children of the step are there.
type joiner struct {
	Builder
	roots []Record
	open  bool   // a first step may have more children in the next parts
	root  Record // that first step
	kids  []Record
}

// meet closes the open first step if part p cannot have more children of that step. Call it before take(p).
func (j *joiner) meet(p *Part) {
	if j.open && !(p.Shared && (len(p.Roots) == 0 || p.Roots[0].key() == j.root.key())) {
		j.close()
	}
}

// take adds the records of part p that Join writes.
func (j *joiner) take(p *Part, base, features uint32) {
	for len(j.live) < len(p.live) {
		j.live = append(j.live, 0)
	}
	for k, x := range p.live {
		j.live[k] |= x
	}
	if !p.Shared {
		for _, r := range p.Roots {
			j.roots = append(j.roots, r.shift(base, features))
		}
		return
	}
	for _, r := range p.Roots {
		if r = r.shift(base, features); !j.open {
			j.open, j.root = true, r
		} else if r.Out != 0 {
			j.root.Out = r.Out
		}
	}
	for _, k := range p.Kids {
		j.kids = append(j.kids, k.shift(base, features))
	}
}

// close ends the open first step: it writes the step's children, and adds the step to j.roots.
func (j *joiner) close() {
	if !j.open {
		return
	}
	j.block(&j.root, j.kids)
	j.roots = append(j.roots, j.root)
	j.open, j.kids = false, j.kids[:0]
}

// ending returns what follows the blocks of the parts: the first steps with the directory, and the footer
// without its checksums. `base` is the number of records in the blocks.
func ending(roots []Record, live bitSet, base uint64, features uint32) (tail, foot []byte, err error) {
	dir, n := directoryOf(live, roots)
	block, form := layOut(nil, roots[n:])
	later := Record{Start: uint32(base), N: form}
	total := base + uint64(len(block)+n)
	if total > 1<<32 {
		return nil, nil, errors.New("expansion index: more than 2^32 states")
	}
	if len(roots) > 0 {
		later.MaxOff = roots[len(roots)-1].Off
	}
	for i := range block {
		tail = appendRecord(tail, &block[i])
	}
	for i := range n {
		tail = appendRecord(tail, &roots[i])
	}
	for i := range dir {
		tail = appendDirectory(tail, &dir[i])
	}
	foot = binary.LittleEndian.AppendUint64(nil, total)
	foot = binary.LittleEndian.AppendUint64(foot, uint64(len(dir)))
	foot = binary.LittleEndian.AppendUint64(foot, uint64(features))
	foot = binary.LittleEndian.AppendUint64(foot, uint64(n))
	return tail, appendRecord(foot, &later), nil
}

// Sum keeps a checksum of the bytes that a builder writes to it.
type Sum struct{ h *xxh3.Hasher }

// NewSum returns the Sum of an index of which no block has been written.
func NewSum() *Sum {
	s := &Sum{xxh3.New()}
	s.h.WriteString(magic)
	return s
}

// Write implements io.Writer.
func (s *Sum) Write(b []byte) (int, error) { return s.h.Write(b) }

// Same says whether an index of part p alone would have the bytes of x. The builder of p must have written
// its blocks to s.
func (x *Index) Same(p Part, s *Sum) bool {
	tail, foot, err := ending(p.Roots, p.live, p.Records, p.Features)
	if err != nil || !bytes.Equal(foot, x.data[len(x.data)-footerSize:][:len(foot)]) {
		return false
	}
	s.h.Write(tail)
	return s.h.Sum64() == x.sum
}

// shift converts a record of a part to the record of the whole index.
func (r Record) shift(base, features uint32) Record {
	if r.N != 0 && r.N != single {
		r.Start += base
	}
	if r.Out != 0 {
		r.Out += features
	}
	return r
}

// rebase copies the blocks of part p from r to w. It shifts every record, and copies the bytes of leaves
// unchanged.
func rebase(w io.Writer, r io.Reader, p *Part, base, features uint32) error {
	in := make([]byte, 1<<10*recordSize)
	var out []byte
	for at := uint64(0); at < p.Records; {
		chunk := in[:min((p.Records-at)*recordSize, uint64(len(in)))]
		if _, err := io.ReadFull(r, chunk); err != nil {
			return fmt.Errorf("expansion index: reading a part: %w", err)
		}
		out = out[:0]
		for i := 0; i < len(chunk); i += recordSize {
			if p.raw.has(at) {
				out = append(out, chunk[i:i+recordSize]...)
			} else {
				rec := readRecord(chunk[i:]).shift(base, features)
				out = appendRecord(out, &rec)
			}
			at++
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
	}
	return nil
}
