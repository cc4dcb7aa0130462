package contrast

import "fstore/mine/association"

// frequencies are how often a fragment occurs on one side, in each unit.
type frequencies struct{ occurrences, places, sentences, documents uint64 }

func (f *frequencies) in(u Unit) uint64 {
	switch u {
	case Occurrences:
		return f.occurrences
	case Places:
		return f.places
	case Documents:
		return f.documents
	}
	return f.sentences
}

// counter counts the samples of one fragment after the other. It is for one goroutine,
// and allocates nothing a fragment.
type counter struct {
	s     *sides
	unit  Unit
	stamp uint32 // of the fragment
	a, b  sideCounter

	occurrences, places, sentences bool // which the unit is: a comparison of texts for each sample takes longer
}

// sideCounter is what is counted on one side.
type sideCounter struct {
	frequencies
	last uint32   // the last sentence counted, from 1
	seen []uint32 // of each document: the stamp of the fragment it was last counted for
	hits []uint64 // of each document seen: its hits, in the unit
	with []uint32 // the documents seen
}

func newCounter(s *sides, unit Unit) *counter {
	side := func() sideCounter {
		return sideCounter{seen: make([]uint32, s.docs+1), hits: make([]uint64, s.docs+1)}
	}
	return &counter{
		s: s, unit: unit, stamp: 1, a: side(), b: side(),
		occurrences: unit == Occurrences, places: unit == Places, sentences: unit == Sentences,
	}
}

// reset begins a fragment.
func (c *counter) reset() {
	c.a.reset()
	c.b.reset()
	if c.stamp++; c.stamp == 0 { // four billion fragments on
		clear(c.a.seen)
		clear(c.b.seen)
		c.stamp = 1
	}
}

func (f *sideCounter) reset() {
	f.frequencies, f.last, f.with = frequencies{}, 0, f.with[:0]
}

// count counts the samples of a fragment, ascending, with its occurrences and places in each.
func (c *counter) count(ids, counts, places []uint32) {
	c.reset()
	for i, id := range ids {
		c.add(id, counts[i], places[i])
	}
}

// onSide says whether any of some samples counts for a side.
func (c *counter) onSide(ids []uint32) bool {
	for _, id := range ids {
		if c.s.of[id] != 0 && (c.unit != Documents || c.s.document[id] != 0) {
			return true
		}
	}
	return false
}

// add counts a sample; samples ascend.
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
	f.occurrences += uint64(occurrences)
	f.places += uint64(places)
	inSentence, inDocument := uint64(0), uint64(0) // that are new
	if sentence != f.last {
		f.last = sentence
		f.sentences++
		inSentence = 1
	}
	if document == 0 {
		return
	}
	if f.seen[document] != c.stamp {
		f.seen[document], f.hits[document] = c.stamp, 0
		f.with = append(f.with, document)
		f.documents++
		inDocument = 1
	}
	switch {
	case c.occurrences:
		f.hits[document] += uint64(occurrences)
	case c.places:
		f.hits[document] += uint64(places)
	case c.sentences:
		f.hits[document] += inSentence
	default:
		f.hits[document] += inDocument
	}
}

// dispersion is how what is counted is spread over the documents of the side, by their words.
func (f *sideCounter) dispersion(of *totals) association.Dispersion {
	d := association.Dispersion{Words: float64(of.inDocuments), Smallest: float64(of.smallest)}
	for _, document := range f.with {
		d.Hits += float64(f.hits[document])
	}
	for _, document := range f.with {
		d.Add(float64(of.byDocument[document]), float64(f.hits[document]))
	}
	return d
}
