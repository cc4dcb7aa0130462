package grow

import (
	"math"

	"fstore/index"
)

// Root is a first step and the number of its occurrences, and of the samples with any.
type Root struct {
	step    index.Step
	occ     uint64
	support uint32
}

// RootsOf lists the first steps of a tally, ascending.
func RootsOf(t *index.Tally) (roots []Root) {
	t.Each(func(s index.Step, occ, support uint32) { roots = append(roots, Root{s, uint64(occ), support}) })
	return roots
}

// The number of root occurrences that make a task of their own.
const (
	// BuildLoad is some 0.1 s of growth at support 2, and a table of about a megabyte.
	BuildLoad = 50_000
	// SelectLoad is less: a selection makes no tables, and may grow far more fragments of a
	// root, all those of a kernel machine.
	SelectLoad = 500
)

// maxTasks bounds the tasks of a range, each of which writes tables of its own.
const maxTasks = 64

// cut divides consecutive roots into at most maxTasks ranges of about the same
// load, some taskLoad at least. The first starts where the roots do, the last ends at hi.
func cut(roots []Root, hi, taskLoad uint64) (ranges []index.Range) {
	if len(roots) == 0 {
		return nil
	}
	var total uint64
	for _, r := range roots {
		total += r.occ
	}
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

// endOf is where the range of roots[:to] ends: at the next root, or at the end of all.
func endOf(roots []Root, to int) uint64 {
	if to < len(roots) {
		return roots[to].step.Packed()
	}
	return math.MaxUint64
}

// EndOfRange is the code that the codes of r are below, nil where there is no such.
func EndOfRange(r index.Range) index.Code {
	if r.Hi == index.All.Hi {
		return nil
	}
	return index.EncodeSteps(nil, []index.Step{index.Unpack(r.Hi)})
}
