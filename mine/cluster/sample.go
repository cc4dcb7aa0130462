package cluster

import (
	"encoding/binary"
	"fmt"
	"math"

	"fstore/index"
	"fstore/store/disk"
	"fstore/store/runfile"
)

// head is the data of a sample without its tree.
type head struct {
	flags byte
	num   uint64 // number in the name, if isNumbered
	input uint64 // the sample's input, an index into partMeta.Inputs
	t     index.Tree

	corrections []byte
}

const (
	isNovel    = 1 << iota // has features that no earlier sample of the part has
	isNumbered             // name ends in # and a number
	isFirst                // this number counts from the start of the part's first piece
	isListed               // is in a K-best list
)

// append appends the encoded head to dst.
func (h *head) append(dst []byte) []byte {
	t := &h.t
	if t.Group != "" || t.Candidate != 0 || t.Score != 0 || t.Gold != index.NotGold {
		h.flags |= isListed
	}
	dst = append(dst, h.flags)
	dst = binary.AppendUvarint(dst, h.input)
	dst = binary.AppendUvarint(dst, h.num)
	for _, s := range [...]string{t.Name, t.Label, t.Document} {
		dst = runfile.AppendBlock(dst, []byte(s))
	}
	if h.flags&isListed == 0 {
		return dst
	}
	dst = runfile.AppendBlock(dst, []byte(t.Group))
	dst = binary.AppendVarint(dst, int64(t.Candidate))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(t.Score))
	dst = append(dst, byte(t.Gold))
	return index.AppendCorrections(dst, t.Corrections)
}

// read decodes a head. A string that is the same as in the head before is not allocated again.
func (h *head) read(b []byte) error {
	bad := len(b) == 0
	uvarint := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			bad, n = true, len(b)
		}
		b = b[n:]
		return v
	}
	text := func(s *string) {
		v, rest, ok := runfile.CutBlock(b)
		if b, bad = rest, bad || !ok; string(v) != *s {
			*s = string(v)
		}
	}
	if bad {
		return disk.Malformed("head of a sample")
	}
	h.flags, b = b[0], b[1:]
	h.input, h.num = uvarint(), uvarint()
	t := &h.t
	text(&t.Name)
	text(&t.Label)
	text(&t.Document)
	t.Candidate, t.Score, t.Gold, h.corrections = 0, 0, index.NotGold, nil
	if h.flags&isListed == 0 {
		t.Group = ""
	} else {
		text(&t.Group)
		c, n := binary.Varint(b)
		if n <= 0 || len(b) < n+9 {
			return disk.Malformed("head of a sample")
		}
		t.Candidate, t.Score, t.Gold = int(c), math.Float64frombits(binary.LittleEndian.Uint64(b[n:])), index.Gold(b[n+8])
		h.corrections, b = append(h.corrections[:0], b[n+9:]...), nil
	}
	if bad || len(b) > 0 {
		return disk.Malformed("head of a sample")
	}
	return nil
}

// samples calls f for the heads and the trees of a part, in order. f must not keep its arguments.
func (p *part) samples(f func(head, tree []byte) error) error {
	n := uint32(0)
	err := p.pairs(sampleSection, func(heads, trees []byte) error {
		for ; len(heads)+len(trees) > 0; n++ {
			var head, tree []byte
			var ok, also bool
			head, heads, ok = runfile.CutBlock(heads)
			tree, trees, also = runfile.CutBlock(trees)
			if !ok || !also {
				return p.damaged("section " + sampleSection)
			}
			if err := f(head, tree); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && n != p.meta.Samples {
		err = p.damaged(fmt.Sprintf("section %s has %d samples in place of %d", sampleSection, n, p.meta.Samples))
	}
	return err
}

// appendOccurrences appends how often each id occurs, beginning with id 1.
func appendOccurrences(dst []byte, n []uint64) []byte {
	for id := 1; id < len(n); id++ {
		dst = binary.AppendUvarint(dst, n[id])
	}
	return dst
}

// occurrences reads what appendOccurrences wrote, and calls f for each id.
func (r *file) occurrences(f func(id int, n uint64) error) error {
	return r.blocks(occurrenceSection, func(b []byte) error {
		for id := 1; len(b) > 0; id++ {
			n, k := binary.Uvarint(b)
			if k <= 0 {
				return r.damaged("section " + occurrenceSection)
			}
			if err := f(id, n); err != nil {
				return err
			}
			b = b[k:]
		}
		return nil
	})
}
