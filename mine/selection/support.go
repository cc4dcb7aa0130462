package selection

import (
	"fstore/index"
	"fstore/mine/judge"
)

// Support scores a fragment by its support.
type Support struct{ judge.Plain }

// Judge implements Objective. It can prune, because no extension of a fragment has more support.
func (Support) Judge(b *index.Batch, least float64, v *judge.Verdicts) {
	for i, n := range b.Support {
		v.Score[i] = float64(n)
		v.Keep[i] = v.Score[i] >= least
		b.Descend[i] = v.Keep[i]
	}
}

// chooseSupport returns the objective that selects all fragments within the limits.
func (r *run) chooseSupport() (judge.Objective, float64, error) {
	o := r.o
	if o.chi2Only() || o.Positive != nil {
		return nil, 0, index.Usagef("tau, alpha, correct, permutations, test and positive are of chi2")
	}
	r.reason = r.described("all")
	return Support{}, float64(r.From.Limits.MinSupport), nil
}
