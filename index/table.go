package index

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/zeebo/xxh3"
)

// Table interns byte strings: id to string by offset, string to id by open addressing. All strings lie in one
// arena, each after its id and length. So a search touches one slot and the string's own cache line. (Half of
// the time to read a treebank is spent here. With one more lookup between slot and string, it was a third
// longer.)
type Table struct {
	base  *Table   // a table whose strings come first, and which does not change; or nil
	first uint32   // the largest id of base
	arena []byte   // per string: id (4 bytes), length (uvarint), bytes
	at    []uint64 // at[i] is where the entry of string first+i+1 starts
	left  []uint32 // if strings are left out: at[i] is for string left[i]
	last  uint32   // the largest id, if strings are left out
	slots []uint64 // hash<<40 | 1 + start of the entry; 0 is free; a power of two, at most half full
}

const (
	entryBits = 40 // bits of a slot for the start of an entry: enough for an arena of 1 TiB
	entryMask = 1<<entryBits - 1
	idBytes   = 4
)

// Len is the number of strings, which is the largest id.
func (t *Table) Len() int {
	if t.left != nil {
		return int(t.last)
	}
	return int(t.first) + len(t.at)
}

// Bytes returns the string of an id, or nil if the string was left out. The caller must not change it. Bytes
// panics if id is not in 1..Len.
func (t *Table) Bytes(id uint32) []byte {
	if t.first == 0 && t.left == nil { // half of the time to read a tree goes here
		b := t.arena[t.at[id-1]+idBytes:]
		if n := int(b[0]); n < 0x80 {
			return b[1 : 1+n : 1+n]
		}
	}
	if id <= t.first && id > 0 {
		return t.base.Bytes(id)
	}
	i, ok := t.place(id)
	if !ok {
		return nil
	}
	return t.stringAt(t.at[i])
}

// place returns the index in t.at of a string outside the base table. If the string was left out, `ok` is
// false.
func (t *Table) place(id uint32) (i int, ok bool) {
	if t.left != nil {
		return slices.BinarySearch(t.left, id)
	}
	return int(id - t.first - 1), true
}

// stringAt returns the string of the entry that starts at i.
func (t *Table) stringAt(i uint64) []byte {
	b := t.arena[i+idBytes:]
	if n := int(b[0]); n < 0x80 {
		return b[1 : 1+n : 1+n]
	}
	n, k := binary.Uvarint(b)
	return b[k : k+int(n) : k+int(n)]
}

// Size is how many bytes the table takes, without its base table and t.left.
func (t *Table) Size() int64 {
	return int64(cap(t.arena)) + 8*int64(cap(t.at)) + 8*int64(len(t.slots))
}

// home returns the first slot to search for a string with hash h, and the part of h that a slot stores.
func (t *Table) home(h uint64) (i, tag uint64) {
	return h & uint64(len(t.slots)-1), h &^ entryMask
}

// Lookup returns the id of b, or 0 if it is unknown.
func (t *Table) Lookup(b []byte) uint32 { return t.lookup(b, xxh3.Hash(b)) }

func (t *Table) lookup(b []byte, hash uint64) uint32 {
	if t.base != nil {
		if id := t.base.lookup(b, hash); id != 0 {
			return id
		}
	}
	if len(t.slots) == 0 {
		return 0
	}
	i, tag := t.home(hash)
	id, _ := t.find(b, i, tag)
	return id
}

// find returns the id of b, or 0 and the free slot for b.
func (t *Table) find(b []byte, i, tag uint64) (id uint32, free uint64) {
	mask := uint64(len(t.slots) - 1)
	for ; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s == 0 {
			return 0, i
		}
		if s&^entryMask != tag {
			continue
		}
		e := s&entryMask - 1
		if string(t.stringAt(e)) == string(b) {
			return binary.LittleEndian.Uint32(t.arena[e:]), 0
		}
	}
}

// Intern returns the id of b. If b is new, it gets the next id.
func (t *Table) Intern(b []byte) (id uint32, isNew bool) {
	hash := xxh3.Hash(b)
	if t.base != nil {
		if id := t.base.lookup(b, hash); id != 0 {
			return id, false
		}
	}
	if 2*(len(t.at)+1) > len(t.slots) {
		t.rehash(max(2*len(t.slots), 256))
	}
	i, tag := t.home(hash)
	id, i = t.find(b, i, tag)
	if id != 0 {
		return id, false
	}
	t.slots[i] = tag | (t.append(b) + 1)
	return uint32(t.Len()), true
}

// appendNew gives strings the next ids, or returns false if a string has an id already. It hashes many
// strings before it looks at their slots, so that the waits for memory overlap.
func (t *Table) appendNew(block [][]byte) bool {
	var hashes [64]uint64
	for len(block) > 0 {
		part := block[:min(len(block), len(hashes))]
		block = block[len(part):]
		if need := 2 * (len(t.at) + len(part)); need > len(t.slots) {
			t.rehash(1 << bits.Len(uint(need-1)))
		}
		for i, b := range part {
			if b != nil {
				hashes[i] = xxh3.Hash(b)
			}
		}
		for i, b := range part {
			if b == nil {
				t.skip()
				continue
			}
			at, tag := t.home(hashes[i])
			id, at := t.find(b, at, tag)
			if id != 0 {
				return false
			}
			t.slots[at] = tag | (t.append(b) + 1)
		}
	}
	return true
}

// skip uses up an id for a string that is left out.
func (t *Table) skip() {
	if t.left == nil {
		t.last = uint32(t.Len())
		t.left = make([]uint32, len(t.at), max(64, cap(t.at)))
		for i := range t.left {
			t.left[i] = uint32(i + 1)
		}
	}
	t.last++
}

// append adds the entry of the next id to the arena and returns where it starts.
func (t *Table) append(b []byte) (start uint64) {
	start = uint64(len(t.arena))
	t.at = append(t.at, start)
	if t.left != nil {
		t.last++
		t.left = append(t.left, t.last)
	}
	t.arena = binary.LittleEndian.AppendUint32(t.arena, uint32(t.Len()))
	t.arena = binary.AppendUvarint(t.arena, uint64(len(b)))
	t.arena = append(t.arena, b...)
	return start
}

// free returns the free slot for an entry with hash h.
func (t *Table) free(h uint64) uint64 {
	i, _ := t.home(h)
	for t.slots[i] != 0 {
		i = (i + 1) & uint64(len(t.slots)-1)
	}
	return i
}

// rehash allocates this many slots, a power of two, and enters all strings again.
func (t *Table) rehash(slots int) {
	t.slots = make([]uint64, slots)
	// Ids ascend here, so a larger id comes later in its probe chain, as truncate needs.
	for _, start := range t.at {
		h := xxh3.Hash(t.stringAt(start))
		t.slots[t.free(h)] = h&^entryMask | (start + 1)
	}
}

// truncate removes all ids above n, which must not be in the base table. It begins with the largest, which is
// the last of its probe chain.
func (t *Table) truncate(n int) {
	mask := uint64(len(t.slots) - 1)
	n -= int(t.first)
	for i := len(t.at) - 1; i >= n; i-- {
		start := t.at[i]
		k, _ := t.home(xxh3.Hash(t.stringAt(start)))
		for t.slots[k]&entryMask != start+1 {
			k = (k + 1) & mask
		}
		t.slots[k] = 0
	}
	if n < len(t.at) {
		t.arena = t.arena[:t.at[n]]
		t.at = t.at[:n]
	}
}
