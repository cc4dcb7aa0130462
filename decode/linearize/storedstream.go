package linearize

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/store"
	"fstore/store/posting"
)

// RunStored writes the vectors of the store's samples, as Run does for store.NewSource. It makes them from
// posting lists, and holds vectors of at most maxBytes, or 1 GiB if maxBytes is 0. It reads the trees only if
// the posting lists do not suffice:
//   - for NormalizeKernel, which needs K(t, t)
//   - for KernelValue in spaces where matches decay (index.Decaying)
//   - for selections with fragments that are not stored
func (s *Stream) RunStored(maxBytes int64, progress index.Progress) error {
	x, err := s.l.transpose(s.ctx, maxBytes, progress)
	if errors.Is(err, errNotStored) {
		progress.Step("linearize", "samples", int64(s.l.S.Meta().Samples))
		return s.Run(&storedSource{store.NewSource(s.l.S), s.o.Wanted, progress})
	}
	if err != nil {
		return err
	}
	defer s.cancel(nil)
	err = x.each(func(t *index.Tree, v *vector.Vector) (err error) {
		if s.o.Wanted != nil && !s.o.Wanted(t) {
			return nil
		}
		if v.Label, err = s.l.label(t.Label); err != nil {
			return read.BadTree(read.Place{File: t.Name}, 0, err)
		}
		return s.add(t, v)
	})
	if err == nil {
		err = s.writeSums()
	}
	return errors.Join(err, s.w.Flush())
}

// storedSource returns the wanted samples of a source, and counts all samples as progress.
type storedSource struct {
	index.Source
	wanted   func(*index.Tree) bool
	progress index.Progress
}

func (r *storedSource) Next(t *index.Tree) error {
	for {
		if err := r.Source.Next(t); err != nil {
			return err
		}
		r.progress.Add(1)
		if r.wanted == nil || r.wanted(t) {
			return nil
		}
	}
}

// transposed makes the vectors of a store's samples from posting lists alone. It reads the lists again for
// each run of samples whose vectors fit into memory.
type transposed struct {
	ctx      context.Context
	l        *Linearizer
	w        *Worker
	memory   int64
	progress index.Progress

	length []uint32 // sample → length of its vector
	ids    []uint32 // the current posting list: its samples, and the number of occurrences in each sample
	counts []uint32

	// Vector i of the current samples has the features id[start[i]:start[i+1]] and the values
	// value[start[i]:start[i+1]].
	start []int
	next  []int // vector → position of its next feature
	id    []uint32
	value []float64
}

// entryBytes is the size of one feature in a vector, in bytes.
const entryBytes = 4 + 8

// errNotStored says that the posting lists do not contain enough to make the vectors of the samples.
var errNotStored = errors.New("the posting lists do not tell")

// transpose reads the posting lists once. If they do not suffice for the values, it returns errNotStored.
func (l *Linearizer) transpose(ctx context.Context, maxBytes int64, progress index.Progress) (*transposed, error) {
	decays := func(c *columns) bool {
		_, ok := c.Space.(index.Decaying)
		return ok
	}
	if l.O.Normalize == NormalizeKernel || l.O.Weight == KernelValue && slices.ContainsFunc(l.Columns, decays) {
		return nil, errNotStored
	}
	x := &transposed{ctx: ctx, l: l, w: l.NewWorker(), memory: cmp.Or(maxBytes, 1<<30), progress: progress}
	x.length = make([]uint32, l.S.Meta().Samples)
	return x, x.pass(func(*columnsWorker, *index.Hit) error {
		for _, sample := range x.ids {
			x.length[sample]++
		}
		return nil
	})
}

