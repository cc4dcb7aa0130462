package concordance

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"fstore/index"
	"fstore/index/glob"
	"fstore/mine/query"
)

// maxPairs is the maximum number of pairs in memory. A pair of a fragment and a sample takes 8 bytes.
const maxPairs = 1 << 26

// PatternHits is like Hits, for the stored fragments that fit the pattern p. Occurrences that span the same
// words of a sample are one hit, with the first of their fragments in key order. Within a sample, hits are
// sorted by their first word, then by descending length.
func PatternHits(ctx context.Context, t *query.Table, p *glob.Pattern, o HitOptions, f func(*Hit) error) (total uint64, err error) {
	h := &patternHits{hits: hits{ctx: ctx, t: t, o: o}}
	h.locate = h.locateAll
	if err := h.collect(p); err != nil {
		return 0, err
	}
	if err := h.dropOtherLabels(); err != nil {
		return 0, err
	}
	if err := h.count(); err != nil {
		return 0, err
	}
	return h.eachSelected(f)
}

type patternHits struct {
	hits
	codes []index.Code // the fragments that fit, ascending
	pairs []uint64     // sample<<32 | index into codes, ascending
	spans []textSpan
}

// textSpan is an occurrence and the words that it spans.
type textSpan struct {
	located
	code     uint32 // the fragment's index in codes
	from, to int    // byte offsets in the text
}

// collect sets h.codes, h.pairs, and the samples with hits.
func (h *patternHits) collect(p *glob.Pattern) error {
	var ids, counts []uint32
	err := h.t.List(h.ctx, query.Filter{Pattern: p}, func(r *query.Row) (err error) {
		if ids, counts, err = h.t.Occurrences(r, ids[:0], counts[:0]); err != nil {
			return err
		}
		if len(h.pairs)+len(ids) > maxPairs {
			return fmt.Errorf("the pattern fits too much: its fragments occur in samples more than %s times", index.Thousands(int64(maxPairs)))
		}
		for _, id := range ids {
			h.pairs = append(h.pairs, uint64(id)<<32|uint64(len(h.codes)))
		}
		h.codes = append(h.codes, bytes.Clone(r.Code))
		return nil
	})
	slices.Sort(h.pairs)
	for i, pair := range h.pairs {
		if id := uint32(pair >> 32); i == 0 || id != h.ids[len(h.ids)-1] {
			h.ids, h.counts = append(h.ids, id), append(h.counts, 0)
		}
	}
	return err
}

// count sets the number of hits in each sample. Several occurrences can be one hit.
func (h *patternHits) count() error {
	var t index.Tree
	for i, id := range h.ids {
		if err := h.ctx.Err(); err != nil {
			return err
		}
		if err := h.t.Store().Sample(id, &t); err != nil {
			return err
		}
		text := Surface(&t, h.t.Symbols())
		h.counts[i] = uint64(len(h.locateAll(i, &t, &text)))
	}
	return nil
}

// locateAll returns the hits in sample h.ids[i], see hits.locate.
func (h *patternHits) locateAll(i int, t *index.Tree, text *Text) []located {
	h.spans, h.found = h.spans[:0], h.found[:0]
	first, _ := slices.BinarySearch(h.pairs, uint64(h.ids[i])<<32)
	for _, pair := range h.pairs[first:] {
		if uint32(pair>>32) != h.ids[i] {
			break
		}
		c := h.codes[uint32(pair)]
		for _, occ := range h.t.Space.Locate(t, c, h.t.Symbols()) {
			left, match, _ := text.Split(occ)
			h.spans = append(h.spans, textSpan{located{occ, nil}, uint32(pair), len(left), len(left) + len(match)})
		}
	}
	slices.SortStableFunc(h.spans, func(a, b textSpan) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	for k, s := range h.spans {
		if k == 0 || s.from != h.spans[k-1].from || s.to != h.spans[k-1].to {
			if h.o.Fragment {
				s.text = h.t.Text(nil, h.codes[s.code])
			}
			h.found = append(h.found, s.located)
		}
	}
	return h.found
}
