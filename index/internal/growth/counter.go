// Package growth is the part of depth-first growth that spaces share. It counts the extensions of a pattern
// by symbol, and hands the frequent ones to the visitor as one batch. It lays out their occurrences side by
// side for the next depth. It imports index.
//
// A space lists the entries that extend the occurrences of a pattern (see [Entry]) twice: first to count
// them, then to lay out the frequent ones. The list can be many times longer than the part that is kept, so
// it is never in memory as a whole.
//
//	c.Begin(w, l)
//	c.Grow(v, nil, 1, func(e, order) error {
//		for each Off: c.Segment(off, lister of the entries that extend c.Places(e))
//	})
//
// Where to start reading: counter.go has the counting, and rows.go has the growth of spaces whose fragments
// are lists of symbols.
package growth

import (
	"math"
	"slices"

	"fstore/index"
)

// Place is an occurrence of a pattern, with W embeddings. The space defines At and From, and a PlaceRule
// defines Root.
type Place struct{ At, From, W, Root uint32 }

// PlaceRule says how growth counts the distinct nodes at which the occurrences of a pattern begin.
type PlaceRule uint8

const (
	NoPlaces PlaceRule = iota // growth does not count them
	Roots                     // Root is the node where the occurrence begins. The roots of one symbol ascend
	// Ranks: Root counts the nodes at which this occurrence or an earlier one of the same row begins.
	Ranks
)

// Entry is an occurrence of a pattern extended by the symbol with the number Num. An entry with Num 0 is
// ignored.
//   - W: the number of embeddings, which can exceed 2^32
//   - Value: the sum of their values, if index.Weights.Lambda is set
//   - Most: an upper bound of this sum in larger patterns
type Entry struct {
	Num, Sample uint32
	Place
	W           float64
	Value, Most float64
}

// Lister calls f with the entries of a segment, some at a time. Every call of a Lister gives the same
// entries. The entries of one symbol come by ascending sample.
type Lister func(f func([]Entry))

// Chunk is the approximate number of entries that a Lister hands over at a time.
const Chunk = 1 << 12

// Counter counts the extensions of patterns, depth by depth. It is for one goroutine.
type Counter struct {
	slots   Slots
	symbols []uint32 // the symbol of each number
	most    int      // largest number of places in kept, without those of first steps; 0: any
	valued  bool     // with index.Weights.Lambda: growth sums values
	places  PlaceRule

	segments func(e *Extension, order int) error
	code     []byte // code of the present pattern

	levels Levels[level]
	depth  int
	kept   []Place   // places of all depths, the deepest last
	values []float64 // the values of kept, if valued
	over   uint32    // the sample in which a symbol got too many entries to count, plus 1; 0: none

	value, above []float64 // sums of Value and Most in each sample, if valued
}

// level is the state of one depth of growth while its extensions grow.
type level struct {
	extensions []Extension
	batch      index.Batch
	mark       int // where in kept the places of this depth start
}

// NewCounter returns a counter for the symbols of a Numbering. It keeps at most `most` places at a time,
// besides those of first steps; 0 means no limit.
func NewCounter(symbols []uint32, most int, places PlaceRule) *Counter {
	return &Counter{symbols: symbols, most: most, places: places, slots: Slots{Slots: make([]Slot, len(symbols))}}
}

// Begin starts growth within limits. After an error of growth, the counter must not be used again.
func (c *Counter) Begin(w index.Weights, l index.Limits) {
	c.slots.Begin(w, l)
	c.valued = w.Lambda != 0
}

