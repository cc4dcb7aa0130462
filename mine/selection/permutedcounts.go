package selection

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
	tested := x.testedClasses()
	l := countLayout{bySet: true, rows: len(units.classes), rowsOf: make([][]int, len(tested))}
	pairs := 0
	for set, classes := range units.classes {
		for _, k := range classes {
			if int(k) < len(tested) {
				l.rowsOf[k] = append(l.rowsOf[k], set)
				pairs++
			}
		}
	}
	if pairs > 2*len(tested) {
		l.bySet, l.rows = false, len(x.classes)
		for k := range l.rowsOf {
			l.rowsOf[k] = []int{k}
		}
	}
	return l
}
