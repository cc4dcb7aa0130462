package growth

import (
	"math"
	"slices"

	"fstore/index"
)

// Slot has the counts of one symbol while growth reads a segment. It takes 32 bytes, half a cache line.
type Slot struct {
	Occ     float64 // number of embeddings
	N       uint32  // number of entries; 0: the slot is free or, in the second pass, not frequent
	Support uint32
	Last    uint32 // the last sample seen, plus 1
	Sample  uint32 // where the next sample goes
	Place   uint32 // where the next place goes
	Root    uint32 // Root of the entry that was placed last
}

// Slots count the extensions of patterns, segment by segment. The steps of a segment have the same Off. In
// each segment:
//   - The space adds each occurrence to the Slot of its symbol, and puts the symbols' numbers into Seen.
//   - Lay reserves memory for the entries of the frequent symbols.
//   - The space writes these entries.
//   - Clear ends the segment.
type Slots struct {
	Batches
	Weights index.Weights
	Limits  index.Limits
	Slots   []Slot   // by symbol number
	Seen    []uint32 // numbers of the symbols counted; after Lay only the frequent ones, by ascending symbol
	Seg     int      // where in Samples the segment starts
	Leaf    bool     // the extensions have the largest order, so their entries get no places
	Total   index.Counts

	keys []uint64 // symbol<<32 | number
}

// Extension is an extension of a pattern. Its entries are kept at the indexes From to To-1.
type Extension struct {
	Step     index.Step
	From, To int
}

// Begin starts growth within limits.
func (c *Slots) Begin(w index.Weights, l index.Limits) {
	l.MinSupport = max(l.MinSupport, 1)
	c.Weights, c.Limits, c.Total = w, l, index.Counts{}
}

// Lay appends the frequent symbols of a segment to b. Unless c.Leaf is set, it also appends them to
// `extensions`, and gives their entries the indexes from `place` on. It returns the new `extensions` and the
// first index that is still free.
func (c *Slots) Lay(b *index.Batch, off uint32, symbols []uint32, extensions []Extension, place int) ([]Extension, int, error) {
	c.keys = c.keys[:0]
	for _, n := range c.Seen {
		if s := &c.Slots[n]; s.Support >= c.Limits.MinSupport {
			c.keys = append(c.keys, uint64(symbols[n])<<32|uint64(n))
		} else {
			s.N = 0
		}
	}
	c.Total.Count(b.Order, uint64(len(c.Seen)), uint64(len(c.Seen)-len(c.keys)))
	slices.Sort(c.keys)
	c.Seen, c.Seg = c.Seen[:len(c.keys)], len(c.Samples)
	samples := uint32(c.Seg)
	for i, key := range c.keys {
		n := uint32(key)
		c.Seen[i] = n
		s := &c.Slots[n]
		if s.Occ > math.MaxUint32 {
			return extensions, place, &index.OccurrenceError{Order: b.Order, Limit: math.MaxUint32}
		}
		step := index.Step{Off: off, Sym: uint32(key >> 32)}
		c.Step(b, step)
		b.Support, b.Occ = append(b.Support, s.Support), append(b.Occ, uint32(s.Occ))
		s.Last, s.Sample, s.Place = 0, samples, uint32(place)
		samples += s.Support
		b.SampleEnd = append(b.SampleEnd, samples)
		if !c.Leaf {
			extensions = append(extensions, Extension{step, place, place + int(s.N)})
			place += int(s.N)
		}
	}
	if c.WantsSamples() {
		more := int(samples) - c.Seg
		c.Samples = slices.Grow(c.Samples, more)[:samples]
		c.Counts = slices.Grow(c.Counts, more)[:samples]
		c.Places = slices.Grow(c.Places, more)[:samples]
	}
	return extensions, place, nil
}

// WantsSamples says whether the visitor or the weights need samples.
func (c *Slots) WantsSamples() bool { return !c.Limits.NoSamples || c.weighs() }

func (c *Slots) weighs() bool { return c.Weights.Class != nil || c.Weights.Occ != nil }

// Clear ends a segment. If there are weights, it calls weigh(from, to) for each frequent symbol:
// c.Samples[from:to] are the symbol's samples.
func (c *Slots) Clear(b *index.Batch, weigh func(from, to int)) {
	at := c.Seg
	for _, n := range c.Seen {
		s := &c.Slots[n]
		if s.N = 0; c.weighs() {
			weigh(at, at+int(s.Support))
			at += int(s.Support)
		}
	}
	c.Seen = c.Seen[:0]
	if c.Limits.NoSamples {
		c.Samples, c.Counts, c.Places, b.SampleEnd = c.Samples[:0], c.Counts[:0], c.Places[:0], b.SampleEnd[:0]
	}
}
