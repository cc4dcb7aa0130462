package table

import (
	"cmp"
	"container/heap"
)

// AdmitsRank says whether a row can still be one of the rows kept. It does more than Admits: rank is the
// place of the row's text among all texts, so it decides between rows that are equal but for their texts,
// and the caller need not make these. Ask it once of each row that Add may get, and only with a limit.
// Rows that are sorted by their texts need no cell for it.
func (s *Sorter) AdmitsRank(r *Row, rank uint32) bool {
	e := ranked{entry{key: uint64(rank)}, rank}
	switch {
	case s.order.Column != s.tie:
		e.entry = s.entry(r)
	case s.order.Descending:
		e.key = ^e.key
	}
	if len(s.best.all) < s.limit {
		s.best.tail = s.tail
		heap.Push(&s.best, e)
		return true
	}
	if s.turn(e.compare(s.best.all[0])) > 0 {
		return false
	}
	s.best.all[0] = e
	heap.Fix(&s.best, 0)
	return true
}

// ranked is an entry with the rank of its text.
type ranked struct {
	entry
	rank uint32
}

func (e ranked) compare(x ranked) int {
	return cmp.Or(cmpKey(e.entry, x.entry), cmp.Compare(e.rank, x.rank))
}

// best are the best rows so far, the worst of them first.
type best struct {
	all  []ranked
	tail bool
}

func (b *best) Len() int { return len(b.all) }

func (b *best) Less(i, j int) bool {
	if b.tail {
		i, j = j, i
	}
	return b.all[i].compare(b.all[j]) > 0
}

func (b *best) Swap(i, j int) { b.all[i], b.all[j] = b.all[j], b.all[i] }
func (b *best) Push(x any)    { b.all = append(b.all, x.(ranked)) }

func (b *best) Pop() any {
	n := len(b.all) - 1
	x := b.all[n]
	b.all = b.all[:n]
	return x
}
