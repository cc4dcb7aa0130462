package gradient

import (
	"context"
	"errors"
	"math"
	"runtime/metrics"
	"time"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/mine/template"
)

// Result is the outcome of Mine: the fragments that Options.Keep asks for. It must be closed.
type Result struct {
	Iterations []Iteration
	m          *miner
}

// Fragment is a fragment of a class. Its Code is valid until the next call of f (see Each).
type Fragment struct {
	ID     uint32 // the id in Result.Index of the class; if it is not there, ID and Weight are 0
	Code   index.Code
	Order  int
	Weight float64
	// Gold and Predicted count gold and predicted samples with the fragment in the last iteration (#f⁺, #f⁻).
	Gold, Predicted uint32
}

// Index returns the expansion index of a class, or nil if there are no fragments. The index can have
// fragments without a weight, and is open until Close.
func (r *Result) Index(class int) *expansion.Index { return r.m.models[class].x.Index }

// Each calls f with the fragments of a class, in code order.
func (r *Result) Each(class int, f func(*Fragment) error) error {
	return r.each(class, class+1, func(in []*Fragment) error { return f(in[0]) })
}

// EachAcross calls f once for each fragment of any class, in code order. Element k of the slice is the
// fragment of class k, or nil if the class lacks it.
func (r *Result) EachAcross(f func(in []*Fragment) error) error {
	return r.each(0, len(r.m.models), f)
}

func (r *Result) each(from, to int, f func(in []*Fragment) error) error {
	models := r.m.models[from:to]
	all, in := make([]Fragment, len(models)), make([]*Fragment, len(models))
	return eachOfBoth(r.m.mined[from:to], models, func(members []member) error {
		any := false
		for i, x := range members {
			if in[i] = nil; x.feature == nil {
				continue
			}
			if w := models[i].weight(x.id); w != 0 || x.mined || r.m.o.Keep == KeepFeatures {
				all[i] = Fragment{x.id, x.code, x.code.Len(), w, x.a, x.b}
				in[i], any = &all[i], true
			}
		}
		if !any {
			return nil
		}
		return f(in)
	})
}

// Close removes the scratch files. It must be called, even if the fragments are not needed.
func (r *Result) Close() error { return r.m.close() }

// Mine runs Algorithm 1 and returns the fragments.
func Mine(ctx context.Context, p *Problem, o Options) (*Result, error) {
	o.SetDefaults()
	candidates, err := p.Candidates()
	if err != nil {
		return nil, err
	}
	m := &miner{
		p: p, o: &o, s: &streamFiles{fs: o.FS, dir: o.Dir, budget: o.Memory},
		told:  &progress{to: index.OneAtATime(o.Progress)},
		score: make([]float64, candidates), best: make([]uint32, len(p.Lists)), from: o.Step,
	}
	if err := m.choose(ctx); err != nil {
		return nil, err
	}
	for range p.Classes {
		m.models = append(m.models, newModel(m.o, m.s))
		m.mined = append(m.mined, &set{s: m.s})
		m.side = append(m.side, make([]uint8, p.Samples))
	}
	copy(m.score, p.Base)
	m.now = p.loss(m.score)
	r := &Result{m: m}
	if err := r.run(ctx); err != nil {
		return nil, errors.Join(err, m.close())
	}
	return r, nil
}

// run makes the iterations, except those that an earlier run has saved.
func (r *Result) run(ctx context.Context) (err error) {
	m, o := r.m, r.m.o
	if m.keeper, err = newKeeper(o.Checkpoint); err != nil {
		return err
	}
	done, ended, err := m.keeper.resume(m.read)
	if err != nil {
		return err
	}
	for i := range done {
		if err := r.log(&done[i]); err != nil {
			return err
		}
	}
	for t := len(done) + 1; t <= o.Iterations && !ended; t++ {
		m.told.iteration = t
		if err := m.keeper.begin(m.write, r.Iterations); err != nil {
			return err
		}
		i, more, err := m.iterate(ctx, t)
		if err == nil {
			err = r.log(i)
		}
		if ctx.Err() != nil {
			err = errors.Join(err, m.keeper.interrupted())
		}
		if err != nil {
			return err
		}
		ended = !more
	}
	return m.keeper.end(m.write, o.Keep, r.Iterations)
}

func (r *Result) log(i *Iteration) error {
	r.Iterations = append(r.Iterations, *i)
	if r.m.o.Log == nil {
		return nil
	}
	return r.m.o.Log(i)
}

func (m *miner) choose(ctx context.Context) (err error) {
	o := m.o
	if !o.unpacked {
		if m.e, err = newPacks(ctx, m.p, o, m.told); err != nil {
			return err
		}
	}
	t := &trees{o: *o, samples: m.p.Samples, progress: m.told}
	if m.e == nil {
		m.e = t
	}
	if o.Route == DepthFirst {
		return nil
	}
	l := &levels{engine: m.e, trees: t, s: m.s, budget: int(min(max(o.Memory, 1), 1<<30))}
	l.screen = func(side []uint8, c uint32) screen {
		if o.Route == Bitmap {
			return &bitmaps{e: t, c: int(c), side: side}
		}
		return newBloom(c, max(o.BloomBits, bloomWidth(c)), o.BloomCounters)
	}
	m.e = l
	return nil
}

