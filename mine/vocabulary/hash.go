// Package vocabulary identifies and finds numbered fragments. It makes the hash by which a model recognizes
// its fragments, and the expansion index that finds them in trees.
package vocabulary

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/index/spaces"
)

// Hash is the state of hashing a set of fragments. It adds up the hashes of the codes, so ranges can be
// joined in any order. The texts of symbols are hashed too, because a code has only ids.
type Hash struct {
	sum  uint64
	N    uint64
	used []bitset // used symbols: row Off for the first step, row 0 for later steps
	path index.Path
}

type bitset []uint64

func (b *bitset) set(i uint32) {
	w := int(i >> 6)
	if w >= len(*b) {
		*b = append(*b, make([]uint64, w+1-len(*b)+w/2)...)
	}
	(*b)[w] |= 1 << (i & 63)
}

// Add adds a fragment. Codes must ascend.
func (v *Hash) Add(c index.Code) {
	v.sum += xxh3.Hash(c)
	v.N++
	shared := v.path.Follow(c) // the symbols of shared steps are already in used
	first := shared == 0
	for c = c[v.path.End(shared):]; len(c) > 0; first = false {
		st, rest, _ := c.Next()
		c = rest
		row := 0
		if first {
			row = int(st.Off)
		}
		for row >= len(v.used) {
			v.used = append(v.used, nil)
		}
		v.used[row].set(st.Sym)
	}
}

// Join adds the fragments of o.
func (v *Hash) Join(o *Hash) {
	v.sum += o.sum
	v.N += o.N
	for len(v.used) < len(o.used) {
		v.used = append(v.used, nil)
	}
	for r, row := range o.used {
		for len(v.used[r]) < len(row) {
			v.used[r] = append(v.used[r], 0)
		}
		for i, w := range row {
			v.used[r][i] |= w
		}
	}
}

// Append appends the encoding of v to dst:
//   - the sum, in eight bytes
//   - N
//   - for each bitset in v.used, the number of its uint64, and each of these in eight bytes
//
// Eight bytes are little-endian. The other numbers are uvarints.
func (v *Hash) Append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, v.sum)
	dst = binary.AppendUvarint(dst, v.N)
	for _, row := range v.used {
		for len(row) > 0 && row[len(row)-1] == 0 {
			row = row[:len(row)-1]
		}
		dst = binary.AppendUvarint(dst, uint64(len(row)))
		for _, w := range row {
			dst = binary.LittleEndian.AppendUint64(dst, w)
		}
	}
	return dst
}

var errHash = errors.New("malformed hash of a vocabulary")

// ReadHash decodes a hash that Append encoded. Nothing may follow the hash in b.
func ReadHash(b []byte) (v Hash, err error) {
	if len(b) < 8 {
		return v, errHash
	}
	v.sum, b = binary.LittleEndian.Uint64(b), b[8:]
	next := func() (x uint64) {
		x, n := binary.Uvarint(b)
		if n <= 0 {
			err, n = errHash, len(b)
		}
		b = b[n:]
		return x
	}
	for v.N = next(); len(b) > 0; {
		n := next()
		if n > uint64(len(b)/8) {
			return Hash{}, errHash
		}
		row := make(bitset, n)
		for i := range row {
			row[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		v.used, b = append(v.used, row), b[8*n:]
	}
	return v, err
}

// Hash returns the hash of the fragments. It is never 0, so that 0 can stand for no hash.
func (v *Hash) Hash(space index.Space, s *index.Symbols) uint64 {
	h := xxh3.New()
	h.WriteString(spaces.FirstID(space))
	var buf []byte
	buf = binary.LittleEndian.AppendUint64(buf, v.sum)
	buf = binary.LittleEndian.AppendUint64(buf, v.N)
	h.Write(buf)
	for off, row := range v.used {
		for w, bits := range row {
			for k := range 64 {
				if bits>>k&1 == 0 {
					continue
				}
				st := index.Step{Off: uint32(off), Sym: uint32(w<<6 | k)}
				buf = index.AppendStep(buf[:0], st)
				buf = space.AppendText(buf, index.EncodeSteps(nil, []index.Step{st}), s)
				h.Write(append(buf, 0))
			}
		}
	}
	return max(h.Sum64(), 1)
}

// Subset is a set of fragments from a larger set, the whole: a stored space or a selection. The fragments of
// the subset are numbered from 1, in the order of the whole.
type Subset struct {
	Hash uint64 // vocabulary hash, equal to that of a selection of the same fragments

	number []uint32 // numbers in the subset, by the number in the whole; 0: not in the subset
	whole  []uint32 // numbers in the whole, by the number in the subset
	vocab  Hash
}

// NewSubset returns an empty subset of a space or selection with n fragments, numbered from 1.
func NewSubset(n uint32) *Subset { return &Subset{number: make([]uint32, n+1), whole: []uint32{0}} }

// Add adds fragment n of the whole space or selection. From call to call, n must ascend.
func (s *Subset) Add(n uint32, c index.Code) {
	for int(n) >= len(s.number) { // only in a damaged store, which a later count reports
		s.number = append(s.number, 0)
	}
	s.number[n] = uint32(len(s.whole))
	s.whole = append(s.whole, n)
	s.vocab.Add(c)
}

// Finish ends adding, and sets Hash.
func (s *Subset) Finish(space index.Space, syms *index.Symbols) {
	s.Hash, s.vocab = s.vocab.Hash(space, syms), Hash{}
	s.whole = slices.Clip(s.whole)
}

// Len returns the number of fragments in the subset.
func (s *Subset) Len() uint32 { return uint32(len(s.whole) - 1) }

// Number turns a fragment's number in the whole space or selection into its number in the subset, or into 0
// if the subset lacks it.
func (s *Subset) Number(n uint32) uint32 {
	if int(n) >= len(s.number) {
		return 0
	}
	return s.number[n]
}

// At returns the number that fragment n of the subset has in the space or selection. Both numbers count from
// 1.
func (s *Subset) At(n uint32) uint32 { return s.whole[n] }
