package look

import (
	"context"
	"slices"
	"strings"

	"fstore/cli/table"
	"fstore/mine/contrast"
)

// heldRows are the wanted rows of a comparison whose rows can be read again, by their places. They are
// sorted by rank, without their texts: few rows need theirs.
type heldRows struct {
	rows  []heldRow
	ranks []uint32 // how many rows have a rank below
}

// heldRow is a row, by its place, and its rank.
type heldRow struct {
	at, rank uint32
	sign     int8 // of its log ratio
}

func (h *heldRows) add(at int, x *contrast.Row) {
	r := heldRow{at: uint32(at), rank: uint32(x.Rank)}
	switch {
	case x.LogRatio > 0:
		r.sign = 1
	case x.LogRatio < 0:
		r.sign = -1
	}
	h.rows = append(h.rows, r)
}

// sort puts the rows in order by rank, once.
func (h *heldRows) sort() {
	if h.ranks != nil {
		return
	}
	last := uint32(0)
	for _, r := range h.rows {
		last = max(last, r.rank)
	}
	h.ranks = make([]uint32, last+2)
	for _, r := range h.rows {
		h.ranks[r.rank+1]++
	}
	for i := range last + 1 {
		h.ranks[i+1] += h.ranks[i]
	}
	next, sorted := slices.Clone(h.ranks), make([]heldRow, len(h.rows))
	for _, r := range h.rows {
		sorted[next[r.rank]] = r
		next[r.rank]++
	}
	h.rows = sorted
}

// eachRank calls f for the rows of each rank: from the highest rank down, or for sign -1 from the lowest up.
func (h *heldRows) eachRank(sign int8, f func([]heldRow) error) error {
	h.sort()
	for i := range len(h.ranks) - 1 {
		if sign > 0 {
			i = len(h.ranks) - 2 - i
		}
		if some := h.rows[h.ranks[i]:h.ranks[i+1]]; len(some) > 0 {
			if err := f(some); err != nil {
				return err
			}
		}
	}
	return nil
}

// heldHeads is sortedHeads of rows that are held.
func (c *ContrastCommand) heldHeads(ctx context.Context, r *contrastRows, kin *contrast.Kin, sign int8) (rows []*table.Row, err error) {
	looked := 0
	err = r.held.eachRank(sign, func(some []heldRow) error {
		ends := slices.ContainsFunc(some, func(h heldRow) bool { return h.sign != sign })
		if len(some) > 1 && (ends || !kin.IsFull()) {
			if some, err = r.byText(some); err != nil {
				return err
			}
		}
		for _, h := range some {
			if looked++; looked&0xFFF == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if h.sign != sign || !c.Families && kin.IsFull() {
				return errEnough
			}
			row, err := r.ifHead(kin, h)
			if row != nil {
				rows = append(rows, row)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return rows, err
}

// ifHead gives a row to kin, and returns it with all columns if it is one of the heads.
func (r *contrastRows) ifHead(kin *contrast.Kin, h heldRow) (*table.Row, error) {
	x, err := r.t.At(int(h.at))
	if err != nil {
		return nil, err
	}
	if kin.IsFull() {
		if may, err := kin.MayGo(x.Order, x.Posting()); !may || err != nil {
			return nil, err
		}
	}
	if err := x.Settle(); err != nil {
		return nil, err
	}
	isHead, err := kin.AddCode(x.Code)
	if !isHead || err != nil {
		return nil, err
	}
	row := table.NewRow(r.width())
	r.texts.set(row, x.Row)
	first, others := r.split()
	r.set(row, x, first)
	r.set(row, x, others)
	if r.label > 0 {
		row.SetString(r.label, r.t.A.Label)
	}
	return row, nil
}

// byText returns rows in the order of their texts.
func (r *contrastRows) byText(some []heldRow) ([]heldRow, error) {
	texts := make(map[uint32]string, len(some))
	for _, h := range some {
		x, err := r.t.At(int(h.at))
		if err == nil {
			err = x.Settle()
		}
		if err != nil {
			return nil, err
		}
		texts[h.at] = string(r.texts.t.Text(nil, x.Code))
	}
	return slices.SortedFunc(slices.Values(some), func(a, b heldRow) int {
		return strings.Compare(texts[a.at], texts[b.at])
	}), nil
}
