// Package concordance finds the hits of fragments and patterns in trees, and the text left and
// right of them.
package concordance

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"fstore/index"
	"fstore/mine/query"
	"fstore/store"
)

// Hit is one occurrence of a fragment, with the text around it.
type Hit struct {
	ID                    uint32 // of the sample
	Label, Document, Name string
	Left, Match, Right    string
	Text                  string
	Fragment              index.Code
}

// HitOptions say which hits are wanted.
type HitOptions struct {
	Label  string // of samples with this label only; "" is any
	Limit  int    // the first so many; 0 is all
	Sample int    // a random choice of so many, in order; 0 is none
	Seed   uint64 // of the choice
}

// Hits calls f for each wanted occurrence of a fragment, in input order, and
// returns how many there are in all. A fragment that is not stored (below the
// support, or not closed) is looked for in every sample.
func Hits(ctx context.Context, t *query.Table, c index.Code, o HitOptions, f func(*Hit) error) (total uint64, err error) {
	h := &hits{ctx: ctx, t: t, o: o}
	h.locate = func(_ int, t *index.Tree, _ *Text) []located {
		h.found = h.found[:0]
		for _, occ := range h.t.Space.Locate(t, c, h.t.Symbols()) {
			h.found = append(h.found, located{occ: occ, code: c})
		}
		return h.found
	}
	h.ids, h.counts, err = t.Samples(c)
	if errors.Is(err, store.ErrNotFound) {
		h.ids, h.counts, err = h.scan(c)
	}
	if err != nil {
		return 0, err
	}
	if err := h.ofLabel(); err != nil {
		return 0, err
	}
	more := uint64(0) // than are located, and can be wanted
	for i, n := range h.counts {
		h.counts[i] = min(n, index.MaxLocated)
		more += uint64(n - h.counts[i])
	}
	total, err = h.wanted(f)
	return total + more, err
}

type hits struct {
	ctx context.Context
	t   *query.Table
	o   HitOptions

	ids, counts []uint32 // samples with hits, how many
	// locate returns the hits in sample ids[i], valid until the next call.
	locate func(i int, t *index.Tree, text *Text) []located
	found  []located
}

// located is an occurrence of a fragment.
type located struct {
	occ  index.Occurrence
	code index.Code
}

// ofLabel leaves the samples of the wanted label.
func (h *hits) ofLabel() error {
	if h.o.Label == "" {
		return nil
	}
	label, err := h.t.FindLabel(h.o.Label)
	if err != nil {
		return err
	}
	bm, err := h.t.Store().LabelBitmap(label)
	if err != nil {
		return err
	}
	n := 0
	for i, id := range h.ids {
		if bm.Contains(id) {
			h.ids[n], h.counts[n] = id, h.counts[i]
			n++
		}
	}
	h.ids, h.counts = h.ids[:n], h.counts[:n]
	return nil
}

// scan looks into every sample.
func (h *hits) scan(c index.Code) (ids, counts []uint32, err error) {
	s := h.t.Store()
	err = s.Samples(0, s.Meta().Samples, func(id uint32, t *index.Tree) error {
		if n := len(h.t.Space.Locate(t, c, h.t.Symbols())); n > 0 {
			ids, counts = append(ids, id), append(counts, uint32(n))
		}
		return h.ctx.Err()
	})
	return ids, counts, err
}

// wanted calls f for the wanted hits.
func (h *hits) wanted(f func(*Hit) error) (total uint64, err error) {
	for _, n := range h.counts {
		total += uint64(n)
	}
	return total, h.each(f, h.choose(total))
}

// choose returns the numbers of the wanted hits, ascending; nil is all.
func (h *hits) choose(total uint64) []uint64 {
	n := uint64(h.o.Sample)
	if n == 0 || n >= total {
		return nil
	}
	// Floyd's way to n different numbers below total.
	r := rand.New(rand.NewPCG(h.o.Seed, 0))
	chosen := make(map[uint64]bool, n)
	for top := total - n; top < total; top++ {
		x := r.Uint64N(top + 1)
		if chosen[x] {
			x = top
		}
		chosen[x] = true
	}
	all := make([]uint64, 0, n)
	for x := range chosen {
		all = append(all, x)
	}
	slices.Sort(all)
	return all
}

func (h *hits) each(f func(*Hit) error, chosen []uint64) error {
	var t index.Tree
	number, given := uint64(0), 0
	for i, id := range h.ids {
		if err := h.ctx.Err(); err != nil {
			return err
		}
		if chosen != nil && (given == len(chosen) || chosen[given] >= number+uint64(h.counts[i])) {
			number += uint64(h.counts[i])
			continue
		}
		if err := h.t.Store().Sample(id, &t); err != nil {
			return err
		}
		text := Surface(&t, h.t.Symbols())
		for _, x := range h.locate(i, &t, &text) {
			if chosen != nil && (given == len(chosen) || chosen[given] != number) {
				number++
				continue
			}
			number++
			if h.o.Limit > 0 && given == h.o.Limit {
				return nil
			}
			given++
			hit := Hit{ID: id, Label: t.Label, Document: t.Document, Name: t.Name, Text: text.Text, Fragment: x.code}
			hit.Left, hit.Match, hit.Right = text.Split(x.occ)
			if err := f(&hit); err != nil {
				return err
			}
		}
	}
	return nil
}