// pass calls f for each feature that occurs in a sample, in order of ids. The posting list is in x.ids and
// x.counts.
func (x *transposed) pass(f func(c *columnsWorker, h *index.Hit) error) error {
	x.progress.Step("read postings", "fragments", int64(x.l.features))
	samples := x.l.S.Meta().Samples
	for i := range x.w.Columns {
		c := &x.w.Columns[i]
		var h index.Hit
		err := c.eachPosting(x.ctx, x.l.S, func(n uint32, code index.Code, list []byte) (err error) {
			h.ID = n
			if x.l.O.Weight == KernelValue {
				if err := c.Space.Check(code, x.l.Syms); err != nil {
					return c.damaged(x.l.S, err)
				}
				h.Order = int32(code.Len())
			}
			x.ids, x.counts, err = posting.Decode(list, samples, x.ids[:0], x.counts[:0])
			if err != nil {
				return c.damaged(x.l.S, err)
			}
			x.progress.Add(1)
			return f(c, &h)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lookEvery is the number of fragments or samples after which the context is checked again.
const lookEvery = 4096

// eachPosting calls f for each feature of c, with its number, code and posting list.
func (c *columns) eachPosting(ctx context.Context, s *store.Store, f func(n uint32, code index.Code, list []byte) error) (err error) {
	it, err := s.Iter(c.space, nil, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	if c.Selection != "" {
		return s.Entries(c.Selection, 1, c.X.Features()+1, func(n uint32, e *store.Entry) error {
			if n%lookEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if n = c.Number(n); n == 0 {
				return nil
			}
			if !it.SeekGE(e.Code) || !bytes.Equal(it.Key(), e.Code) {
				return cmp.Or(it.Err(), errNotStored)
			}
			return f(n, e.Code, it.Value())
		})
	}
	n := uint32(0)
	for it.Next() {
		if n++; n%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		feature := c.Number(n)
		if feature == 0 {
			continue
		}
		if err := f(feature, it.Key(), it.Value()); err != nil {
			return err
		}
	}
	if it.Err() != nil {
		return nil // Close returns this error
	}
	return c.checkCount(s, n, c.X.Features())
}

// load makes vectors of the samples [from, end): as many as fit into memory, but at least one.
func (x *transposed) load(from uint32) (end uint32, err error) {
	x.start, x.next = append(x.start[:0], 0), x.next[:0]
	size := 0
	for end = from; int(end) < len(x.length); end++ {
		n := int(x.length[end])
		if end > from && int64(size+n)*entryBytes > x.memory {
			break
		}
		x.next = append(x.next, size)
		size += n
		x.start = append(x.start, size)
	}
	x.id = slices.Grow(x.id[:0], size)[:size]
	x.value = slices.Grow(x.value[:0], size)[:size]
	return end, x.pass(func(c *columnsWorker, h *index.Hit) error {
		i, _ := slices.BinarySearch(x.ids, from)
		for ; i < len(x.ids) && x.ids[i] < end; i++ {
			h.Match.Count = float64(x.counts[i])
			at := x.next[x.ids[i]-from]
			x.id[at], x.value[at] = c.Base+h.ID, c.value(h)
			x.next[x.ids[i]-from]++
		}
		return nil
	})
}

// each calls f for each sample in order. The tree is as from store.SampleHeads, and the vector has no label.
// Both are valid during the call.
func (x *transposed) each(f func(t *index.Tree, v *vector.Vector) error) error {
	var v vector.Vector
	for from := uint32(0); int(from) < len(x.length); {
		end, err := x.load(from)
		if err != nil {
			return err
		}
		err = x.l.S.SampleHeads(from, end, func(sample uint32, t *index.Tree) error {
			if sample%lookEvery == 0 && x.ctx.Err() != nil {
				return x.ctx.Err()
			}
			i, k := x.start[sample-from], x.start[sample-from+1]
			v.Sample, v.ID, v.Value = t.Name, x.id[i:k], x.value[i:k]
			if x.l.O.Normalize == NormalizeL2 {
				normalizeL2(v.Value)
			}
			return f(t, &v)
		})
		if err != nil {
			return err
		}
		from = end
	}
	return nil
}
