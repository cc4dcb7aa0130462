package emb

import "fstore/index/internal/growth"

// Valued implements index.Valued: embeddings can grow in several ways, and skipped nodes lower the value.
func (*Space) Valued() {}

// reaches gives upper bounds of the factor by which larger fragments multiply the value of an embedding. Let
// u₀…u_k be the rightmost path of the embedding. A larger fragment adds independent forests:
//   - one below u_k
//   - one below each other u_d, after the subtree of u_{d+1}
//
// F(u,s) bounds the sum of the values of all matches of one forest that lies below node u, in the nodes from
// s on:
//
//	F(u,s) = max over labels c of Σ over q ≥ s below u with label c of
//	         λ^g · max(1, F(q,q+1)) · max(1, F(u, end of q))
//
// Here q is the root of the first tree of the forest, and g the number of nodes from s on that lie between u
// and q. F(u, end of q) bounds the other trees.
type reaches struct {
	all   nodes
	start []int     // F(u,s) is of[start[u]+s-u-1], for s before the end of u
	of    []float64 // one for each pair of a node and a node below it
}

// newReaches computes the bounds for the decay lambda.
func newReaches(all nodes, lambda float64) *reaches {
	r := &reaches{all: all, start: make([]int, len(all))}
	n := 0
	for u, x := range all {
		r.start[u] = n
		n += int(x.end) - u - 1
	}
	r.of = make([]float64, n)
	var sums growth.Heaviest
	var skip []float64 // for the nodes below u
	for u := len(all) - 1; u >= 0; u-- {
		end := int(all[u].end)
		skip = append(skip[:0], make([]float64, end-u)...)
		for s := end - 1; s > u; s-- {
			sums.Reset(1)
			for q := s; q < end; q++ {
				x := &all[q]
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
}

// at returns the bound F(u,s), see reaches.
func (r *reaches) at(u, s int) float64 {
	if s == int(r.all[u].end) {
		return 0
	}
	return r.of[r.start[u]+s-u-1]
}

// along returns the growth.Reach of a path, as if nothing could be added below the path's last node.
func (r *reaches) along(path []uint32) growth.Reach {
	reach := growth.NewReach()
	for d := 1; d < len(path); d++ {
		reach = r.beside(reach, path[d-1], path[d])
	}
	return reach
}

// beside extends a growth.Reach by the nodes below u that come after the subtree of v.
func (r *reaches) beside(reach growth.Reach, u, v uint32) growth.Reach {
	return reach.With(r.at(int(u), int(r.all[v].end)))
}

// below extends a growth.Reach by the nodes below u.
func (r *reaches) below(reach growth.Reach, u uint32) growth.Reach {
	return reach.With(r.at(int(u), int(u)+1))
}
