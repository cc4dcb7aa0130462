package contrast

// frequencies are how often a fragment occurs on one side, in each unit.
type frequencies struct{ occurrences, sentences, documents uint64 }

func (f *frequencies) in(u Unit) uint64 {
	switch u {
	case Occurrences:
		return f.occurrences
	case Documents:
		return f.documents
	}
	return f.sentences
}

// counter counts the samples of one fragment after the other. It is for one goroutine,
// and allocates nothing a fragment.
type counter struct {
	s    *sides
	a, b frequencies

	lastA, lastB uint32   // the last sentence counted on each side, from 1
	stamp        uint32   // of the fragment
	seenA, seenB []uint32 // of each document: the stamp of the fragment it was last counted for
}

func newCounter(s *sides) *counter {
	return &counter{s: s, stamp: 1, seenA: make([]uint32, s.docs+1), seenB: make([]uint32, s.docs+1)}
}

// reset begins a fragment.
func (c *counter) reset() {
	c.a, c.b = frequencies{}, frequencies{}
	c.lastA, c.lastB = 0, 0
	if c.stamp++; c.stamp == 0 { // four billion fragments on
		clear(c.seenA)
		clear(c.seenB)
		c.stamp = 1
	}
}

// count counts the samples of a fragment, ascending, with its occurrences in each.
func (c *counter) count(ids, counts []uint32) {
	c.reset()
	for i, id := range ids {
		c.add(id, counts[i])
	}
}

// add counts a sample; samples ascend.
func (c *counter) add(id, occurrences uint32) {
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
		c.a.add(occurrences, sentence, document, &c.lastA, c.seenA, c.stamp)
	}
	if is&sideB != 0 {
		c.b.add(occurrences, sentence, document, &c.lastB, c.seenB, c.stamp)
	}
}

func (f *frequencies) add(occurrences, sentence, document uint32, last *uint32, seen []uint32, stamp uint32) {
	f.occurrences += uint64(occurrences)
	if sentence != *last {
		*last = sentence
		f.sentences++
	}
	if document != 0 && seen[document] != stamp {
		seen[document] = stamp
		f.documents++
	}
}
