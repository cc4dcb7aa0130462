package grow

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/store/posting"
	"fstore/store/runfile"
)

// levels grows the fragments of samples that need far more than the memory. For each order, it reads all
// samples once, in chunks that fit in memory. It grows only below fragments that are frequent in all samples
// together. The fragments of all chunks are sorted on disk, and the posting lists of equal fragments are
// joined.
type levels struct {
	g     *Growth
	files []*levelFile // order r is at r-1
	found uint64       // number of frequent fragments of all orders
	next  int          // number of nodes in a chunk of samples; 0 before the first chunk
}

// manyRanges times itemBytes is a limit in bytes: if the occurrences need more, growth by levels is faster.
const manyRanges = 4

// ByLevels says whether Run grows the fragments by levels.
func (g *Growth) ByLevels() bool {
	if g.Items != nil || g.Scratch == nil || g.Limits.Closed {
		return false
	}
	total := occurrencesOf(g.roots())
	a, ok := g.Space.(index.Additive)
	return ok && a.Additive() && total > uint64(manyRanges*g.itemBytes()/occurrenceBytes)
}

// Run grows all fragments. It calls task for ranges in ascending order, from one goroutine. Together the
// ranges hold every fragment. A worker fills the sink that task returns.
func (g *Growth) Run(task func(index.Range) (Sink, error)) error {
	if g.ByLevels() {
		return g.growLevels(task)
	}
	return g.Ranges(func(r index.Range) (Task, error) {
		out, err := task(r)
		return Into(out, nil), err
	})
}

// growLevels grows all fragments by levels, as one range.
func (g *Growth) growLevels(task func(index.Range) (Sink, error)) error {
	l := &levels{g: g}
	return errors.Join(l.run(task), g.Scratch.Remove())
}

func (l *levels) run(task func(index.Range) (Sink, error)) error {
	most := cmp.Or(l.g.Limits.MaxOrder, math.MaxInt)
	// The tally of first steps shows already which of them are frequent, so one pass can take orders 1 and 2.
	for from, to := 1, min(2, most); to <= most; from, to = to+1, to+1 {
		last := len(l.files)
		if err := l.pass(from, to); err != nil {
			return err
		}
		if n := len(l.files); n == last || l.files[n-1].n == 0 {
			break
		}
	}
	out, err := task(index.Range{Lo: l.g.roots()[0].step.Packed(), Hi: index.All.Hi})
	if err != nil {
		return err
	}
	return finish(out, l.merge(out))
}

// pass finds the frequent fragments with from ≤ order ≤ to.
func (l *levels) pass(from, to int) error {
	g := l.g
	s := runfile.NewSorter(g.Scratch.Sub("sort"), runfile.SortOptions{
		Key: codeOf, Budget: int(min(g.itemBytes()/2, math.MaxInt32)),
	})
	if err := l.read(s, from, to); err != nil {
		return errors.Join(err, s.Close())
	}
	it, err := s.Sort()
	if err != nil {
		return err
	}
	return errors.Join(l.joinLists(it, from, to), it.Close())
}

func orders(from, to int) string {
	if from < to {
		return fmt.Sprintf("%d to %d", from, to)
	}
	return strconv.Itoa(to)
}

// read grows the fragments of one chunk of samples after another, and adds them to s.
func (l *levels) read(s *runfile.Sorter, from, to int) error {
	g := l.g
	g.Progress.Step("mine "+g.Space.ID()+", order "+orders(from, to), "samples", int64(g.Samples))
	limits := index.Limits{MinSupport: 1, MaxOrder: to}
	items, other, held := g.Space.NewItems(g.Syms), index.Items(nil), 0
	out := &sharedSorter{s: s}
	var growing errgroup.Group // growth of one chunk of samples
	grow := func() error {
		if err := growing.Wait(); err != nil {
			return err
		}
		full := items
		growing.Go(func() error {
			full.Seal()
			err := l.grow(full, limits, from, out)
			full.Reset()
			return err
		})
		held = 0
		if g.Workers == 1 {
			return growing.Wait()
		}
		if items, other = other, full; items == nil {
			items = g.Space.NewItems(g.Syms)
		}
		return nil
	}
	// Growth takes about as much memory as the items themselves.
	shares := int64(2)
	if g.Workers > 1 {
		shares = 3
	}
	err := g.addTo(&items, index.All, limits, func(id uint32, nodes int) error {
		held += nodes
		// Only the first full chunk is measured, because items keep their memory after Reset.
		if l.next == 0 && items.Bytes() >= g.itemBytes()/shares {
			l.next = held
		}
		if l.next > 0 && held >= l.next {
			if err := grow(); err != nil {
				return err
			}
		}
		if id&0xFF != 0 {
			return nil
		}
		g.Progress.Add(0x100)
		return g.Ctx.Err()
	})
	if err == nil {
		err = grow()
	}
	if end := growing.Wait(); err == nil {
		err = end
	}
	return err
}

// grow grows the fragments of one chunk, in several ranges of first steps at the same time. Chunks are grown
// one after another, so the records of a fragment are in the order of the chunks.
func (l *levels) grow(items index.Items, limits index.Limits, from int, out *sharedSorter) error {
	g := l.g
	pool, ctx := errgroup.WithContext(g.Ctx)
	pool.SetLimit(g.Workers)
	ranges := []index.Range{index.All}
	if g.Workers > 1 {
		roots := g.roots()
		ranges = cut(roots, index.All.Hi, max(occurrencesOf(roots)/uint64(levelTasks*g.Workers), 1))
	}
	for _, r := range ranges {
		pool.Go(func() error {
			v := &levelVisitor{ctx: ctx, l: l, from: from, to: limits.MaxOrder, out: out}
			_, err := items.Grow(r, index.Weights{}, limits, v)
			return errors.Join(err, v.close())
		})
	}
	return pool.Wait()
}

