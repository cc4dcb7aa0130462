package grow

import (
	"cmp"
	"math"
	"slices"

	"fstore/index"
)

// root is a first step, with the count of its occurrences and the count of the samples that have it.
type root struct {
	step    index.Step
	occ     uint64
	support uint32
}

// Root is a first step, with an estimate of how often it occurs.
type Root struct {
	Step index.Step
	Occ  uint64
}

func findRoot(roots []root, step uint64) (i int, found bool) {
	return slices.BinarySearchFunc(roots, step, func(r root, p uint64) int { return cmp.Compare(r.step.Packed(), p) })
}

func occurrencesOf(roots []root) (n uint64) {
	for _, r := range roots {
		n += r.occ
	}
	return n
}

// maxTasks limits the tasks of a range, because each task writes tables of its own.
const maxTasks = 64

// cut divides consecutive roots into at most maxTasks ranges of about the same load (taskLoad, if possible).
// The last range ends at hi.
func cut(roots []root, hi, taskLoad uint64) (ranges []index.Range) {
	if len(roots) == 0 {
		return nil
	}
	total := occurrencesOf(roots)
	tasks := min(max(total/taskLoad, 1), maxTasks)
	from, load := 0, uint64(0)
	for i, r := range roots {
		load += r.occ
		if i+1 < len(roots) && load*tasks < total*uint64(len(ranges)+1) {
			continue
		}
		end := hi
		if i+1 < len(roots) {
			end = roots[i+1].step.Packed()
		}
		ranges = append(ranges, index.Range{Lo: roots[from].step.Packed(), Hi: end})
		from = i + 1
	}
	return ranges
}

// endOf returns the end of the range of the first n roots.
func endOf(roots []root, n int) uint64 {
	if n < len(roots) {
		return roots[n].step.Packed()
	}
	return math.MaxUint64
}
