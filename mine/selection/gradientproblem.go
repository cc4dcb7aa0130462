package selection

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"fstore/index"
	"fstore/mine/gradient"
	"fstore/mine/query"
)

// listProblem is the K-best lists of the store, whose candidates score so many times what they
// came with before any fragment does. A gold tree that was not offered came with nothing, and
// has the lowest score of its list: the parser's own would be no higher. Lists without a gold
// tree teach nothing, and are left out, as are those of Options.Without.
func (r *run) listProblem(base float64) (*gradient.Problem, error) {
	p := &gradient.Problem{Samples: r.st.Meta().Samples, Classes: 1}
	relations := true
	if x, ok := r.From.Space.(index.Relating); ok {
		relations = x.Relations()
	}
	p.Same = make([]bool, p.Samples)
	if base != 0 {
		p.Base = make([]float64, p.Samples)
	}
	var list []*index.Tree // so far
	end := func(to uint32) {
		from := to - uint32(len(list))
		gold := slices.IndexFunc(list, func(t *index.Tree) bool { return t.Gold != index.NotGold })
		if gold >= 0 && (r.o.Without == nil || !r.o.Without.Contains(from)) {
			p.Lists = append(p.Lists, gradient.List{From: from, To: to, Gold: from + uint32(gold)})
			for i, t := range list {
				p.Same[from+uint32(i)] = sameStructure(t, list[gold], relations)
			}
			if base != 0 && gold > 0 && list[gold].Gold == index.GoldAdded {
				p.Base[from+uint32(gold)] = base * slices.MinFunc(list[:gold], byScore).Score
			}
		}
		list = list[:0]
	}
	grouped := false
	err := r.st.Samples(0, p.Samples, func(id uint32, t *index.Tree) error {
		if len(list) > 0 && !t.SameSentence(list[0].Group, list[0].Document) {
			end(id)
		}
		grouped = grouped || t.Group != ""
		list = append(list, t.Clone())
		if base != 0 {
			if !(math.Abs(t.Score) <= index.MostScore) {
				return index.Usagef("base: sample %d has a score of %g: more than %g", id, t.Score, index.MostScore)
			}
			p.Base[id] = base * t.Score
		}
		return r.ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	end(p.Samples)
	switch {
	case !grouped:
		return r.labelProblem(base)
	case len(p.Lists) == 0:
		return nil, index.Usagef("no list has a gold tree: build the store with --gold FILE")
	}
	return p, r.addScores(p)
}

// addScores adds GradientOptions.Scores.
func (r *run) addScores(p *gradient.Problem) error {
	if r.o.Gradient.Scores == nil {
		return nil
	}
	scores, by, err := r.o.Gradient.Scores(r.ctx, r.o.Without)
	if err != nil {
		return err
	}
	if uint64(len(scores)) != uint64(p.Samples) {
		return index.Usagef("%s scores of %s", index.Thousands(len(scores)), index.Plural(p.Samples, "sample"))
	}
	if p.Base == nil {
		p.Base = make([]float64, p.Samples)
	}
	for i, x := range scores {
		p.Base[i] += x
	}
	r.settings["pretrain"] = by
	return nil
}

// byScore orders trees by the scores that they came with.
func byScore(a, b *index.Tree) int { return cmp.Compare(a.Score, b.Score) }

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
	names, err := json.Marshal(labels)
	if err != nil {
		return nil, err
	}
	r.labels, r.settings[query.LabelsSetting] = labels, string(names)
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

// sameStructure says whether two trees over the same words have the same structure: heads,
// and relations where these matter; or brackets with their labels.
func sameStructure(a, b *index.Tree, relations bool) bool {
	if a.Kind == index.Dependency {
		return slices.EqualFunc(a.Tokens, b.Tokens, func(x, y index.Token) bool {
			return x.Head == y.Head && (!relations || x.Rel == y.Rel)
		})
	}
	return slices.EqualFunc(a.Nodes, b.Nodes, func(x, y index.Node) bool {
		return x.Size == y.Size && x.Word == y.Word && x.Sym == y.Sym
	})
}
