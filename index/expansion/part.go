package expansion

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The bytes of a part are Records and Features as uvarints, Shared as a byte, and then four slices, each
// after its length: Roots, Kids, raw and live.

// Append appends the bytes of a part.
func (p *Part) Append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, p.Records)
	dst = binary.AppendUvarint(dst, uint64(p.Features))
	shared := byte(0)
	if p.Shared {
		shared = 1
	}
	dst = append(dst, shared)
	for _, all := range [...][]Record{p.Roots, p.Kids} {
		dst = binary.AppendUvarint(dst, uint64(len(all)))
		for i := range all {
			dst = appendRecord(dst, &all[i])
		}
	}
	for _, set := range [...]bitSet{p.raw, p.live} {
		dst = binary.AppendUvarint(dst, uint64(len(set)))
		for _, x := range set {
			dst = binary.LittleEndian.AppendUint64(dst, x)
		}
	}
	return dst
}

var errPart = errors.New("malformed part of an expansion index")

// ReadPart reads the bytes that Append wrote. It returns an error if bytes are left over. `width` must be the
// Width of the part's builder, see WidthOf.
func ReadPart(b []byte, width func(sym uint32) int) (p Part, err error) {
	r := partReader{b: b}
	p.Records = r.uvarint()
	features := r.uvarint()
	p.Features, p.Shared = uint32(features), r.byte() == 1
	p.Roots, p.Kids = r.records(), r.records()
	p.raw, p.live, p.width = r.set(), r.set(), width
	if r.bad || len(r.b) > 0 || uint64(p.Features) != features || p.Shared && len(p.Roots) > 1 || !p.Shared && len(p.Kids) > 0 {
		return Part{}, fmt.Errorf("%w of %d bytes", errPart, len(b))
	}
	return p, nil
}

// partReader reads from the front of b. After an error it returns zeros.
type partReader struct {
	b   []byte
	bad bool
}

func (r *partReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *partReader) byte() (c byte) {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	c, r.b = r.b[0], r.b[1:]
	return c
}

// take reads a number n, and returns the bytes of the next n elements, each of the given size.
func (r *partReader) take(size int) []byte {
	n := r.uvarint()
	if n > uint64(len(r.b)/size) {
		r.bad, r.b = true, nil
		return nil
	}
	b := r.b[:int(n)*size]
	r.b = r.b[len(b):]
	return b
}

func (r *partReader) records() (all []Record) {
	for b := r.take(recordSize); len(b) > 0; b = b[recordSize:] {
		all = append(all, readRecord(b))
	}
	return all
}

func (r *partReader) set() (s bitSet) {
	for b := r.take(8); len(b) > 0; b = b[8:] {
		s = append(s, binary.LittleEndian.Uint64(b))
	}
	return s
}
