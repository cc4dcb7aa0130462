package rerank

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/svm"
)

// LearnerKernel is the name of the learner of a KernelModel, in store.ModelInfo.Learner.
const LearnerKernel = "voted-perceptron-reranker"

// Step is one correction of a kernel perceptron (Collins & Duffy 2002, §4). It adds the kernel with tree
// Target, and subtracts the kernel with tree Other. Votes is 1 plus the number of lists that the machine gets
// right before the next correction.
type Step struct {
	Target, Other uint32 // indexes in KernelModel.Trees
	Votes         uint64
}

// KernelModel scores trees by kernels with training trees. Each chunk of the training lists has its own
// perceptron, because kernels with the trees of all lists would take too long (Collins & Duffy 2002; Qian &
// Liu 2015, §6.1).
type KernelModel struct {
	svm.Config
	// Kind and OneAlphabet have the values of the model's trees. Trees to be scored must have the same
	// values.
	Kind        index.Kind
	OneAlphabet bool

	Beta   Betas
	Tags   string   // the source of the trees' tags, see Tags of package decode
	Chunks [][]Step // by chunk; the steps are in order
	Trees  []index.Tree
}

// Betas has the weight of the base score in the voted decision, and its weight in the averaged decision.
type Betas struct{ Voted, Averaged float64 }

// Decision has the scores that the machines of all chunks give to the trees of a list.
type Decision struct {
	Voted    []float64 // the tree's share of the votes; each machine votes for its best tree
	Averaged []float64 // the mean over the chunks of the tree's score by the chunk's mean machine
}

// KernelOptions say how a kernel perceptron is trained over lists.
type KernelOptions struct {
	Options
	svm.Config
	Chunks int // at least 1
	// HeldOut is the number of lists that are used to choose β. They are scored only by machines that were
	// not trained on them.
	HeldOut int
	// Betas has the values of β to choose from. If it is empty, the values are those of Scores.grid. A single
	// value is used as it is.
	Betas []float64
	// Read returns all trees of list i, with symbols from Symbols. The trees are valid until the next call.
	Read    func(i int) ([]*index.Tree, error)
	Symbols *index.Symbols
}

// KernelReport says how training went.
type KernelReport struct {
	Mistakes        []int // by epoch, summed over all chunks
	Voted, Averaged Trial // the best trials on the lists held out; empty if one β was given
	HeldOut         int
}

// ErrOneMachine says that all lists are in one chunk, so no machine of another chunk can choose β.
var ErrOneMachine = index.Usagef("no machine is left to choose beta by: --beta says what it is")

func (o *KernelOptions) read(e *evaluator, i int) ([]item, error) {
	trees, err := o.Read(i)
	if err != nil {
		return nil, err
	}
	items := make([]item, len(trees))
	for k, t := range trees {
		if items[k], err = e.prepare(t); err != nil {
			return nil, &index.InputError{File: t.Name, Msg: err.Error()}
		}
	}
	return items, nil
}

// chunk trains a machine on lists, in a new random order each epoch. It counts the mistakes by epoch.
func (o *KernelOptions) chunk(ctx context.Context, l *Lists, lists []int, items [][]item, mistakes []int) (*machine, error) {
	e := newEvaluator(&o.Config, o.Symbols)
	m := &machine{}
	scores, seen := map[int][]float64{}, map[int]int{} // by list: the scores of its trees, and how many steps these include
	for epoch := range o.Epochs {
		wrongs := 0
		for _, at := range shuffled(crossval.UpTo(len(lists)), o.Seed, epoch) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			i, trees := lists[at], items[at]
			if scores[i] == nil {
				scores[i] = make([]float64, len(trees))
			}
			if err := e.total(scores[i], e.pack(trees), m, seen[i]); err != nil {
				return nil, err
			}
			seen[i] = len(m.steps)
			other, target, wrong := o.violator(l, i, func(t int) float64 { return scores[i][t] })
			if !wrong {
				if n := len(m.steps); n > 0 {
					m.steps[n-1].votes++
				}
				continue
			}
			wrongs++
			m.add(e, step{&trees[target], &trees[other], i, [2]int{target, other}, 1})
		}
		mistakes[epoch] += wrongs
		if wrongs == 0 {
			break
		}
	}
	return m, nil
}

// decide returns the decision of some machines about the trees of a list. It leaves out nil machines.
func (e *evaluator) decide(trees []item, chunks []*machine) (Decision, error) {
	n := len(trees)
	d := Decision{make([]float64, n), make([]float64, n)}
	var all, learned float64
	scores, mean := make([]float64, n), make([]float64, n)
	list := e.pack(trees)
	for _, m := range chunks {
		if m == nil || len(m.steps) == 0 {
			continue
		}
		clear(scores)
		clear(mean)
		votes := 0.0
		err := e.each(list, m, func(s *step, changes []float64) {
			v := float64(s.votes)
			for t, x := range changes {
				scores[t] += x
				mean[t] += float64(v * scores[t])
			}
			d.Voted[best(n, func(t int) float64 { return scores[t] })] += v
			votes += v
		})
		if err != nil {
			return d, err
		}
		all += votes
		learned++
		for t, x := range mean {
			d.Averaged[t] += x / votes
		}
	}
	for t := range n {
		if learned > 0 {
			d.Voted[t] /= all
			d.Averaged[t] /= learned
		}
	}
	return d, nil
}

