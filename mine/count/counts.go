package count

import (
	"encoding/binary"
	"errors"

	"fstore/store"
	"fstore/store/posting"
)

// Counts says how often one construction occurs.
type Counts struct {
	Construction *Construction
	Bound        *Bound
	Read, Match  int   // the number of trees read for the construction, and the number of samples with hits
	Rows         []Row // all samples, then labels in byte order; for other keys, in the order found
	Documents    bool  // whether the store has documents

	found []sampleHits
	known bool // whether found is complete without reading trees
}

// Samples returns the samples with hits, ascending, with their hits and places. Places are the nodes at which
// hits begin.
func (c *Counts) Samples() (ids []uint32, hits []uint64, places []uint32) {
	for _, f := range c.found {
		ids, hits, places = append(ids, f.id), append(hits, f.hits), append(places, f.places)
	}
	return ids, hits, places
}

// Total returns the sums of hits and places, and the number of samples with hits.
func (c *Counts) Total() (hits, places, samples uint64) {
	for _, f := range c.found {
		hits += f.hits
		places += uint64(f.places)
	}
	return hits, places, uint64(len(c.found))
}

// findKnown finds the hits of a construction if that is possible without reading trees.
func (x *Trees) findKnown(c *Counts, hitsOnly bool) error {
	if err := x.fromPostings(c, hitsOnly); err != nil || c.known {
		return err
	}
	x.fromKept(c)
	return nil
}

// fromPostings takes the hits and places of a stored fragment from its posting list, if the list can give
// both. With hitsOnly, the hits are enough.
func (x *Trees) fromPostings(c *Counts, hitsOnly bool) error {
	k := c.Construction
	if k.Fragment == nil || k.in.info.WideHeads > 0 {
		return nil
	}
	if tellsPlaces := k.Pattern != nil && k.in.info.HasPlaces(k.Space); !hitsOnly && !tellsPlaces {
		return nil
	}
	list, err := x.s.Get(k.in.info.Number, k.Fragment)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	ids, hits, places, err := posting.DecodePlaces(list, x.s.Meta().Samples, nil, nil, nil)
	if err != nil {
		return x.damaged(err)
	}
	for i, id := range ids {
		c.found = append(c.found, sampleHits{id: id, hits: uint64(hits[i]), places: places[i]})
	}
	c.known = true
	return nil
}

// keptName returns the key under which the store keeps the hits of a construction.
func (x *Trees) keptName(c *Construction) string {
	how := "p"
	if c.Fragment != nil {
		how = "f"
	}
	return "hits " + how + x.Own() + "\x00" + c.Text
}

// keepHits keeps the hits of a construction in the store's memory. The explorer often asks for the same hits
// twice.
func (x *Trees) keepHits(c *Counts) {
	b := binary.AppendUvarint(nil, uint64(c.Read))
	last := uint32(0)
	for _, f := range c.found {
		b = binary.AppendUvarint(b, uint64(f.id-last))
		b = binary.AppendUvarint(b, f.hits)
		b = binary.AppendUvarint(b, uint64(f.places))
		last = f.id
	}
	x.s.Keep(x.keptName(c.Construction), b)
}

// fromKept takes the hits that keepHits has stored, if the store still has them.
func (x *Trees) fromKept(c *Counts) {
	b, ok := x.s.Kept(x.keptName(c.Construction))
	if !ok {
		return
	}
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return v
	}
	c.known, c.Read = true, int(next())
	for id := uint32(0); len(b) > 0; {
		id += uint32(next())
		c.found = append(c.found, sampleHits{id: id, hits: next(), places: uint32(next())})
	}
}
