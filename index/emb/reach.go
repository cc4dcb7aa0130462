package emb

import "fstore/index/internal/growth"

// Valued implements index.Valued: what goes on from one embedding can be laid many ways,
// and what is skipped decays.
func (*Space) Valued() {}

// reaches bounds what is below a pattern, by the trees alone. What fragments add to an
// embedding, whose rightmost path is laid on the nodes u₀…u_k, is a forest below u_k, and,
// for each d < k, one below u_d that begins at the end of u_{d+1}: these are laid
// independently. A forest below u that begins at node s, its first tree laid with its root
// on q, adds what is skipped on the way from u to q and was not before, which are the nodes
// from s on; what lies below q; and the rest of the forest, which begins at the end of q:
//
//	F(u,s) = max over labels c of Σ over q ≥ s below u with c of
//	         λ^(nodes ≥ s above q, below u) · max(1, F(q,q+1)) · max(1, F(u, end of q))
//
// bounds Σ over the ways to lay any one forest of its values. (Which trees come later is
// chosen anew for each q: that only makes it larger.)
type reaches struct {
	all   nodes
	start []int     // F(u,s) is of[start[u]+s-u-1], where s is before the end of u
	of    []float64 // as many as there are pairs of a node and one below it
}

// reachesOf returns those of the nodes, for a decay.
func (it *Items) reachesOf(lambda float64) *reaches {
	return it.reach.Of(lambda, func() *reaches {
		r := &reaches{all: it.nodes, start: make([]int, len(it.nodes))}
		n := 0
		for u, x := range it.nodes {
			r.start[u] = n
			n += int(x.end) - u - 1
		}
		r.of = make([]float64, n)
		var sums growth.Heaviest
		var skip []float64 // of the nodes below u
		for u := len(it.nodes) - 1; u >= 0; u-- {
			end := int(it.nodes[u].end)
			skip = append(skip[:0], make([]float64, end-u)...)
			for s := end - 1; s > u; s-- {
				sums.Reset(1)
				for q := s; q < end; q++ {
					x := &it.nodes[q]
					skip[q-u] = 1
					if p := int(x.parent); p >= s {
						skip[q-u] = float64(lambda * skip[p-u])
					}
					if x.num != 0 {
						sums.Add(x.num, skip[q-u]*max(1, r.at(q, q+1))*max(1, r.at(u, int(x.end))))
					}
				}
				r.of[r.start[u]+s-u-1] = sums.Most()
			}
		}
		return r
	})
}

// at is F(u,s).
func (r *reaches) at(u, s int) float64 {
	if s == int(r.all[u].end) {
		return 0
	}
	return r.of[r.start[u]+s-u-1]
}

// along is the reach of an embedding with these nodes on its rightmost path, but for what
// is below the last one.
func (r *reaches) along(path []uint32) growth.Reach {
	reach := growth.NewReach()
	for d := 1; d < len(path); d++ {
		reach = r.beside(reach, path[d-1], path[d])
	}
	return reach
}

// beside adds what is below u and right of v.
func (r *reaches) beside(reach growth.Reach, u, v uint32) growth.Reach {
	return reach.With(r.at(int(u), int(r.all[v].end)))
}

// below adds what is below u.
func (r *reaches) below(reach growth.Reach, u uint32) growth.Reach {
	return reach.With(r.at(int(u), int(u)+1))
}
