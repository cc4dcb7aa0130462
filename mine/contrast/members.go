package contrast

import (
	"bytes"
	"encoding/binary"

	"fstore/store/runfile"
)

// Member is a fragment that a row stands for, in addition to the row's own fragment. Both occur in the same
// samples, equally often in each. So their measures are the same.
type Member struct {
	Text  []byte // valid until the next member
	Order int
	ID    uint32
}

// members reads the members of rows, whose ids must ascend. A record of its sorter is
//
//	row    the id of the row's fragment, 4 bytes
//	order  4 bytes, inverted
//	text   ends with a byte 0
//	id     4 bytes
type members struct {
	it     *runfile.Sorted
	more   bool // whether the current record was not used yet
	member Member
}

const rowBytes, orderBytes, idBytes = 4, 4, 4

// appendMember appends the record of a member. The parameter rest is the member's record in distinct, without
// the hash.
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

// row returns the row id of the current record.
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

// Close removes the files of a contrast with Options.Members. Without Members it does nothing.
func (c *Contrast) Close() error {
	if c.members == nil {
		return nil
	}
	return c.members.Close()
}
