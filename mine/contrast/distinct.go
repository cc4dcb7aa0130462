package contrast

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/zeebo/xxh3"

	"fstore/mine/query"
	"fstore/store/runfile"
)

// distinct finds fragments with the same posting list. It sorts records by the hash of the posting list, then
// by order, highest first, then by text. The first fragment of each hash stands for the others with that hash.
//
//	hash   16 bytes; the chance that two of ten million lists share a hash is 1 in 10^24
//	order  4 bytes, inverted
//	text   ends with a byte 0; in the text itself, a byte 0 is escaped
//	tail   the feature id, 4 bytes, and its frequencies, 8 bytes each
type distinct struct {
	sorter *runfile.Sorter
	record []byte
}

const (
	hashBytes = 16
	tailBytes = 4 + 8 + 8
)

func (d *distinct) add(t *query.Table, r *query.Row, list []byte, p pair) error {
	hash := xxh3.Hash128(list).Bytes()
	d.record = append(d.record[:0], hash[:]...)
	d.record = binary.BigEndian.AppendUint32(d.record, ^uint32(r.Order))
	d.record = append(t.Text(d.record, r.Code), 0)
	d.record = binary.BigEndian.AppendUint32(d.record, r.ID)
	d.record = binary.BigEndian.AppendUint64(d.record, p.a)
	d.record = binary.BigEndian.AppendUint64(d.record, p.b)
	return d.sorter.Add(d.record)
}

// choose calls f for the first fragment of each posting list, and adds the other fragments to members.
func (d *distinct) choose(members *runfile.Sorter, f func(id uint32, p pair)) error {
	it, err := d.sorter.Sort()
	if err != nil {
		return err
	}
	var last, record []byte
	row := uint32(0)
	for it.Next() {
		v := it.Value()
		if last != nil && bytes.Equal(v[:hashBytes], last) {
			if members == nil {
				continue
			}
			record = appendMember(record[:0], row, v[hashBytes:])
			if err := members.Add(record); err != nil {
				return errors.Join(err, it.Close())
			}
			continue
		}
		last = append(last[:0], v[:hashBytes]...)
		tail := v[len(v)-tailBytes:]
		row = binary.BigEndian.Uint32(tail)
		f(row, pair{binary.BigEndian.Uint64(tail[4:]), binary.BigEndian.Uint64(tail[12:])})
	}
	return it.Close()
}

// idSet is a bit set of feature ids.
type idSet []uint64

func newIDSet(largest uint32) idSet { return make(idSet, largest/64+1) }

func (s idSet) add(id uint32)      { s[id/64] |= 1 << (id % 64) }
func (s idSet) has(id uint32) bool { return s[id/64]&(1<<(id%64)) != 0 }

// Member is another fragment that a row stands for. It occurs in the same samples as the row's own fragment,
// equally often in each.
type Member struct {
	Text  []byte // valid until the next member
	Order int
	ID    uint32
}

// members reads the records of a sorter by ascending row id. A record is a Member of a row:
//
//	row    the id of the row's fragment, 4 bytes
//	order  4 bytes, inverted
//	text   ends with a byte 0
//	id     4 bytes
type members struct {
	it     *runfile.Sorted
	more   bool // whether the current record is a member that was not read yet
	member Member
}

const rowBytes, orderBytes, idBytes = 4, 4, 4

// appendMember appends the record of a member. `afterHash` is a record of the type `distinct` without its
// hash.
func appendMember(dst []byte, row uint32, afterHash []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, row)
	return append(dst, afterHash[:len(afterHash)-tailBytes+idBytes]...)
}

func newMembers(s *runfile.Sorter) (*members, error) {
	it, err := s.Sort()
	if err != nil {
		return nil, err
	}
	return &members{it: it, more: it.Next()}, nil
}

func (m *members) row() uint32 { return binary.BigEndian.Uint32(m.it.Value()) }

// each calls f for the members of the row with the given id. It skips the members of earlier rows.
func (m *members) each(id uint32, f func(*Member) error) error {
	for m.more && m.row() < id {
		m.more = m.it.Next()
	}
	for m.more && m.row() == id {
		v := m.it.Value()[rowBytes:]
		end := bytes.IndexByte(v[orderBytes:], 0)
		m.member = Member{
			Text:  v[orderBytes : orderBytes+end],
			Order: int(^binary.BigEndian.Uint32(v)),
			ID:    binary.BigEndian.Uint32(v[len(v)-idBytes:]),
		}
		if err := f(&m.member); err != nil {
			return err
		}
		m.more = m.it.Next()
	}
	return nil
}
