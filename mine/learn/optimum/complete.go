package optimum

import (
	"slices"

	"fstore/index"
	"fstore/mine/judge"
)

// completion is a judge.Objective that finds all samples of some columns. It is used after a pass that has
// seen only the samples with a θ. It grows only the fragments of the columns and the fragments on the way to
// them.
type completion struct {
	dual
	at map[string]*column // by code: the column; nil if the code is only a prefix of some column's code
}

// complete sets the samples of each column to all samples with the column's fragment.
func (m *machine) complete(columns []*column) error {
	x := &completion{at: map[string]*column{}}
	for _, c := range columns {
		rest := index.Code(c.Code)
		for ok := true; ok; _, rest, ok = rest.Next() {
			x.at[string(c.Code[:len(c.Code)-len(rest)])] = nil
		}
	}
	for _, c := range columns {
		x.at[string(c.Code)] = c
	}
	if err := m.pass(x, &judge.Threshold{}); err != nil {
		return err
	}
	for _, c := range columns {
		c.training = nil
		m.problem.identify(c)
	}
	return nil
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
