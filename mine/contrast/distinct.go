package contrast

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/zeebo/xxh3"

	"fstore/mine/query"
	"fstore/store/posting"
	"fstore/store/runfile"
)

// distinct finds fragments with the same posting list, so that one of them stands for the others. It sorts
// records by the hash of the posting list, then by order, highest first, then by text. The first fragment of
// each hash stands for the others.
//
//	hash   16 bytes; the chance that two of ten million lists share a hash is 1 in 10^24
//	order  4 bytes, inverted
//	text   ends with a byte 0, which texts have only escaped
//	tail   the feature id, 4 bytes, and its frequencies, 8 bytes each
type distinct struct {
	sorter *runfile.Sorter
	record []byte
}

const (
	hashBytes = 16
	tailBytes = 4 + 8 + 8
)

// add adds the record of a fragment, with its posting list and its frequencies.
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

// list returns the posting list by which r is compared with other fragments. It has only occurrences, or only
// places if places are counted. With a Reference, the list is followed by the frequency in the reference.
func (c *Contrast) list(r *query.Row) []byte {
	switch {
	case c.Options.Reference != nil: // equal fragments must be equally frequent in the reference too
		c.inUnit = posting.Append(c.inUnit[:0], c.ids, c.counts, c.places)
		c.inUnit = binary.BigEndian.AppendUint64(c.inUnit, c.Options.Reference.Of[string(r.Code)])
	case slices.Equal(c.counts, c.places):
		return r.Posting()
	case c.Options.Count == Places:
		c.inUnit = posting.Append(c.inUnit[:0], c.ids, c.places, nil)
	default:
		c.inUnit = posting.Append(c.inUnit[:0], c.ids, c.counts, nil)
	}
	return c.inUnit
}

// choose calls f for the first fragment of each posting list. It adds the other fragments to members, each
// with the id of the first fragment. If members is nil, it drops them.
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

// idSet is a set of feature ids.
type idSet []uint64

func newIDSet(largest uint32) idSet { return make(idSet, largest/64+1) }

func (s idSet) add(id uint32)      { s[id/64] |= 1 << (id % 64) }
func (s idSet) has(id uint32) bool { return s[id/64]&(1<<(id%64)) != 0 }
