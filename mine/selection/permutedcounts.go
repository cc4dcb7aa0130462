package selection

import "sync"

// countLayout says what a row of counts is, of which each worker has one for each
// permutation. A row is a label set where label sets are few: a sample is then counted once,
// and a class is the sum of its rows. Where label sets are many, a row is a class, and a
// sample is counted for each of its classes: 16 labels make up to 65,536 label sets.
type countLayout struct {
	bySet  bool
	rows   int     // at most 2·classes + 2
	rowsOf [][]int // the rows of each class that is tested
}

// layoutOf takes label sets as rows where a tested class is in two of them on average, or
// in fewer.
func layoutOf(x *ChiSquared, units *permutable) countLayout {
	tested := len(x.testedClasses())
	l := countLayout{rows: len(units.classes), rowsOf: make([][]int, tested)}
	pairs := 0
	for set, classes := range units.classes {
		for _, k := range classes {
			if int(k) >= tested {
				continue
			}
			if pairs++; pairs > 2*tested {
				return byClass(len(x.classes), tested)
			}
			l.rowsOf[k] = append(l.rowsOf[k], set)
		}
	}
	l.bySet = true
	return l
}

// byClass is the layout with a row for each class.
func byClass(classes, tested int) countLayout {
	l := countLayout{rows: classes, rowsOf: make([][]int, tested)}
	for k := range l.rowsOf {
		l.rowsOf[k] = []int{k}
	}
	return l
}

// countRooms holds the counts that no worker uses now. It never makes more than there are
// workers: a sync.Pool may.
type countRooms struct {
	mu   sync.Mutex
	free [][]uint32
}

// take returns n counts of any value. A room is as large as the first n; later ones are no
// larger.
func (r *countRooms) take(n int) []uint32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.free) - 1
	if last < 0 {
		return make([]uint32, n)
	}
	counts := r.free[last]
	r.free = r.free[:last]
	return counts[:n]
}

func (r *countRooms) put(counts []uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.free = append(r.free, counts)
}