func (m *miner) close() (err error) {
	for _, x := range m.models {
		err = errors.Join(err, x.close())
	}
	for _, x := range m.mined {
		err = errors.Join(err, x.remove())
	}
	return err
}

// iterate makes iteration t, and reports whether another iteration can still change the model.
func (m *miner) iterate(ctx context.Context, t int) (i *Iteration, more bool, err error) {
	i = &Iteration{Iteration: t, Before: m.now, Objective: m.now, Orders: []Order{}}
	m.p.predict(m.best, m.score)
	i.Wrong = m.p.sides(m.side, m.best)
	clock := clock{time.Now()}
	for class := range m.models {
		if err := m.mine(ctx, class, i, &clock); err != nil {
			return nil, false, err
		}
	}
	i.SpilledBytes = m.s.bytes.Swap(0)
	still := true
	for _, x := range m.models {
		still = still && x.settled()
	}
	if !still {
		err = m.step(ctx, i)
	}
	i.ScoreSeconds = clock.lap()
	for _, x := range m.models {
		i.Weights += x.weights()
	}
	return i, i.Step > 0, err
}

// mine finds S, the features of a class, and makes the next model of the class.
func (m *miner) mine(ctx context.Context, class int, i *Iteration, clock *clock) (err error) {
	before := m.models[class]
	if err := m.mined[class].remove(); err != nil {
		return err
	}
	g := &merger{o: m.o, before: before}
	g.mined = &set{s: m.s, templates: template.New(m.o.Space, m.o.Symbols), keeper: m.keeper, class: class, progress: m.told}
	defer func() { err = errors.Join(err, g.mined.remove()) }()
	counts, err := m.e.mine(ctx, m.side[class], m.o.C, g.mined)
	if err != nil {
		return err
	}
	if before.x.Index != nil {
		if g.a, g.b, err = m.e.count(ctx, before.x.Index, m.side[class]); err != nil {
			return err
		}
	}
	i.MineSeconds += clock.lap()
	i.MemoryBytes = max(i.MemoryBytes, memory())
	next, err := g.nextModel(ctx)
	if err != nil {
		return err
	}
	m.models[class] = next
	templates := g.mined.templates.ByOrder()
	if m.o.Keep == KeepFeatures {
		m.mined[class], g.mined = g.mined, &set{}
	}
	i.MergeSeconds += clock.lap()
	i.MemoryBytes = max(i.MemoryBytes, memory())
	i.add(counts, g.counts, templates)
	return before.close()
}

// add adds the counts of one class to those of the iteration.
func (i *Iteration) add(seen index.Counts, features, templates []uint64) {
	at := func(counts []uint64, order int) uint64 {
		if order < len(counts) {
			return counts[order]
		}
		return 0
	}
	for order := 1; order < max(len(seen.Candidates), len(features)); order++ {
		for order > len(i.Orders) {
			i.Orders = append(i.Orders, Order{Order: len(i.Orders) + 1})
		}
		x := &i.Orders[order-1]
		candidates, below := at(seen.Candidates, order), at(seen.Below, order)
		x.Candidates += candidates
		x.Pruned += below
		x.Kept += candidates - below
		x.Features += at(features, order)
		x.Templates += at(templates, order)
	}
}

// halvings is how many steps are tried at most. Each step is half of the step before.
const halvings = 32

// step takes the first of the step sizes m.from, m.from/2, m.from/4, … that lowers the objective. With
// Literal, it takes m.from.
func (m *miner) step(ctx context.Context, i *Iteration) error {
	n := halvings
	if m.o.Update == Literal {
		n = 1
	}
	steps := make([]float64, n)
	for k := range steps {
		steps[k] = math.Ldexp(m.from, -k)
	}
	by, norms, err := m.change(ctx, steps)
	if err != nil {
		return err
	}
	to := make([]float64, len(m.score))
	for k, alpha := range steps {
		i.Tried++
		for c, s := range by {
			for sample := range m.p.Samples {
				n := sample*m.p.Classes + uint32(c)
				to[n] = m.score[n] + s.changeOf(int(sample), k, alpha)
			}
		}
		now := float64(float64(m.o.C)*norms[k]) + m.p.loss(to)
		if falls := now < m.now-float64(1e-9*math.Abs(m.now)); m.o.Update != Literal && !falls { // more than rounding
			continue
		}
		i.Step, i.Objective = alpha, now
		m.score, m.now, m.from = to, now, alpha
		if m.o.Update != Literal {
			m.from = 2 * alpha
		}
		for _, x := range m.models {
			x.made = alpha
		}
		return nil
	}
	return nil
}

// change returns the score changes of each class, and the norm of all weights after each step.
func (m *miner) change(ctx context.Context, steps []float64) (by []*sums, norms []float64, err error) {
	norms = make([]float64, len(steps))
	for _, x := range m.models {
		for k, norm := range x.try(steps) {
			norms[k] += norm
		}
		s := newSums(int(m.p.Samples), len(steps))
		err := m.e.score(ctx, x.x.Index, &x.change, s)
		x.release()
		if err != nil {
			return nil, nil, err
		}
		by = append(by, s)
	}
	return by, norms, nil
}

// memory returns the bytes that the process has from the operating system, as far as Go knows.
func memory() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}