// newPool returns a pool of n goroutines, their context, and a function that cancels them and waits.
func newPool(ctx context.Context, n int) (pool *errgroup.Group, poolCtx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	pool, poolCtx = errgroup.WithContext(ctx)
	pool.SetLimit(index.Workers(n))
	return pool, poolCtx, func() {
		cancel()
		_ = pool.Wait()
	}
}

// TrainKernel deals out the lists to o.Chunks chunks in turn, and trains a kernel perceptron on each. With
// one chunk, o.Betas must have one value, else the error is ErrOneMachine. The result does not depend on the
// number of workers.
func TrainKernel(ctx context.Context, l *Lists, o KernelOptions) (*KernelModel, *KernelReport, error) {
	o.Epochs = cmp.Or(o.Epochs, 1)
	o.setDefaults()
	k := min(o.Chunks, len(l.List))
	if k < 1 {
		return nil, nil, fmt.Errorf("%d chunks of %d lists: expected one at least", o.Chunks, len(l.List))
	}
	if k == 1 && len(o.Betas) != 1 {
		return nil, nil, fmt.Errorf("one chunk (--chunks %d, lists: %d): %w", o.Chunks, len(l.List), ErrOneMachine)
	}
	r := &KernelReport{Mistakes: make([]int, o.Epochs)}
	byChunk := make([]*machine, k)
	wrong := make([][]int, k)
	o.Progress.Step("train", "chunks", int64(k))
	e := newEvaluator(&o.Config, o.Symbols)
	pool, poolCtx, stop := newPool(ctx, o.Workers)
	defer stop()
	for c := range k {
		var lists []int
		var items [][]item
		for i := c; i < len(l.List); i += k {
			x, err := o.read(e, i)
			if err != nil {
				return nil, nil, err
			}
			lists, items = append(lists, i), append(items, x)
		}
		wrong[c] = make([]int, o.Epochs)
		pool.Go(func() (err error) {
			byChunk[c], err = o.chunk(poolCtx, l, lists, items, wrong[c])
			o.Progress.Add(1)
			return err
		})
	}
	if err := pool.Wait(); err != nil {
		return nil, nil, err
	}
	for _, w := range wrong {
		for epoch, n := range w {
			r.Mistakes[epoch] += n
		}
	}
	m := &KernelModel{Config: o.Config, Kind: l.Kind}
	if err := o.tune(ctx, l, byChunk, m, r); err != nil {
		return nil, nil, err
	}
	return m, r, o.keep(m, byChunk)
}

// tune chooses β for the voted and the averaged decision, and sets m.Beta.
func (o *KernelOptions) tune(ctx context.Context, l *Lists, chunks []*machine, m *KernelModel, r *KernelReport) error {
	if len(o.Betas) == 1 {
		m.Beta = Betas{o.Betas[0], o.Betas[0]}
		return nil
	}
	n := min(o.HeldOut, len(l.List))
	held := &Lists{Kind: l.Kind}
	voted, averaged := make(Scores, n), make(Scores, n)
	e := newEvaluator(&o.Config, o.Symbols)
	o.Progress.Step("held out", "lists", int64(n))
	pool, ctx, stop := newPool(ctx, o.Workers)
	defer stop()
	for h := range n {
		i := h * len(l.List) / n
		held.List = append(held.List, l.List[i])
		items, err := o.read(e, i)
		if err != nil {
			return err
		}
		pool.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			others := slices.Clone(chunks)
			others[i%len(chunks)] = nil
			d, err := newEvaluator(&o.Config, o.Symbols).decide(items[:l.List[i].candidates()], others)
			voted[h], averaged[h] = d.Voted, d.Averaged
			o.Progress.Add(1)
			return err
		})
	}
	if err := pool.Wait(); err != nil {
		return err
	}
	r.HeldOut = n
	r.Voted = Best(held, voted.trials(held, len(r.Mistakes), o.Betas))
	r.Averaged = Best(held, averaged.trials(held, len(r.Mistakes), o.Betas))
	m.Beta = Betas{r.Voted.Beta, r.Averaged.Beta}
	return nil
}

// keep copies the corrections and their trees into m, each tree once.
func (o *KernelOptions) keep(m *KernelModel, chunks []*machine) error {
	type place struct{ list, tree int }
	number := map[place]uint32{}
	for _, c := range chunks {
		kept := make([]Step, 0, len(c.steps))
		for _, s := range c.steps {
			var at [2]uint32
			for side, t := range s.trees {
				p := place{s.list, t}
				if _, ok := number[p]; !ok {
					trees, err := o.Read(s.list)
					if err != nil {
						return err
					}
					number[p] = uint32(len(m.Trees))
					tree := *trees[t].Clone()
					m.OneAlphabet = tree.OneAlphabet
					// Only these parts of a tree matter to the kernel.
					m.Trees = append(m.Trees, index.Tree{Kind: tree.Kind, OneAlphabet: tree.OneAlphabet, Nodes: tree.Nodes, Tokens: tree.Tokens})
				}
				at[side] = number[p]
			}
			kept = append(kept, Step{at[0], at[1], s.votes})
		}
		m.Chunks = append(m.Chunks, kept)
	}
	return nil
}
