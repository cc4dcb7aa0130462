package contrast

import (
	"slices"

	"fstore/mine/association"
)

// tally has a count for each unit in the list `tallied`, in the order of the list.
type tally [4]uint64

func (t *tally) documents() uint64 { return t[3] }

// side has one bit for each side, A and B. A sample with labels of both sides has both bits.
type side uint8

const (
	sideA side = 1 << iota
	sideB
)

// sides says for each sample which side, sentence and document it belongs to.
type sides struct {
	of       []side
	sentence []uint32 // sentence of each sample, ascending from 1; nil: each sample is a sentence
	document []uint32 // the document of each sample, from 1, or 0 without one; nil: the store has no documents
	docs     int      // number of documents
	a, b     totals
	both     uint64 // the number of samples on both sides
	without  uint64 // the number of samples on a side that are in no document
}

// totals is the size of one corpus, A or B, in all units.
type totals struct {
	samples, words uint64
	tally          // the counts of all samples of the side

	byDocument            []uint64 // words, by document
	inDocuments, smallest uint64   // words of all documents, and of the smallest document that has words
}

func (t *totals) in(u Unit) uint64 {
	if u == Words {
		return t.words
	}
	return t.tally[slices.Index(tallied, u)]
}

// counter counts one fragment after another on both sides. It is for one goroutine, and allocates nothing per
// fragment.
type counter struct {
	s     *sides
	unit  int    // the index of the counted unit in tallied
	stamp uint32 // number of the current fragment
	a, b  sideCounter
}

// sideCounter has the counts of the current fragment on one side.
type sideCounter struct {
	tally
	last uint32   // the number of the last sentence counted, from 1
	seen []uint32 // by document: the stamp of the last fragment counted in it
	hits []uint64 // by document: hits of the current fragment, in the counted unit
	with []uint32 // documents with the current fragment
}

func newCounter(s *sides, unit Unit) *counter {
	side := func() sideCounter {
		return sideCounter{seen: make([]uint32, s.docs+1), hits: make([]uint64, s.docs+1)}
	}
	return &counter{s: s, unit: max(0, slices.Index(tallied, unit)), stamp: 1, a: side(), b: side()}
}

// pair returns the frequencies of the fragment in A and in B, in the counted unit.
func (c *counter) pair() pair { return pair{c.a.tally[c.unit], c.b.tally[c.unit]} }

// documents returns how many documents have the fragment. A document with samples on both sides counts twice.
func (c *counter) documents() uint64 { return c.a.documents() + c.b.documents() }

func (c *counter) reset() {
	c.a.reset()
	c.b.reset()
	if c.stamp++; c.stamp == 0 { // after four billion fragments, stamps begin again
		clear(c.a.seen)
		clear(c.b.seen)
		c.stamp = 1
	}
}

func (f *sideCounter) reset() { f.tally, f.last, f.with = tally{}, 0, f.with[:0] }

// count counts a fragment on both sides. The ids of its samples must ascend.
func (c *counter) count(ids, counts, places []uint32) {
	c.reset()
	for i, id := range ids {
		c.add(id, counts[i], places[i])
	}
}

// countAll counts every sample once, as if a fragment occurred once in each.
func (c *counter) countAll() {
	c.reset()
	for id := range c.s.of {
		c.add(uint32(id), 1, 1)
	}
}

// onSide reports whether a sample in ids counts for A or B.
func (c *counter) onSide(ids []uint32) bool {
	for _, id := range ids {
		if c.s.of[id] != 0 && (tallied[c.unit] != Documents || c.s.document[id] != 0) {
			return true
		}
	}
	return false
}

// add counts one sample. Samples must come in ascending order.
func (c *counter) add(id, occurrences, places uint32) {
	is := c.s.of[id]
	if is == 0 {
		return
	}
	sentence, document := id+1, uint32(0)
	if c.s.sentence != nil {
		sentence = c.s.sentence[id]
	}
	if c.s.document != nil {
		document = c.s.document[id]
	}
	if is&sideA != 0 {
		c.a.add(c, occurrences, places, sentence, document)
	}
	if is&sideB != 0 {
		c.b.add(c, occurrences, places, sentence, document)
	}
}

func (f *sideCounter) add(c *counter, occurrences, places, sentence, document uint32) {
	more := tally{uint64(occurrences), uint64(places)}
	if sentence != f.last {
		f.last = sentence
		more[2] = 1
	}
	if document != 0 {
		if f.seen[document] != c.stamp {
			f.seen[document], f.hits[document] = c.stamp, 0
			f.with = append(f.with, document)
			more[3] = 1
		}
		f.hits[document] += more[c.unit]
	}
	t := &f.tally
	t[0], t[1], t[2], t[3] = t[0]+more[0], t[1]+more[1], t[2]+more[2], t[3]+more[3]
}

// dispersion says how the hits of the current fragment are spread over the documents of one corpus.
func (f *sideCounter) dispersion(corpus *totals) association.Dispersion {
	d := association.Dispersion{Words: float64(corpus.inDocuments), Smallest: float64(corpus.smallest)}
	for _, document := range f.with {
		d.Hits += float64(f.hits[document])
	}
	for _, document := range f.with {
		d.Add(float64(corpus.byDocument[document]), float64(f.hits[document]))
	}
	return d
}
