package table

import (
	"cmp"
	"container/heap"
)

// AdmitsRank says whether a row can still come among the rows kept, as Admits does, where the place of
// its text among all texts is known: rank. So a caller need not make the text of each row that is
// equal to many. It is to be asked of each row that is added, and only with a limit. A row that is
// sorted by its text needs no cell.
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

// ranked is what a row is sorted by.
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
