package gradient

import (
	"context"
	"errors"

	"fstore/index"
)

// model has the weights of one class. The ids of its features count from 1 in code order.
type model struct {
	change   // the weights by id; id 0 is no feature
	s        *streamFiles
	features *stream   // the features, in code order
	x        indexFile // the index of the features; its field Index is nil if there are no features
}

func newModel(o *Options, s *streamFiles) *model {
	x := &model{change: change{update: o.Update, c: float64(o.C)}, s: s, features: &stream{s: s}}
	x.w.s, x.d.s = s, s
	x.add(0, 0)
	return x
}

// close frees the memory and removes the files of the model.
func (m *model) close() error {
	return errors.Join(m.features.remove(), m.x.close(m.s), m.change.close())
}

// merger makes the next model of a class from the mined features and the features that have a weight.
type merger struct {
	o      *Options
	before *model
	// a[id] is how many samples of side A have feature `id` of the previous model. b[id] is the same for side
	// B.
	a, b  []uint32
	mined *set

	counts []uint64 // the number of features, by order
}

// each calls f with every feature of the iteration and its weight, in code order. The last argument of f says
// whether the feature was mined.
func (g *merger) each(ctx context.Context, f func(x *feature, w float64, mined bool) error) error {
	g.mined.progress.step("weigh", "fragments", 0)
	const often = 1 << 16
	n := 0
	return eachOfBoth([]*set{g.mined}, []*model{g.before}, func(in []member) error {
		if n++; n%often == 0 {
			g.mined.progress.add(often)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		x := &in[0]
		w := g.before.weight(x.id)
		if w == 0 && !x.mined {
			return nil
		}
		if !x.mined {
			x.a, x.b = g.a[x.id], g.b[x.id]
		}
		return f(x.feature, w, x.mined)
	})
}

// nextModel makes the next model in one pass over the features.
func (g *merger) nextModel(ctx context.Context) (*model, error) {
	next := newModel(g.o, g.mined.s)
	kinds := g.mined.templates.Counter()
	defer g.mined.templates.Release(kinds)
	err := next.index(g.o, func(put func(index.Code) error) error {
		err := g.each(ctx, func(x *feature, w float64, mined bool) error {
			order := x.code.Len()
			for order >= len(g.counts) {
				g.counts = append(g.counts, 0)
			}
			g.counts[order]++
			if !mined {
				kinds.Add(x.code, order)
			}
			d := int32(x.a) - int32(x.b)
			if w == 0 && next.update.slope(0, float64(d), next.c) == 0 {
				return nil
			}
			next.add(w, d)
			if err := next.features.add(x); err != nil {
				return err
			}
			return put(x.code)
		})
		return errors.Join(err, next.features.finish(), next.finish())
	})
	if err != nil {
		return nil, errors.Join(err, next.close())
	}
	return next, nil
}

// index makes the index of the model's features. putAll must call its argument with the code of every
// feature, in ascending order.
func (m *model) index(o *Options, putAll func(put func(index.Code) error) error) (err error) {
	m.x, err = m.s.index(o.Space, o.Symbols, putAll)
	return err
}

// member is one class's record of a feature.
type member struct {
	*feature        // nil if the class does not have it
	id       uint32 // the id in the model; 0 if the model does not have it
	mined    bool   // whether this iteration mined it; if not, a and b are the counts stored with the model
}

// eachOfBoth calls f for each feature that was mined or is in a model, in code order. in[i] is the record of
// class i.
func eachOfBoth(mined []*set, models []*model, f func(in []member) error) (err error) {
	var readers []streamReader
	for i, m := range models {
		readers = append(readers, mined[i].reader(), m.features.reader())
	}
	ids, in := make([]uint32, len(models)), make([]member, len(models))
	err = merge(readers, func(has []*feature) error {
		for i := range models {
			in[i] = member{feature: has[2*i], mined: has[2*i] != nil}
			if has[2*i+1] == nil {
				continue
			}
			ids[i]++
			in[i].id = ids[i]
			if !in[i].mined {
				in[i].feature = has[2*i+1]
			}
		}
		err := f(in)
		for i, m := range models {
			if in[i].id > 0 {
				m.passed(ids[i])
			}
		}
		return err
	})
	for _, m := range models {
		m.release()
	}
	return err
}
