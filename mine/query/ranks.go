package query

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
)

// TextRanks sorts the fragments by the bytes of their texts. Element id-1 of the result is the rank of
// fragment `id`. The result is nil if the texts take too much memory. The first call makes all texts.
func (t *Table) TextRanks(ctx context.Context) ([]uint32, error) {
	key := struct{ textRanks, space uint32 }{space: t.Info.Number}
	v, err := t.s.Hold(key, 4*int64(t.Info.Features), func() (any, int64, error) {
		ranks, err := t.rankTexts(ctx)
		return ranks, 4 * int64(len(ranks)), err
	})
	ranks, _ := v.([]uint32)
	return ranks, err
}

// mostTexts limits the memory for texts, in bytes. It must be below 2^32, because an offset in this memory
// has 32 bits.
const mostTexts = 1 << 30

var errTexts = errors.New("more texts than are sorted in memory")

// rankedText is the text of a fragment while texts are sorted. Most comparisons need only its first bytes.
type rankedText struct {
	head uint64 // the first bytes of the text
	at   uint32 // the place of the text in chunks
	id   uint32
}

func (t *Table) rankTexts(ctx context.Context) ([]uint32, error) {
	late := t.LateOrder
	t.LateOrder = false
	defer func() { t.LateOrder = late }()
	all := make([]rankedText, 0, t.Info.Features)
	var texts chunks
	var text []byte
	err := t.Each(ctx, func(r *Row) error {
		text = t.Text(text[:0], r.Code)
		var head [8]byte
		copy(head[:], text)
		all = append(all, rankedText{binary.BigEndian.Uint64(head[:]), texts.add(text), r.ID})
		if len(texts) > mostTexts/chunkBytes {
			return errTexts
		}
		return nil
	})
	if errors.Is(err, errTexts) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b rankedText) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return bytes.Compare(texts.at(a.at), texts.at(b.at))
	})
	ranks := make([]uint32, len(all))
	for i, x := range all {
		ranks[x.id-1] = uint32(i)
	}
	return ranks, nil
}

// chunks stores many texts in several pieces of memory. A single piece would have to be copied when it grows.
type chunks [][]byte

const chunkBytes = 1 << 20

// add copies a text into the chunks, and returns its offset for the method `at`.
func (c *chunks) add(text []byte) uint32 {
	need := len(text) + binary.MaxVarintLen32
	if n := len(*c); n == 0 || len((*c)[n-1])+need > cap((*c)[n-1]) {
		*c = append(*c, make([]byte, 0, max(need, chunkBytes)))
	}
	last := &(*c)[len(*c)-1]
	at := uint32((len(*c)-1)*chunkBytes + len(*last))
	*last = append(binary.AppendUvarint(*last, uint64(len(text))), text...)
	return at
}

// at returns the text that add has stored at this offset.
func (c chunks) at(offset uint32) []byte {
	b := c[offset/chunkBytes][offset%chunkBytes:]
	n, k := binary.Uvarint(b)
	return b[k : k+int(n)]
}
