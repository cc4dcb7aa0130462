// Package growth is what depth-first growth does alike in spaces whose occurrences have
// a weight: the extensions of a pattern are counted by symbol, those that are frequent
// are handed to the visitor as one batch, and their occurrences are laid out side by
// side for the next depth. It imports index.
//
// A space finds what extends an occurrence, see [Entry], and does so twice: what
// extends the occurrences of a pattern can be many times as much as is kept of it, and
// is never held as a whole.
//
//	c.Begin(w, l)
//	c.Grow(v, nil, 1, func(e, order) error {
//		for each Off: c.Segment(off, lister of what extends the occurrences c.Places(e))
//	})
//
// Where to start reading: counter.go has this, rows.go the growth of spaces whose
// fragments are lists of symbols.
package growth

import (
	"math"
	"slices"

	"fstore/index"
)

// Place is an occurrence of a pattern, as far as growth needs it; what At and From
// number is the space's business. W is the number of embeddings that it stands for: a pattern
// that grows has less than 2^32 of them. Root is as PlaceRule says.
type Place struct{ At, From, W, Root uint32 }

// PlaceRule says how the distinct nodes are counted at which occurrences begin.
type PlaceRule uint8

const (
	NoPlaces PlaceRule = iota // they are not
	Roots                     // Root is that node. Those of one symbol ascend
	// Ranks: occurrences may begin at the first Root of some nodes in the sample's row. Those of
	// one symbol in a row ascend.
	Ranks
)

// Entry is an occurrence of a pattern with one more symbol; Num is the symbol's number,
// 0 where there is none. W is Place.W, and may be larger. Where values are weighed
// (index.Weights.Lambda), Value is that of its embeddings, and no pattern below makes more than
// Most of them.
type Entry struct {
	Num, Sample uint32
	Place
	W           float64
	Value, Most float64
}

// Lister calls f with the entries of a segment, some at a time: the same in each call of
// it, those with one symbol in ascending sample.
type Lister func(f func([]Entry))

// Chunk is about how many entries a Lister hands over at a time.
const Chunk = 1 << 12

// Extension is an extension of a pattern that the visitor wants to be grown.
type Extension struct {
	Step     index.Step
	from, to int
}

// Counter counts the extensions of patterns, depth by depth. It is for one goroutine.
type Counter struct {
	weights index.Weights
	limits  index.Limits
	symbols []uint32 // by number
	most    int      // places kept in all, but those of first steps
	valued  bool     // values are weighed
	places  PlaceRule

	visitor  index.Visitor
	segments func(e *Extension, order int) error
	code     []byte // of the present pattern

	levels Levels[level]
	depth  int
	slots  []slot
	seen   []uint32
	kept   []Place   // of all depths, the deepest last
	values []float64 // of kept, where values are weighed
	counts index.Counts
	leaf   bool   // the extensions are of the last order
	over   uint32 // where one of them has more entries than are counted: the sample, plus 1

	out          Batches
	segment      int       // where in out.Samples the present one starts
	value, above []float64 // Value and Most in each sample, where values are weighed
}

// slot counts one symbol while a segment is read.
type slot struct {
	occ     float64 // embeddings
	n       uint32  // entries; 0: free, or not frequent in the second pass
	support uint32
	last    uint32 // the last sample seen, plus 1
	sample  uint32 // where the next sample goes
	place   uint32 // where the next place goes
	root    uint32 // of the last entry placed
}

// level is what one depth of growth keeps while its extensions grow.
type level struct {
	extensions []Extension
	batch      index.Batch
	mark       int // of kept
}

// NewCounter returns a counter for the symbols of a Numbering, by number. At most so many
// places are kept at a time, 0 is any number; those of first steps, of which a range has
// more or fewer, do not count, so that no pattern fails in one range and not in another.
func NewCounter(symbols []uint32, most int, places PlaceRule) *Counter {
	return &Counter{symbols: symbols, most: most, places: places, slots: make([]slot, len(symbols))}
}

// Begin starts growth within limits. A counter on which growth ended with an error is
// not used again.
func (c *Counter) Begin(w index.Weights, l index.Limits) {
	l.MinSupport = max(l.MinSupport, 1)
	c.weights, c.limits, c.counts = w, l, index.Counts{}
	c.valued = w.Lambda != 0
}

