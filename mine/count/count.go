package count

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"
	"golang.org/x/sync/errgroup"

	"fstore/index"
)

// Options say how to count constructions.
type Options struct {
	By      By
	Workers int // 0: one per processor
	// HitsOnly says that places (nodes at which hits begin) are not needed. Then the posting list of a stored
	// fragment is enough, if it has all hits.
	HitsOnly bool
	Progress index.Progress
}

// Count counts constructions. It reads a tree at most once, and only if the tree can have a hit.
func (x *Trees) Count(ctx context.Context, all []*Construction, o Options) ([]*Counts, error) {
	counts, err := x.Find(ctx, all, o)
	if err != nil {
		return nil, err
	}
	g, err := x.group(ctx, o.By, o.progress())
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		c.Rows, c.Documents = g.rows(c.found), g.document != nil
	}
	return counts, nil
}

func (o *Options) progress() index.Progress {
	return cmp.Or[index.Progress](o.Progress, index.NoProgress{})
}

// chunkHits has the hits of each construction in one chunk of samples, and the number of samples read.
type chunkHits struct {
	found [][]sampleHits
	read  []int
}

// Find is like Count, but does not set Counts.Rows.
func (x *Trees) Find(ctx context.Context, all []*Construction, o Options) ([]*Counts, error) {
	counts, err := x.newCounts(all)
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		if err := x.findKnown(c, o.HitsOnly); err != nil {
			return nil, err
		}
	}
	results := map[int]*chunkHits{}
	err = x.each(ctx, counts, o, func() visitor {
		own := make([]Finder, len(all))
		for i, c := range all {
			own[i] = c.Finder(x.syms)
		}
		return func(chunk int) (func(id uint32, t *index.Tree) error, func()) {
			r := &chunkHits{found: make([][]sampleHits, len(all)), read: make([]int, len(all))}
			visit := func(id uint32, t *index.Tree) error {
				for i, c := range counts {
					if c.known || !c.Bound.has(id) {
						continue
					}
					r.read[i]++
					hits, places, err := own[i].Count(t)
					if err != nil {
						return err
					}
					if hits > 0 {
						r.found[i] = append(r.found[i], sampleHits{id, hits, uint32(places)})
					}
				}
				return nil
			}
			return visit, func() { results[chunk] = r }
		}
	})
	if err != nil {
		return nil, err
	}
	for k := range len(results) {
		for i, c := range counts {
			if c.known {
				continue
			}
			c.found = append(c.found, results[k].found[i]...)
			c.Read += results[k].read[i]
		}
	}
	for _, c := range counts {
		c.Match = len(c.found)
		if !c.known {
			x.keepHits(c)
		}
	}
	return counts, nil
}

// newCounts returns a Counts for each construction, with the samples in which it can occur.
func (x *Trees) newCounts(all []*Construction) ([]*Counts, error) {
	counts := make([]*Counts, len(all))
	for i, c := range all {
		b, err := x.Bound(c)
		if err != nil {
			return nil, err
		}
		counts[i] = &Counts{Construction: c, Bound: b}
	}
	return counts, nil
}

// has reports whether a sample can have hits.
func (b *Bound) has(id uint32) bool { return b.Samples == nil || b.Samples.Contains(id) }

// chunk is a part of the samples: those in ids, or if ids is nil, those with from ≤ id < to.
type chunk struct {
	ids      []uint32
	from, to uint32
}

// chunkSize is the number of samples in a chunk, which one worker reads at a time.
const chunkSize = 512

// chunks splits the samples that can have hits into chunks. It also returns the number of these samples.
func (x *Trees) chunks(counts []*Counts) (all []chunk, samples int) {
	set, everywhere := roaring.New(), false
	for _, c := range counts {
		switch {
		case c.known:
		case c.Bound.Samples == nil:
			everywhere = true
		default:
			set.Or(c.Bound.Samples)
		}
	}
	if everywhere {
		n := x.s.Meta().Samples
		for from := uint32(0); from < n; from += chunkSize {
			all = append(all, chunk{from: from, to: min(from+chunkSize, n)})
		}
		return all, int(n)
	}
	ids := set.ToArray()
	for part := range slices.Chunk(ids, chunkSize) {
		all = append(all, chunk{ids: part})
	}
	return all, len(ids)
}

// visitor begins a chunk of samples. It returns the function for each sample, and the function for the end of
// the chunk. Calls of `done` never overlap.
type visitor func(chunk int) (visit func(id uint32, t *index.Tree) error, done func())

// each reads the samples that can have hits, with several goroutines. Each goroutine calls newVisitor once.
func (x *Trees) each(ctx context.Context, counts []*Counts, o Options, newVisitor func() visitor) error {
	chunks, samples := x.chunks(counts)
	progress := o.progress()
	progress.Step("search", "samples", int64(samples))
	g, ctx := errgroup.WithContext(ctx)
	var taken atomic.Int64 // number of chunks taken by workers
	var mu sync.Mutex
	for range min(index.Workers(o.Workers), len(chunks)) {
		g.Go(func() error {
			begin := newVisitor()
			for {
				n := int(taken.Add(1)) - 1
				if n >= len(chunks) {
					return nil
				}
				c := chunks[n]
				visit, done := begin(n)
				check := func(id uint32, t *index.Tree) error {
					if err := visit(id, t); err != nil {
						return err
					}
					return ctx.Err()
				}
				var err error
				if c.ids != nil {
					err = x.s.SampleSet(c.ids, check)
				} else {
					err = x.s.Samples(c.from, c.to, check)
				}
				if err != nil {
					return err
				}
				mu.Lock()
				done()
				progress.Add(int64(max(len(c.ids), int(c.to-c.from))))
				mu.Unlock()
			}
		})
	}
	return g.Wait()
}
