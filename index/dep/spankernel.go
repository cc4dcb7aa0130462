package dep

// This file computes the kernel of two heads if one of them has more than n = max-span arcs. The arcs of a
// common fragment lie among n neighbouring arcs of each head.

// wideDelta returns Δ (see kernel) of a family of xEnd arcs and a family of `w` arcs. At least one of them
// has more than n arcs. The first xMid and the first yMid arcs are left of the head.
func (e *evaluator[T]) wideDelta(r rule, n, xMid, xEnd, yMid, w int) (sum T) {
	switch r {
	case adjacent:
		return e.shortRuns(n, 0, xEnd, 0, w, w)
	case side:
		sum = e.shortRuns(n, 0, xMid, 0, yMid, w)
		sum = sum.Add(e.shortRuns(n, xMid, xEnd, yMid, w, w))
		return sum.Add(e.bothSides(n, xMid, xEnd, yMid, w))
	}
	for x := range xEnd {
		for y := range w {
			if v := e.arc[x*w+y]; v != e.zero {
				rest := e.subsequences(x+1, min(x+n, xEnd), y+1, min(y+n, w), w)
				sum = sum.Add(v.Mul(e.one.Add(rest)))
			}
		}
	}
	return sum
}

// shortRuns does what the method `runs` does, but only for common runs of at most n arcs.
func (e *evaluator[T]) shortRuns(n, x0, x1, y0, y1, w int) (sum T) {
	for x := x0; x < x1; x++ {
		for y := y0; y < y1; y++ {
			run := e.one
			for k := range min(n, x1-x, y1-y) {
				if run = run.Mul(e.arc[(x+k)*w+y+k]); run == e.zero {
					break
				}
				sum = sum.Add(run)
			}
		}
	}
	return sum
}

// bothSides sums over the pairs of a common run left of the head and a common run right of it that lie among
// n neighbouring arcs.
func (e *evaluator[T]) bothSides(n, xMid, xEnd, yMid, w int) (sum T) {
	// ended[i*width+j] is the sum over the common runs of the first i arcs right of one head and the first j
	// arcs right of the other.
	width := w - yMid + 1
	ended := make([]T, (xEnd-xMid+1)*width)
	last := make([]T, width) // for each y, the sum over the runs that end at x-1, then at x
	for x := xMid; x < xEnd; x++ {
		var row, corner T
		for y := yMid; y < w; y++ {
			k := y - yMid + 1
			run := e.arc[x*w+y].Mul(e.one.Add(corner))
			corner, last[k] = last[k], run
			row = row.Add(run)
			ended[(x-xMid+1)*width+k] = ended[(x-xMid)*width+k].Add(row)
		}
	}
	first := make([]T, yMid+1) // for each y, the sum over the left runs that start at x+1, then at x
	for x := xMid - 1; x >= 0; x-- {
		for y := range yMid {
			first[y] = e.arc[x*w+y].Mul(e.one.Add(first[y+1]))
			if xTo, yTo := min(x+n, xEnd), min(y+n, w); xTo > xMid && yTo > yMid {
				sum = sum.Add(first[y].Mul(ended[(xTo-xMid)*width+yTo-yMid]))
			}
		}
	}
	return sum
}
