// Package concordance finds the hits of fragments and patterns in trees, and the text left and
// right of them.
package concordance

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/count"
	"fstore/mine/query"
)

// Hit is one occurrence of a fragment, with the text around it.
type Hit struct {
	ID                    uint32 // sample id
	Label, Document, Name string
	Left, Match, Right    string
	Text                  string
	Fragment              []byte // the fragment as text, if HitOptions.Fragment is set
	Positions             string // places of the nodes, see Positions
}

// HitOptions say which hits are selected, and whether Hit.Fragment is set.
type HitOptions struct {
	Label    string // only samples with this label, perhaps among several; "" means any label
	Document string // only samples of this document; "" means any document
	// Before and After are the words directly before and after the match. Upper and lower case count as the
	// same. The value "" means any word.
	Before, After string
	Limit         int    // only the first Limit hits; 0 means all hits
	Sample        int    // a random choice of this many hits, in input order; 0 means all hits
	Seed          uint64 // seed of the random choice
	Fragment      bool   // fill in Hit.Fragment
	All           bool   // ignore Limit, because the caller selects the hits
}

// Hits calls f for each selected hit of a construction in the trees `x`, in input order. It returns the
// number of hits before selection. `t` must belong to the same store as `x`.
func Hits(ctx context.Context, t *query.Table, x *count.Trees, c *count.Construction, o HitOptions, f func(*Hit) error) (total uint64, err error) {
	found, err := x.Find(ctx, []*count.Construction{c}, count.Options{HitsOnly: true})
	if err != nil {
		return 0, err
	}
	h := &hits{ctx: ctx, t: t, o: o}
	finder := c.Finder(t.Symbols())
	h.locate = func(_ int, tree *index.Tree, _ *Text) []located {
		h.found = h.found[:0]
		finder.Each(tree, func(row []int32) bool {
			l := located{occ: slices.Clone(row)}
			switch {
			case !o.Fragment:
			case c.Pattern != nil:
				l.text = c.Pattern.AppendInstance(nil, tree, row, t.Symbols())
			default:
				l.text = []byte(c.Text)
			}
			h.found = append(h.found, l)
			return len(h.found) < index.MaxLocated
		})
		return h.found
	}
	h.ids, h.counts, _ = found[0].Samples()
	if err := h.dropOtherLabels(); err != nil {
		return 0, err
	}
	more := uint64(0) // hits that are counted but not located, above index.MaxLocated in a sample
	for i, n := range h.counts {
		h.counts[i] = min(n, index.MaxLocated)
		more += n - h.counts[i]
	}
	total, err = h.eachSelected(f)
	return total + more, err
}

type hits struct {
	ctx context.Context
	t   *query.Table
	o   HitOptions

	ids    []uint32 // samples with hits
	counts []uint64 // number of hits in each sample
	// locate returns the hits in sample ids[i]. The hits are valid until the next call.
	locate func(i int, t *index.Tree, text *Text) []located
	found  []located
	number uint64 // number of hits that the method each has passed
}

// located is a hit with its nodes in the tree and its fragment as text.
type located struct {
	occ  []int32
	text []byte
}

// dropOtherLabels keeps only the samples with the wanted label and document.
func (h *hits) dropOtherLabels() error {
	var wanted []*roaring.Bitmap
	if h.o.Label != "" {
		labels, err := h.t.FindUnion(h.o.Label)
		if err != nil {
			return err
		}
		any := roaring.New()
		for _, label := range labels {
			bm, err := h.t.Store().LabelBitmap(label)
			if err != nil {
				return err
			}
			any.Or(bm)
		}
		wanted = append(wanted, any)
	}
	if h.o.Document != "" {
		bm, err := h.ofDocument()
		if err != nil {
			return err
		}
		wanted = append(wanted, bm)
	}
	n := 0
	for i, id := range h.ids {
		if !slices.ContainsFunc(wanted, func(bm *roaring.Bitmap) bool { return !bm.Contains(id) }) {
			h.ids[n], h.counts[n] = id, h.counts[i]
			n++
		}
	}
	h.ids, h.counts = h.ids[:n], h.counts[:n]
	return nil
}