// Grow grows the pattern with this code, and returns the counts since Begin. For each grown pattern e, it
// calls segments(e, n), which must call Segment for each Off, ascending. The extensions of e have the order
// n. In the first call, e is nil and n is `order`.
func (c *Counter) Grow(v index.Visitor, code index.Code, order int, segments func(e *Extension, order int) error) (index.Counts, error) {
	c.slots.Visitor, c.code, c.segments = v, append(c.code[:0], code...), segments
	err := c.grow(nil, order)
	return c.slots.Total, err
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

// start begins to collect the extensions of the present pattern, all of one order.
func (c *Counter) start(order int) {
	c.depth++
	lv := c.levels.At(c.depth)
	lv.mark = len(c.kept)
	lv.extensions = lv.extensions[:0]
	c.slots.Leaf = c.slots.Limits.MaxOrder > 0 && order >= c.slots.Limits.MaxOrder
	c.slots.Start(&lv.batch, c.code, order)
}

// Segment counts the extensions by a step with this Off, and keeps the occurrences of the frequent ones. The
// calls must ascend by Off.
func (c *Counter) Segment(off uint32, list Lister) error {
	list(c.tally)
	more, err := c.keep(off)
	if err != nil {
		if often, ok := err.(*index.OccurrenceError); ok && often.Sample == 0 {
			often.Sample = 1 + MostOften(func(add func(uint32, float64)) {
				list(func(entries []Entry) {
					for i := range entries {
						add(entries[i].Sample, entries[i].W)
					}
				})
			})
		}
		return err
	}
	if more {
		list(c.put)
	}
	c.close()
	return nil
}

// MostOften returns the sample with the largest sum, for an index.OccurrenceError. addAll must call add with
// each summand.
func MostOften(addAll func(add func(sample uint32, n float64))) (most uint32) {
	sums := map[uint32]float64{}
	addAll(func(sample uint32, n float64) {
		if sums[sample] += n; sums[sample] > sums[most] {
			most = sample
		}
	})
	return most
}

func (c *Counter) tally(entries []Entry) {
	for i := range entries {
		e := &entries[i]
		if e.Num == 0 {
			continue
		}
		s := &c.slots.Slots[e.Num]
		if s.N == 0 {
			c.slots.Seen = append(c.slots.Seen, e.Num)
			*s = Slot{Occ: e.W, N: 1, Support: 1, Last: e.Sample + 1}
			continue
		}
		if s.N == math.MaxUint32 {
			c.over = e.Sample + 1
			return
		}
		s.N++
		s.Occ += e.W
		if s.Last != e.Sample+1 {
			s.Last = e.Sample + 1
			s.Support++
		}
	}
}

// Over says whether counting will fail, so that listing more entries is useless.
func (c *Counter) Over() bool { return c.over > 0 }

// keep ends the counting of a segment, and allocates memory for the frequent extensions. It returns whether
// the extensions must be listed again.
func (c *Counter) keep(off uint32) (more bool, err error) {
	lv, places := c.levels[c.depth], len(c.kept)
	b := &lv.batch
	if c.over > 0 {
		return false, &index.OccurrenceError{Order: b.Order, Limit: math.MaxUint32, Sample: c.over}
	}
	if lv.extensions, places, err = c.slots.Lay(b, off, c.symbols, lv.extensions, places); err != nil {
		return false, err
	}
	if c.most > 0 && c.depth > 1 && places-c.levels[2].mark > c.most {
		return false, &index.OccurrenceError{Order: b.Order, Limit: uint64(c.most)}
	}
	c.kept = slices.Grow(c.kept, places-len(c.kept))[:places]
	if c.valued {
		samples := len(c.slots.Samples)
		c.values = slices.Grow(c.values, places-len(c.values))[:places]
		c.value = slices.Grow(c.value[:0], samples)[:samples]
		c.above = slices.Grow(c.above[:0], samples)[:samples]
	}
	return len(c.slots.Seen) > 0 && (!c.slots.Leaf || c.slots.WantsSamples()), nil
}

// put stores the entries of the frequent symbols, grouped by symbol.
func (c *Counter) put(entries []Entry) {
	out, samples := &c.slots, c.slots.WantsSamples()
	for i := range entries {
		e := &entries[i]
		s := &out.Slots[e.Num]
		if s.N == 0 {
			continue
		}
		if !out.Leaf {
			e.Place.W = uint32(e.W)
			c.kept[s.Place] = e.Place
			if c.valued {
				c.values[s.Place] = e.Value
			}
			s.Place++
		}
		switch {
		case !samples:
		case s.Last != e.Sample+1:
			s.Last = e.Sample + 1
			out.Samples[s.Sample], out.Counts[s.Sample], out.Places[s.Sample] = e.Sample, uint32(e.W), 1
			if s.Root = e.Root; c.places == Ranks {
				out.Places[s.Sample] = e.Root
			}
			s.Sample++
			if c.valued {
				c.value[s.Sample-1], c.above[s.Sample-1] = e.Value, e.Most
			}
		default:
			out.Counts[s.Sample-1] += uint32(e.W)
			switch {
			case c.places == Ranks:
				out.Places[s.Sample-1] = e.Root
			case e.Root != s.Root:
				out.Places[s.Sample-1]++
				s.Root = e.Root
			}
			if c.valued {
				c.value[s.Sample-1] += e.Value
				c.above[s.Sample-1] += e.Most
			}
		}
	}
}

// close ends the segment, after it has summed the weights.
func (c *Counter) close() {
	b, out := &c.levels[c.depth].batch, &c.slots
	out.Clear(b, func(from, to int) {
		var pos, neg float64
		if c.valued {
			pos, neg = out.Weights.SumValues(out.Samples[from:to], c.above[from:to])
			b.Most = append(b.Most, max(pos, neg))
			pos, neg = out.Weights.SumValues(out.Samples[from:to], c.value[from:to])
		} else {
			pos, neg = out.Weights.Sum(out.Samples[from:to], out.Counts[from:to])
		}
		b.A, b.B = append(b.A, pos), append(b.B, neg)
	})
}

// visit hands the extensions to the visitor, and keeps those that the visitor wants to grow.
func (c *Counter) visit() error {
	lv, placed := c.levels[c.depth], c.slots.Places
	if c.places == NoPlaces {
		c.slots.Places = nil
	}
	err := c.slots.Visit(&lv.batch)
	c.slots.Places = placed
	wanted := lv.extensions[:0]
	for i, e := range lv.extensions {
		if lv.batch.Descend[i] {
			wanted = append(wanted, e)
		}
	}
	lv.extensions = wanted
	return err
}

// Places returns the occurrences of an extension, in the order in which the Lister gave them.
func (c *Counter) Places(e *Extension) []Place { return c.kept[e.From:e.To] }

// Values returns the values of e's entries, in the order of Places(e). It returns nil if index.Weights.Lambda
// is not set.
func (c *Counter) Values(e *Extension) []float64 {
	if !c.valued {
		return nil
	}
	return c.values[e.From:e.To]
}
