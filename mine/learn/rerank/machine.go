package rerank

import (
	"fstore/index"
	"fstore/mine/learn/svm"
)

type item struct {
	prepared any
	self     index.Number // the kernel of the tree with itself; only set if kernels are normalised
}

// evaluator evaluates the kernel of trees, for one goroutine.
type evaluator struct {
	kernel  index.Kernel
	merging index.Merging // nil if the kernel cannot merge trees
	pairing index.Pairing // nil if the kernel cannot compare merged trees with merged trees
	of      *svm.Config
	sums    []float64 // scratch of rows: sums by class
	changed []float64 // scratch of rows: changes by tree
	found   []float64 // scratch of compare: sums by component of a block
}

func newEvaluator(k *svm.Config, s *index.Symbols) *evaluator {
	e := &evaluator{kernel: k.New(s), of: k}
	e.merging, _ = e.kernel.(index.Merging)
	e.pairing, _ = e.kernel.(index.Pairing)
	return e
}

func (e *evaluator) prepare(t *index.Tree) (item, error) {
	p, err := e.kernel.Prepare(t)
	if err != nil {
		return item{}, err
	}
	x := item{prepared: p}
	if e.of.Normalize {
		x.self = e.kernel.Eval(p, p)
	}
	return x, nil
}

// step is a correction during training. It points to the prepared trees, while a Step has only their indexes.
type step struct {
	target, other *item
	list          int
	trees         [2]int // the places of target and other in their list
	votes         uint64
}

// machine is the perceptron of one chunk of the lists. The trees of its corrections are merged in blocks.
type machine struct {
	steps  []step
	blocks []*block // together they have all steps, in order; empty if the kernel cannot merge trees
}

// mergedSteps is the largest number of corrections in a block.
const mergedSteps = 128

// block is a run of corrections whose trees are merged into components, such as common subtrees.
type block struct {
	first, end int // the block has the corrections steps[first:end] of the machine
	merged     index.Merged
	uses       [][]use // by component
	wanted     []bool  // by component: whether it has uses
}

// use is the weight of a component in one correction (see block).
type use struct {
	step int
	n    float64
}

// add appends a correction. While the last two blocks are equally long, and shorter than mergedSteps, add
// merges them.
func (m *machine) add(e *evaluator, s step) {
	m.steps = append(m.steps, s)
	if e.merging == nil {
		return
	}
	first, end := len(m.steps)-1, len(m.steps)
	n := len(m.blocks)
	for n > 0 && end-first < mergedSteps && m.blocks[n-1].end-m.blocks[n-1].first == end-first {
		n--
		first = m.blocks[n].first
	}
	m.blocks = append(m.blocks[:n], e.block(m, first, end))
}

// block merges the trees of m.steps[first:end]. It merges nothing if a float64 cannot hold the scale of a
// tree.
func (e *evaluator) block(m *machine, first, end int) *block {
	b := &block{first: first, end: end}
	var trees []any
	for _, s := range m.steps[first:end] {
		if _, ok := e.of.ScaleOf(s.target.self); !ok {
			return b
		}
		if _, ok := e.of.ScaleOf(s.other.self); !ok {
			return b
		}
		trees = append(trees, s.target.prepared, s.other.prepared)
	}
	b.merged = e.merging.Merge(trees)
	b.uses, b.wanted = make([][]use, b.merged.Components()), make([]bool, b.merged.Components())
	for i, s := range m.steps[first:end] {
		for side, y := range []*item{s.target, s.other} {
			scale, _ := e.of.ScaleOf(y.self)
			if side == 1 {
				scale = -scale
			}
			components, counts := b.merged.Of(2*i + side)
			for k, c := range components {
				b.use(c, first+i, scale*float64(counts[k]))
			}
		}
	}
	for c, uses := range b.uses {
		b.wanted[c] = len(uses) > 0
	}
	return b
}

// use adds n to the weight of component c in the newest correction, m.steps[step].
func (b *block) use(c uint32, step int, n float64) {
	uses := b.uses[c]
	if k := len(uses) - 1; k >= 0 && uses[k].step == step {
		if uses[k].n += n; uses[k].n == 0 {
			b.uses[c] = uses[:k]
		}
		return
	}
	b.uses[c] = append(uses, use{step, n})
}
