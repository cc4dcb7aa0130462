package contrast

import (
	"bytes"
	"encoding/binary"

	"fstore/store/runfile"
)

// Member is a fragment for which a row stands: it occurs in the same samples as the row's
// own fragment, in each as often, so that all measures are the same.
type Member struct {
	Text  []byte // valid until the next one
	Order int
	ID    uint32
}

// members gives the members of rows, whose ids ascend. A record of its sorter is
//
//	row    the id of the row's fragment, 4 bytes
//	order  4 bytes, inverted
//	text   and a byte 0
//	id     4 bytes
type members struct {
	it     *runfile.Sorted
	more   bool // there is a record that was not given
	member Member
}

const rowBytes, orderBytes, idBytes = 4, 4, 4

// appendMember appends a record; rest is a record of distinct from the order on.
func appendMember(dst []byte, row uint32, rest []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, row)
	return append(dst, rest[:len(rest)-tailBytes+idBytes]...)
}

func newMembers(s *runfile.Sorter) (*members, error) {
	it, err := s.Sort()
	if err != nil {
		return nil, err
	}
	return &members{it: it, more: it.Next()}, nil
}

// row is the row that the record under way belongs to.
func (m *members) row() uint32 { return binary.BigEndian.Uint32(m.it.Value()) }

// each calls f for the members of a row; those of rows before it are passed over.
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

// Close removes the files of a contrast with Options.Members; without, it does nothing.
func (c *Contrast) Close() error {
	if c.members == nil {
		return nil
	}
	return c.members.Close()
}
