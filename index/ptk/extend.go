package ptk

// occurrences are the matches of a pattern, ascending by rightmost node. Matches with the same rightmost node
// share an entry, because the node decides how they can grow.
type occurrences struct {
	node  []int32
	count []float64 // number of matches, exact below 2^53
	decay []float64 // the sum over these matches of λ^(children skipped), if extender.decays
}

type extender struct {
	f      *forest
	lambda float64
	decays bool // set if matches have values: in a matcher, and in weighted growth

	last   int            // the depth of the pattern's last node
	at     []*occurrences // the occurrences at each depth of the rightmost path, see begin
	merged []*occurrences // the memory of at
}

func (o *occurrences) reset() { o.node, o.count, o.decay = o.node[:0], o.count[:0], o.decay[:0] }

func (x *extender) add(o *occurrences, n int32, count, decay float64) {
	o.node, o.count = append(o.node, n), append(o.count, count)
	if x.decays {
		o.decay = append(o.decay, decay)
	}
}

// decayOf returns o.decay[i], or 0 if x.decays is false.
func (x *extender) decayOf(o *occurrences, i int) float64 {
	if x.decays {
		return o.decay[i]
	}
	return 0
}

// begin sets x.at from depth `least` to depth `last`, for a pattern with the occurrences o.
func (x *extender) begin(o *occurrences, last, least int) {
	for len(x.merged) <= last {
		x.merged = append(x.merged, &occurrences{})
		x.at = append(x.at, nil)
	}
	nodes := x.f.nodes
	x.last, x.at[last] = last, o
	for d := last - 1; d >= least; d-- {
		below, m := x.at[d+1], x.merged[d]
		x.at[d] = m
		m.reset()
		for i, n := range below.node {
			up := nodes[n].up
			end := len(m.node) - 1
			if end < 0 || m.node[end] != up {
				x.add(m, up, below.count[i], x.decayOf(below, i))
				continue
			}
			m.count[end] += below.count[i]
			if x.decays {
				m.decay[end] += below.decay[i]
			}
		}
	}
}

// extend appends to st the extensions of the pattern at this depth, ascending.
func (x *extender) extend(st *occurrences, depth int) {
	if depth > x.last {
		x.children(st, x.at[x.last])
	} else {
		x.laterSiblings(st, x.at[depth])
	}
}

// children appends the extensions by a first child of the last node: any child that the node has in the tree.
func (x *extender) children(st, o *occurrences) {
	nodes := x.f.nodes
	for i, n := range o.node {
		decay := x.decayOf(o, i)
		for c := nodes[n].kid; c < nodes[n].kidEnd; c++ {
			x.add(st, int32(c), o.count[i], decay)
		}
	}
}

// laterSiblings appends the extensions by a right sibling of a node in o.
func (x *extender) laterSiblings(st, o *occurrences) {
	for i := 0; i < len(o.node); {
		c := uint32(o.node[i])
		end := x.f.nodes[c].end
		count, decay := 0.0, 0.0
		for ; c < end; c++ {
			if count > 0 {
				x.add(st, int32(c), count, decay)
			}
			decay = float64(decay * x.lambda) // rounded, not fused: the same on every machine
			if i < len(o.node) && uint32(o.node[i]) == c {
				count += o.count[i]
				decay += x.decayOf(o, i)
				i++
			}
		}
	}
}
