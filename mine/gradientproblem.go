package mine

import (
	"slices"

	"fstore/index"
	"fstore/mine/gradient"
)

// listProblem is the K-best lists of the store, whose candidates score so many times what they
// came with before any fragment does. Lists without a gold tree teach nothing,
// and are left out.
func (r *selection) listProblem(base float64) (*gradient.Problem, error) {
	p := &gradient.Problem{Samples: r.st.Meta().Samples, Classes: 1}
	relations := true
	if x, ok := r.from.space.(index.Relating); ok {
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
		if gold >= 0 {
			p.Lists = append(p.Lists, gradient.List{From: from, To: to, Gold: from + uint32(gold)})
			for i, t := range list {
				p.Same[from+uint32(i)] = sameStructure(t, list[gold], relations)
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
		return nil, choiceErrorf("gradient is of K-best lists, and the samples of the store are none")
	case len(p.Lists) == 0:
		return nil, choiceErrorf("no list has a gold tree: build the store with --gold FILE")
	}
	return p, nil
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
