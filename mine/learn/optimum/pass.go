package optimum

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"sync"

	"fstore/index"
	"fstore/mine/judge"
)

// column is a fragment. It also stands for the fragments that the objective cannot tell from it.
type column struct {
	Code       []byte
	Order      int
	Samples    []uint32 // all samples of the store with the fragment, ascending
	Occ        uint32
	sum        float64  // the absolute sum of theta over Samples
	training   []uint32 // what the objective depends on, made from Samples by problem.identify
	identified uint64   // the hash of training
}

// before says whether c is simpler than d. Of fragments that the objective cannot tell apart, the simplest is
// kept.
func (c *column) before(d *column) bool {
	return cmp.Or(cmp.Compare(c.Order, d.Order), bytes.Compare(c.Code, d.Code)) < 0
}

// dual is a judge.Objective. It scores a fragment by the absolute sum of theta, the dual variables, over its
// samples, and keeps the columns whose sums are above the threshold.
//
// The bound for all fragments grown from a fragment is the sum of its positive theta or of its negative
// theta, whichever is farther from 0. The theta of equal trees are added up first.
type dual struct {
	theta      []float64 // by sample; the first of the samples with equal trees has the sum of them all
	trained    []bool    // by sample: whether it is trained on
	identify   func(*column)
	first      []bool  // by sample: whether it is the first sample with its tree that is trained on
	among      []bool  // by sample: whether a sample with an equal tree has a θ; if nil, all samples count
	minSupport int     // the least number of samples that are trained on and have a fragment
	radius     float64 // the radius of a ball around theta that contains the dual optimum
	collect    bool    // whether columns are wanted, and not only the largest sum
	wanted     int     // how many columns are wanted, those with the largest sums

	mu sync.Mutex
	Passed
	violators map[uint64][]*column
}

// Passed has the counts of a pass over the space.
type Passed struct {
	Visited  uint64  // the number of fragments
	Screened uint64  // the number of these that are proven to have weight 0 at the optimum
	Most     float64 // the largest |Σ θ|
}

type workerColumns struct {
	Passed
	violators map[uint64][]*column
	kept      int // the number of columns in violators

	code              []byte
	samples, training []uint32
}

// Columns implements judge.Objective.
func (*dual) Columns() []string { return nil }

// Weights implements judge.Objective.
func (d *dual) Weights() index.Weights { return index.Weights{Among: d.among} }

// Samples implements judge.Objective.
func (*dual) Samples() bool { return true }

// Judge implements judge.Objective.
func (d *dual) Judge(b *index.Batch, least float64, v *judge.Verdicts) {
	o, _ := v.Own.(*workerColumns)
	if o == nil {
		o = &workerColumns{violators: map[uint64][]*column{}}
		v.Own = o
	}
	for i := range b.Support {
		var up, down float64
		support, trees := 0, 0
		last := uint32(math.MaxUint32)
		for _, s := range b.SamplesOf(i) {
			if s == last {
				continue
			}
			if last = s; !d.trained[s] {
				continue
			}
			support++
			if d.first[s] {
				trees++
			}
			if t := d.theta[s]; t > 0 {
				up += t
			} else {
				down -= t
			}
		}
		if support < d.minSupport {
			continue
		}
		o.Visited++
		sum, bound := math.Abs(up-down), max(up, down)
		if sum+d.radius*math.Sqrt(float64(support)) < judge.BoundSlack {
			o.Screened++
		}
		o.Most = max(o.Most, sum)
		// A fragment grown from this one can have a larger sum only if this one has theta of both signs, in
		// different trees.
		b.Descend[i] = trees > 1 && bound > sum && !(bound < least*judge.BoundSlack)
		switch {
		case !d.collect:
			v.Keep[i], v.Score[i] = sum > 0 && sum >= least, sum
		case sum > least:
			o.add(d, b, i, sum)
		}
	}
}

// add adds fragment i to violators. Of fragments with equal columns, it keeps only the simplest.
func (o *workerColumns) add(d *dual, b *index.Batch, i int, sum float64) {
	c := column{Order: b.OrderOf(i), sum: sum, Occ: b.Occ[i]}
	c.Code = append(append(o.code[:0], b.Parent...), b.SuffixOf(i)...)
	c.Samples = append(o.samples[:0], b.SamplesOf(i)...)
	c.Samples = slices.Compact(c.Samples)
	c.training = o.training[:0]
	d.identify(&c)
	o.code, o.samples, o.training = c.Code, c.Samples, c.training
	list := o.violators[c.identified]
	at := slices.IndexFunc(list, func(e *column) bool { return slices.Equal(e.training, c.training) })
	if at >= 0 && !c.before(list[at]) {
		return
	}
	c.Code, c.Samples, c.training = slices.Clone(c.Code), slices.Clone(c.Samples), slices.Clone(c.training)
	if at >= 0 {
		list[at] = &c
	} else {
		o.violators[c.identified] = append(list, &c)
		if o.kept++; o.kept > 2*d.wanted+slackColumns {
			o.cut(d.wanted)
		}
	}
}

// A worker that has more than 2·wanted + slackColumns columns drops all but the wanted ones.
const slackColumns = 1024

// cut keeps the columns with the largest sums, at most limit of them.
func (o *workerColumns) cut(limit int) {
	all := worst(o.violators, limit)
	clear(o.violators)
	for _, c := range all {
		o.violators[c.identified] = append(o.violators[c.identified], c)
	}
	o.kept = len(all)
}

func (c *column) hash() {
	h := uint64(len(c.training))
	for _, s := range c.training {
		h = (h ^ uint64(s)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	c.identified = h
}

// Flush implements judge.Counting.
func (d *dual) Flush(v *judge.Verdicts) {
	o, _ := v.Own.(*workerColumns)
	if o == nil {
		return
	}
	v.Own = nil
	d.mu.Lock()
	defer d.mu.Unlock()
	d.Visited += o.Visited
	d.Screened += o.Screened
	d.Most = max(d.Most, o.Most)
	for h, list := range o.violators {
		for _, c := range list {
			d.join(h, c)
		}
	}
}

// join adds a column that a worker found. Of the fragments with equal columns, only the simplest stays.
func (d *dual) join(h uint64, c *column) {
	for k, e := range d.violators[h] {
		if slices.Equal(e.training, c.training) {
			if c.before(e) {
				d.violators[h][k] = c
			}
			return
		}
	}
	d.violators[h] = append(d.violators[h], c)
}

// worst returns the columns with the largest sums, at most limit of them, in descending order.
func worst(violators map[uint64][]*column, limit int) (all []*column) {
	for _, list := range violators {
		all = append(all, list...)
	}
	slices.SortFunc(all, func(a, b *column) int {
		return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(a.Order, b.Order), bytes.Compare(a.Code, b.Code))
	})
	return all[:min(len(all), limit)]
}

// completion is a judge.Objective that finds all samples of some columns. It grows only the fragments of
// these columns and their prefixes.
type completion struct {
	dual
	at map[string]*column // by code: the column; nil if the code is only a prefix of some column's code
}

// Judge implements judge.Objective.
func (x *completion) Judge(b *index.Batch, _ float64, _ *judge.Verdicts) {
	var code []byte
	for i := range b.Support {
		code = append(append(code[:0], b.Parent...), b.SuffixOf(i)...)
		c, leads := x.at[string(code)]
		if b.Descend[i] = leads; c != nil {
			c.Samples, c.Occ = slices.Compact(slices.Clone(b.SamplesOf(i))), b.Occ[i]
		}
	}
}