// Grow grows the extensions of the pattern with this code, which have this order, and returns what
// was seen since Begin. segments calls Segment with what extends a pattern, Off by Off: the pattern
// that e added to another, or the one with the code, where e is nil.
func (c *Counter) Grow(v index.Visitor, code index.Code, order int, segments func(e *Extension, order int) error) (index.Counts, error) {
	c.visitor, c.code, c.segments = v, append(c.code[:0], code...), segments
	err := c.grow(nil, order)
	return c.counts, err
}

func (c *Counter) grow(e *Extension, order int) error {
	c.start(order)
	if err := c.segments(e, order); err != nil {
		return err
	}
	if err := c.visit(); err != nil {
		return err
	}
	lv, length := c.levels[c.depth], len(c.code)
	for i := range lv.extensions {
		e := &lv.extensions[i]
		c.code = index.AppendStep(c.code[:length], e.Step)
		if err := c.grow(e, order+1); err != nil {
			return err
		}
	}
	c.code = c.code[:length]
	c.kept = c.kept[:lv.mark]
	if c.valued {
		c.values = c.values[:len(c.kept)]
	}
	c.depth--
	return nil
}

// start begins the extensions of the present pattern, which have this order.
func (c *Counter) start(order int) {
	c.depth++
	lv := c.levels.At(c.depth)
	lv.mark = len(c.kept)
	lv.extensions = lv.extensions[:0]
	c.leaf = c.limits.MaxOrder > 0 && order >= c.limits.MaxOrder
	c.out.Start(&lv.batch, c.code, order)
}

// Segment counts the extensions whose steps have this Off, which list lists, and lays out
// the occurrences of the frequent ones. Offs ascend.
func (c *Counter) Segment(off uint32, list Lister) error {
	list(c.tally)
	more, err := c.keep(off)
	if err != nil {
		if often, ok := err.(*index.OccurrenceError); ok && often.Sample == 0 {
			often.Sample = mostOften(list) + 1
		}
		return err
	}
	if more {
		list(c.put)
	}
	c.close()
	return nil
}

// mostOften returns the sample with the most occurrences in a segment.
func mostOften(list Lister) (sample uint32) {
	n := map[uint32]float64{}
	list(func(entries []Entry) {
		for i := range entries {
			e := &entries[i]
			if n[e.Sample] += e.W; n[e.Sample] > n[sample] {
				sample = e.Sample
			}
		}
	})
	return sample
}

// tally counts entries.
func (c *Counter) tally(entries []Entry) {
	for i := range entries {
		e := &entries[i]
		if e.Num == 0 {
			continue
		}
		s := &c.slots[e.Num]
		if s.n == 0 {
			c.seen = append(c.seen, e.Num)
			*s = slot{occ: e.W, n: 1, support: 1, last: e.Sample + 1}
			continue
		}
		if s.n == math.MaxUint32 {
			c.over = e.Sample + 1
			return
		}
		s.n++
		s.occ += e.W
		if s.last != e.Sample+1 {
			s.last = e.Sample + 1
			s.support++
		}
	}
}

// Over says that counting need not go on, as it will fail.
func (c *Counter) Over() bool { return c.over > 0 }

// keep ends the counting of a segment, whose steps have this Off. more says whether put
// must be given the entries.
func (c *Counter) keep(off uint32) (more bool, err error) {
	b := &c.levels[c.depth].batch
	if c.over > 0 {
		return false, &index.OccurrenceError{Order: b.Order, Limit: math.MaxUint32, Sample: c.over}
	}
	seen := len(c.seen)
	frequent := c.seen[:0]
	for _, n := range c.seen {
		if s := &c.slots[n]; s.support >= c.limits.MinSupport {
			frequent = append(frequent, n)
		} else {
			s.n = 0
		}
	}
	c.seen = frequent
	if seen > 0 {
		c.counts.Count(b.Order, uint64(seen), uint64(seen-len(frequent)))
	}
	slices.Sort(c.seen)
	c.segment = len(c.out.Samples)
	samples, places := uint32(c.segment), len(c.kept)
	for _, n := range c.seen {
		s := &c.slots[n]
		if s.occ > math.MaxUint32 {
			return false, &index.OccurrenceError{Order: b.Order, Limit: math.MaxUint32}
		}
		st := index.Step{Off: off, Sym: c.symbols[n]}
		c.out.Step(b, st)
		b.Support, b.Occ = append(b.Support, s.support), append(b.Occ, uint32(s.occ))
		s.last, s.sample, s.place = 0, samples, uint32(places)
		samples += s.support
		b.SampleEnd = append(b.SampleEnd, samples)
		if !c.leaf {
			lv := c.levels[c.depth]
			lv.extensions = append(lv.extensions, Extension{st, places, places + int(s.n)})
			places += int(s.n)
		}
	}
	if c.most > 0 && c.depth > 1 && places-c.levels[2].mark > c.most {
		return false, &index.OccurrenceError{Order: b.Order, Limit: uint64(c.most)}
	}
	if c.wantsSamples() {
		c.out.Samples = slices.Grow(c.out.Samples, int(samples)-c.segment)[:samples]
		c.out.Counts = slices.Grow(c.out.Counts, int(samples)-c.segment)[:samples]
		c.out.Places = slices.Grow(c.out.Places, int(samples)-c.segment)[:samples]
	}
	c.kept = slices.Grow(c.kept, places-len(c.kept))[:places]
	if c.valued {
		c.values = slices.Grow(c.values, places-len(c.values))[:places]
		c.value = slices.Grow(c.value[:0], int(samples))[:samples]
		c.above = slices.Grow(c.above[:0], int(samples))[:samples]
	}
	return len(c.seen) > 0 && (!c.leaf || c.wantsSamples()), nil
}

