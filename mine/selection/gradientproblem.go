package selection

import (
	"slices"

	"fstore/index"
	"fstore/mine/gradient"
)

// listProblem is the K-best lists of the store or, if it has none, its labelled samples.
func (r *run) listProblem(base float64) (*gradient.Problem, error) {
	p, err := gradient.NewLists(r.ctx, r.st, r.From.Space, base, r.o.Without)
	if err == nil && p == nil {
		return r.labelProblem(base)
	}
	if err != nil || r.o.Gradient.Scores == nil {
		return p, err
	}
	scores, by, err := r.o.Gradient.Scores(r.ctx, r.o.Without)
	if err != nil {
		return nil, err
	}
	if uint64(len(scores)) != uint64(p.Samples) {
		return nil, index.Usagef("%s scores of %s", index.Thousands(len(scores)), index.Plural(p.Samples, "sample"))
	}
	if p.Base == nil {
		p.Base = make([]float64, p.Samples)
	}
	for i, x := range scores {
		p.Base[i] += x
	}
	r.settings["pretrain"] = by
	return p, nil
}

// labelProblem is classification: the candidates of a sample are the labels that there are.
// Samples without a label teach nothing, and are left out.
func (r *run) labelProblem(base float64) (*gradient.Problem, error) {
	labels, err := r.st.Labels()
	if err != nil {
		return nil, err
	}
	switch {
	case len(labels) < 2:
		return nil, index.Usagef("gradient is of K-best lists, or of samples with two labels or more: these are neither")
	case base != 0 || r.o.Gradient.Scores != nil:
		return nil, index.Usagef("base and pretrain are of the scores of K-best lists, and the samples of the store are none")
	}
	if err := r.tellLabels(labels); err != nil {
		return nil, err
	}
	r.labels = labels
	classes := uint32(len(labels))
	p := &gradient.Problem{Samples: r.st.Meta().Samples, Classes: classes}
	candidates, err := p.Candidates()
	if err != nil {
		return nil, index.Usagef("gradient: %v", err)
	}
	p.Same = make([]bool, candidates)
	err = r.st.SampleHeads(0, p.Samples, func(id uint32, t *index.Tree) error {
		if t.Label == "" || r.o.Without != nil && r.o.Without.Contains(id) {
			return nil
		}
		label, ok := slices.BinarySearch(labels, t.Label)
		if !ok {
			return index.Usagef("sample %s has the labels %s: gradient is of samples with one", t.Name, t.Label)
		}
		from := id * classes
		gold := from + uint32(label)
		p.Lists = append(p.Lists, gradient.List{From: from, To: from + classes, Gold: gold})
		p.Same[gold] = true
		return nil
	})
	return p, err
}