// ofDocument returns the samples of the wanted document. If there are none, it returns an *index.UsageError.
func (h *hits) ofDocument() (*roaring.Bitmap, error) {
	bm, names := roaring.New(), map[string]bool{}
	s := h.t.Store()
	err := s.SampleHeads(0, s.Meta().Samples, func(id uint32, t *index.Tree) error {
		if t.Document == h.o.Document {
			bm.Add(id)
		}
		names[t.Document] = true
		return nil
	})
	if err != nil || !bm.IsEmpty() {
		return bm, err
	}
	near := index.DidYouMean(h.o.Document, slices.Sorted(maps.Keys(names)))
	return nil, index.Usagef("the store has no document %s%s", h.o.Document, near)
}

// eachSelected calls f for the selected hits. It returns the number of hits before Limit and Sample apply.
func (h *hits) eachSelected(f func(*Hit) error) (total uint64, err error) {
	for _, n := range h.counts {
		total += n
	}
	if h.o.Before == "" && h.o.After == "" {
		return total, h.each(f, h.choose(total))
	}
	// All hits must be read to find those with the wanted words before and after them.
	have := []uint64{}
	all := *h
	all.o.Limit = 0
	err = all.each(func(x *Hit) error {
		if h.hasWords(x) {
			have = append(have, all.number-1)
		}
		return nil
	}, nil)
	if err != nil {
		return 0, err
	}
	chosen := have
	if of := h.choose(uint64(len(have))); of != nil {
		chosen = chosen[:0]
		for _, i := range of { // the numbers ascend, so no entry is overwritten before it is read
			chosen = append(chosen, have[i])
		}
	}
	return uint64(len(have)), h.each(f, chosen)
}

// hasWords says whether the words directly before and after a hit are the wanted words.
func (h *hits) hasWords(x *Hit) bool {
	if before := strings.Fields(x.Left); h.o.Before != "" && (len(before) == 0 || !strings.EqualFold(before[len(before)-1], h.o.Before)) {
		return false
	}
	after := strings.Fields(x.Right)
	return h.o.After == "" || len(after) > 0 && strings.EqualFold(after[0], h.o.After)
}

// choose returns the indexes of randomly chosen hits, in ascending order, or nil for all hits.
func (h *hits) choose(total uint64) []uint64 {
	n := uint64(h.o.Sample)
	if n == 0 || n >= total {
		return nil
	}
	// Floyd's algorithm draws n different numbers below total.
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
	given := 0
	h.number = 0
	for i, id := range h.ids {
		if err := h.ctx.Err(); err != nil {
			return err
		}
		if chosen != nil && (given == len(chosen) || chosen[given] >= h.number+h.counts[i]) {
			h.number += h.counts[i]
			continue
		}
		if err := h.t.Store().Sample(id, &t); err != nil {
			return err
		}
		text := Surface(&t, h.t.Symbols())
		for _, x := range h.locate(i, &t, &text) {
			if chosen != nil && (given == len(chosen) || chosen[given] != h.number) {
				h.number++
				continue
			}
			h.number++
			if h.o.Limit > 0 && given == h.o.Limit && !h.o.All {
				return nil
			}
			given++
			hit := Hit{ID: id, Label: t.Label, Document: t.Document, Name: t.Name, Text: text.Text, Fragment: x.text}
			hit.Left, hit.Match, hit.Right = text.Split(x.occ)
			hit.Positions = Positions(&t, x.occ)
			if err := f(&hit); err != nil {
				return err
			}
		}
	}
	return nil
}

// Positions returns the word numbers, from 1, of the nodes of a hit, joined by commas. A constituent of
// several words is a range such as 2-4. A constituent without words is 0.
func Positions(t *index.Tree, nodes []int32) string {
	var before []int
	if t.Kind == index.Constituency {
		before = wordsBefore(t)
	}
	var all []string
	for _, i := range nodes {
		from, to := int(i)+1, int(i)+1
		if before != nil {
			from, to = before[i]+1, before[i+t.Nodes[i].Size]
		}
		switch {
		case to < from:
			all = append(all, "0")
		case from == to:
			all = append(all, strconv.Itoa(from))
		default:
			all = append(all, strconv.Itoa(from)+"-"+strconv.Itoa(to))
		}
	}
	return strings.Join(all, ",")
}