func (c *Counter) wantsSamples() bool {
	return !c.limits.NoSamples || c.weights.Class != nil || c.weights.Occ != nil
}

// put places the entries of the frequent symbols.
func (c *Counter) put(entries []Entry) {
	samples := c.wantsSamples()
	for i := range entries {
		e := &entries[i]
		s := &c.slots[e.Num]
		if s.n == 0 {
			continue
		}
		if !c.leaf {
			e.Place.W = uint32(e.W)
			c.kept[s.place] = e.Place
			if c.valued {
				c.values[s.place] = e.Value
			}
			s.place++
		}
		switch {
		case !samples:
		case s.last != e.Sample+1:
			s.last = e.Sample + 1
			c.out.Samples[s.sample], c.out.Counts[s.sample], c.out.Places[s.sample] = e.Sample, uint32(e.W), 1
			if s.root = e.Root; c.places == Ranks {
				c.out.Places[s.sample] = e.Root
			}
			s.sample++
			if c.valued {
				c.value[s.sample-1], c.above[s.sample-1] = e.Value, e.Most
			}
		default:
			c.out.Counts[s.sample-1] += uint32(e.W)
			switch {
			case c.places == Ranks:
				c.out.Places[s.sample-1] = e.Root
			case e.Root != s.root:
				c.out.Places[s.sample-1]++
				s.root = e.Root
			}
			if c.valued {
				c.value[s.sample-1] += e.Value
				c.above[s.sample-1] += e.Most
			}
		}
	}
}

// close ends a segment.
func (c *Counter) close() {
	b := &c.levels[c.depth].batch
	at := c.segment
	for _, n := range c.seen {
		s := &c.slots[n]
		s.n = 0
		if c.weights.Class == nil && c.weights.Occ == nil {
			continue
		}
		end := at + int(s.support)
		var pos, neg float64
		if c.valued {
			pos, neg = c.weights.SumValues(c.out.Samples[at:end], c.above[at:end])
			b.Most = append(b.Most, max(pos, neg))
			pos, neg = c.weights.SumValues(c.out.Samples[at:end], c.value[at:end])
		} else {
			pos, neg = c.weights.Sum(c.out.Samples[at:end], c.out.Counts[at:end])
		}
		b.A, b.B = append(b.A, pos), append(b.B, neg)
		at = end
	}
	c.seen = c.seen[:0]
	if c.limits.NoSamples {
		c.out.Samples, c.out.Counts, c.out.Places, b.SampleEnd = c.out.Samples[:0], c.out.Counts[:0], c.out.Places[:0], b.SampleEnd[:0]
	}
}

// visit hands the extensions to the visitor, where there are any, and keeps those to grow.
func (c *Counter) visit() error {
	lv, placed := c.levels[c.depth], c.out.Places
	if c.places == NoPlaces {
		c.out.Places = nil
	}
	c.out.Visitor = c.visitor
	err := c.out.Visit(&lv.batch)
	c.out.Places = placed
	wanted := lv.extensions[:0]
	for i, e := range lv.extensions {
		if lv.batch.Descend[i] {
			wanted = append(wanted, e)
		}
	}
	lv.extensions = wanted
	return err
}

// Places are the occurrences of an extension, in the order of their entries.
func (c *Counter) Places(e *Extension) []Place { return c.kept[e.from:e.to] }

// Values are those of Places, nil where none are weighed.
func (c *Counter) Values(e *Extension) []float64 {
	if !c.valued {
		return nil
	}
	return c.values[e.from:e.to]
}