// levelTasks is how many ranges a worker gets for each chunk. More ranges share the work more evenly, but
// read the file of frequent fragments more often.
const levelTasks = 3

// joinLists joins the posting lists of a fragment from different chunks. It writes the frequent fragments of
// each order to a levelFile.
func (l *levels) joinLists(it *runfile.Sorted, from, to int) error {
	g := l.g
	var err error
	for r := from; err == nil && r <= to; r++ {
		var f *levelFile
		if f, err = createLevel(g.Scratch, r); err == nil {
			l.files = append(l.files, f)
		}
	}
	var code index.Code
	var samples, counts, places []uint32
	sum := func() error {
		if len(code) == 0 {
			return nil
		}
		order := code.Len()
		if uint32(len(samples)) < g.Limits.MinSupport {
			g.Counts.Count(order, 1, 1)
			return nil
		}
		g.Counts.Count(order, 1, 0)
		total := uint64(0)
		for _, n := range counts {
			total += uint64(n)
		}
		if total > math.MaxUint32 {
			most := slices.Index(counts, slices.Max(counts))
			return &index.OccurrenceError{Order: order, Limit: math.MaxUint32, Sample: samples[most] + 1}
		}
		if l.found++; g.Most > 0 && l.found > g.Most {
			return tooMany(g.Most)
		}
		return l.files[order-1].add(code, samples, counts, places)
	}
	for n := 0; err == nil && it.Next(); n++ {
		c, list, _ := runfile.CutBlock(it.Value())
		if !bytes.Equal(c, code) {
			err = sum()
			code = append(code[:0], c...)
			samples, counts, places = samples[:0], counts[:0], places[:0]
		}
		if err == nil {
			samples, counts, places, err = posting.DecodePlaces(list, g.Samples, samples, counts, places)
		}
		if err == nil && n&0xFFF == 0 {
			err = g.Ctx.Err()
		}
	}
	if err == nil {
		err = sum()
	}
	for _, f := range l.files[from-1:] {
		err = errors.Join(err, f.close())
	}
	return err
}

// merge passes the frequent fragments of all orders to out, in code order.
func (l *levels) merge(out Sink) (err error) {
	g := l.g
	g.Progress.Step("load "+g.Space.ID(), "fragments", int64(l.found))
	var files []*runfile.File
	for _, f := range l.files {
		files = append(files, f.records)
	}
	it, err := runfile.Merge(g.Scratch, files, codeOf)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	for n := 1; it.Next(); n++ {
		code, list, _ := runfile.CutBlock(it.Value())
		if err := out.Put(code, index.Code(code).Len(), list); err != nil {
			return err
		}
		if n&0xFFF == 0 {
			g.Progress.Add(0x1000)
			if err := g.Ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// levelVisitor visits the fragments of a range in one chunk of samples, and adds them to the sorter. It
// descends only below fragments that are frequent in all samples together.
type levelVisitor struct {
	ctx      context.Context
	l        *levels
	from, to int
	out      *sharedSorter
	records  []byte            // records that are not in out yet, as blocks
	frequent []*runfile.Reader // codes of order r are at r-2
	visits   uint
	code     index.Code
	record   []byte
}

func (v *levelVisitor) Visit(b *index.Batch) error {
	if v.visits++; v.visits&0xFF == 0 {
		if err := v.ctx.Err(); err != nil {
			return err
		}
	}
	order := b.Parent.Len() + 1
	for i := range b.Len() {
		v.code = append(append(v.code[:0], b.Parent...), b.SuffixOf(i)...)
		if order >= v.from {
			v.record = appendRecord(v.record[:0], v.code, b.SamplesOf(i), b.CountsOf(i), b.PlacesOf(i))
			v.records = runfile.AppendBlock(v.records, v.record)
			if len(v.records) >= recordBatch {
				if err := v.flush(); err != nil {
					return err
				}
			}
		}
		if order == v.to {
			continue
		}
		var err error
		if b.Descend[i], err = v.isFrequent(order); err != nil {
			return err
		}
	}
	return nil
}

// isFrequent says whether v.code is frequent in all samples together. Calls for one order must come in code
// order.
func (v *levelVisitor) isFrequent(order int) (bool, error) {
	if order == 1 {
		roots := v.l.g.roots()
		step, _, _ := v.code.Next()
		i, ok := findRoot(roots, step.Packed())
		return ok && roots[i].support >= v.l.g.Limits.MinSupport, nil
	}
	for len(v.frequent) < order-1 {
		r, err := v.l.files[len(v.frequent)+1].codes.Blocks()
		if err != nil {
			return false, err
		}
		v.frequent = append(v.frequent, r)
	}
	r := v.frequent[order-2]
	for !r.End && bytes.Compare(r.Value, v.code) < 0 {
		if err := r.Next(); err != nil && err != io.EOF {
			return false, err
		}
	}
	return bytes.Equal(r.Value, v.code), nil
}

// recordBatch is how many bytes of records are put into the sorter in one call.
const recordBatch = 64 << 10

func (v *levelVisitor) flush() error {
	v.out.mu.Lock()
	defer v.out.mu.Unlock()
	for b := v.records; len(b) > 0; {
		var record []byte
		record, b, _ = runfile.CutBlock(b)
		if err := v.out.s.Add(record); err != nil {
			return err
		}
	}
	v.records = v.records[:0]
	return nil
}

// sharedSorter is a sorter for several goroutines.
type sharedSorter struct {
	mu sync.Mutex
	s  *runfile.Sorter
}

func (v *levelVisitor) close() (err error) {
	err = v.flush()
	for _, r := range v.frequent {
		err = errors.Join(err, r.Close())
	}
	return err
}
