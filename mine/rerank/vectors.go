package rerank

import "slices"

// Vectors are the sparse vectors of the trees of Lists: those of one list in one piece, less
// the features that all of its trees have with the same value. These change no difference
// between two trees, and are most of what near-copies of a tree have.
type Vectors struct {
	Features uint32 // the largest feature id there is
	of       []packed
}

// packed is the vectors of a list: tree t has ids[end[t-1]:end[t]], ascending, and the
// values beside them.
type packed struct {
	ids    []uint32
	values []float64 // nil: all are 1
	end    []int
}

// Vector is a tree's vector; ids ascend.
type Vector struct {
	ID    []uint32
	Value []float64
}

// Add appends the vectors of the trees of one more list.
func (v *Vectors) Add(trees []Vector) {
	shared := sharedBy(trees)
	size, ones := 0, true
	for _, t := range trees {
		size += len(t.ID) - len(shared.ID)
		ones = ones && !slices.ContainsFunc(t.Value, func(x float64) bool { return x != 1 })
	}
	p := packed{ids: make([]uint32, 0, size), end: make([]int, 0, len(trees))}
	if !ones {
		p.values = make([]float64, 0, size)
	}
	for _, t := range trees {
		k := 0
		for i, id := range t.ID {
			if k < len(shared.ID) && shared.ID[k] == id {
				k++
				continue
			}
			p.ids = append(p.ids, id)
			if !ones {
				p.values = append(p.values, t.Value[i])
			}
		}
		p.end = append(p.end, len(p.ids))
	}
	v.of = append(v.of, p)
}

// sharedBy is the features that all trees have with the same value.
func sharedBy(trees []Vector) Vector {
	if len(trees) == 0 {
		return Vector{}
	}
	s := Vector{slices.Clone(trees[0].ID), slices.Clone(trees[0].Value)}
	for _, t := range trees[1:] {
		n, k := 0, 0
		for i, id := range s.ID {
			for k < len(t.ID) && t.ID[k] < id {
				k++
			}
			if k < len(t.ID) && t.ID[k] == id && t.Value[k] == s.Value[i] {
				s.ID[n], s.Value[n] = id, s.Value[i]
				n++
			}
		}
		s.ID, s.Value = s.ID[:n], s.Value[:n]
	}
	return s
}

// row is the vector of a tree of list i.
func (p *packed) row(t int) (ids []uint32, values []float64) {
	from := 0
	if t > 0 {
		from = p.end[t-1]
	}
	if p.values != nil {
		values = p.values[from:p.end[t]]
	}
	return p.ids[from:p.end[t]], values
}

// dot is the product of a tree's vector with dense weights by feature id.
func (p *packed) dot(t int, w []float64) (sum float64) {
	ids, values := p.row(t)
	if values == nil {
		for _, id := range ids {
			sum += w[id]
		}
		return sum
	}
	for i, id := range ids {
		sum += float64(w[id] * values[i])
	}
	return sum
}

// add adds a times a tree's vector to dense weights.
func (p *packed) add(t int, a float64, w []float64) {
	ids, values := p.row(t)
	for i, id := range ids {
		if values == nil {
			w[id] += a
		} else {
			w[id] += float64(a * values[i])
		}
	}
}
