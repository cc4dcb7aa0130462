package lists

import (
	"context"
	"maps"

	"fstore/decode/format"
	"fstore/decode/linearize"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/rerank"
	"fstore/mine/query"
	"fstore/store"
)

// ListModel is what chooses from K-best lists. It is safe for concurrent use.
type ListModel interface {
	// ReaderSymbols returns symbols for one reader of lists.
	ReaderSymbols() *index.Symbols
	// Check says whether a tree is of the kind that the model is of.
	Check(t *index.Tree) error
	// Beta is what a candidate's own score counts beside the model's.
	Beta() float64
	// newScorer returns a scorer, for one goroutine.
	newScorer() listScorer
}

// listScorer scores the candidates of lists.
type listScorer interface {
	// scores sets dst[i][k] to the model's score of candidate k of lists[i]. Lists that have
	// failed are passed over; what fails of a list is noted.
	scores(ctx context.Context, dst [][]float64, lists []read.List, failed []error) error
}

// Reranked is a list of which a candidate was chosen.
type Reranked struct {
	*read.List
	Chosen int       // the candidate with the largest score, of equals the first
	Score  float64   // of the chosen one, base score included
	Scores []float64 // the model's of each candidate, without the base score
	// The counts of each candidate against gold; empty where there is none.
	Counts []treescore.Counts
	Vote   int // the candidate that most votes are for, see ListSet
}

// GoldCandidate is the first candidate without an error, -1 where there is none.
func (x *Reranked) GoldCandidate() int {
	for i, c := range x.Counts {
		if c.Cost(x.Candidates[i].Kind) == 0 {
			return i
		}
	}
	return -1
}

// Sums are the counts of what lists with gold trees come to.
type Sums struct {
	Lists                        uint64 // with a gold tree
	Kind                         index.Kind
	Reranked, Base, Vote, Oracle treescore.Counts
}

// add adds a list.
func (s *Sums) add(x *Reranked) {
	s.Lists++
	s.Kind = x.Candidates[0].Kind
	s.Reranked.Add(x.Counts[x.Chosen])
	s.Base.Add(x.Counts[baseOf(x.List)])
	s.Vote.Add(x.Counts[x.Vote])
	s.Oracle.Add(x.Counts[treescore.Oracle(s.Kind, x.Counts)])
}

// Reranking chooses from the lists of a source: several at a time, in order.
type Reranking struct {
	// Sums are what the lists with gold trees come to.
	Sums Sums
	// Flush hands on what was emitted: it is called where the input has nothing waiting.
	// nil is nothing to do.
	Flush func() error

	m       ListModel
	cancel  context.CancelFunc
	batches *listBatches
}

// NewReranking returns what calls emit for each list, with what m chooses from it, which is
// valid during the call. The lists are over syms, and compared with gold by o. 0 workers are one
// a processor.
func NewReranking(ctx context.Context, m ListModel, syms *index.Symbols, o treescore.Options, workers int, emit func(*Reranked) error) *Reranking {
	r := &Reranking{m: m}
	ctx, r.cancel = context.WithCancel(ctx)
	chosen := make([]Reranked, batchLists)
	start := func() listWork {
		w := &listChooser{m: m, scorer: m.newScorer(), counts: treescore.New(o), syms: syms}
		return func(ctx context.Context, from int, lists []read.List, failed []error) error {
			return w.choose(ctx, chosen[from:from+len(lists)], lists, failed)
		}
	}
	r.batches = newListBatches(ctx, workers, start, func(i int, list *read.List) error {
		if list.Gold != nil {
			r.Sums.add(&chosen[i])
		}
		return emit(&chosen[i])
	})
	return r
}

// Context is to be the InputOptions.Context of what Run reads: it ends when rows cannot be
// printed, and nobody needs more input.
func (r *Reranking) Context() context.Context { return r.batches.ctx }

// Idle is the InputOptions.OnIdle of what Run reads: it chooses from the lists that are there.
func (r *Reranking) Idle() {
	b := r.batches
	if b.flush() == nil && r.Flush != nil {
		b.err = r.Flush()
	}
	if b.err != nil {
		r.cancel()
	}
}

// Run reads src to its end, once.
func (r *Reranking) Run(src read.ListSource) error {
	defer r.cancel()
	predict.TellSpaces(src, r.m)
	return r.batches.run(src)
}

// listChooser chooses from lists, for one goroutine.
type listChooser struct {
	m      ListModel
	scorer listScorer
	counts *treescore.Scorer
	syms   *index.Symbols
	scores [][]float64
}

// choose chooses from lists.
func (w *listChooser) choose(ctx context.Context, chosen []Reranked, lists []read.List, failed []error) error {
	w.scores = w.scores[:0]
	for i := range lists {
		x := &chosen[i]
		x.List, x.Counts = &lists[i], x.Counts[:0]
		for _, t := range x.Candidates {
			if err := w.m.Check(t); err != nil && failed[i] == nil {
				failed[i] = read.BadTree(x.Place, t.Line, err)
			}
		}
		x.Scores = append(x.Scores[:0], make([]float64, len(x.Candidates))...)
		w.scores = append(w.scores, x.Scores)
	}
	if err := w.scorer.scores(ctx, w.scores, lists, failed); err != nil {
		return err
	}
	for i := range lists {
		if failed[i] == nil {
			w.take(&chosen[i])
		}
	}
	return nil
}

// take takes the best candidate, and compares all with gold.
func (w *listChooser) take(x *Reranked) {
	for k, t := range x.Candidates {
		if s := rerank.Combine(w.m.Beta(), t.Score, x.Scores[k]); k == 0 || s > x.Score {
			x.Chosen, x.Score = k, s
		}
	}
	if x.Gold == nil {
		return
	}
	w.counts.SetGold(x.Gold, w.syms)
	for _, t := range x.Candidates {
		x.Counts = append(x.Counts, w.counts.Count(t, w.syms))
	}
	x.Vote = voted(x.List)
}

// PutReranker puts a reranker over the features of l into a store, with settings and what
// its vectors are among its settings.
func PutReranker(w *store.Writer, name string, m *rerank.Model, l *linearize.Linearizer, settings map[string]string) error {
	all := map[string]string{"beta": format.Shortest(m.Beta), "tags": m.Tags}
	maps.Copy(all, settings)
	return predict.PutVectorModel(w, name, rerank.LearnerLinear, l, all, m.Append(nil))
}

// reranker is a linear model that chooses from lists.
type reranker struct {
	*predict.LinearModel
	m *rerank.Model
}

// OpenReranker opens a model that chooses from lists, an io.Closer to be closed before the
// store. The errors are those of OpenLinearModel.
func OpenReranker(s *store.Store, name string) (ListModel, error) {
	b, err := s.Model(name)
	if err != nil {
		return nil, err
	}
	m, err := rerank.Decode(b)
	if err != nil {
		return nil, query.DamagedModel(s, name, err)
	}
	l, err := predict.OpenLinear(s, name, m.Linear)
	if err != nil {
		return nil, err
	}
	return &reranker{l, m}, nil
}

// Beta is ListModel's.
func (r *reranker) Beta() float64 { return r.m.Beta }

// newScorer is ListModel's.
func (r *reranker) newScorer() listScorer {
	return &vectorScorer{r, newListWorker(r.L, read.Tags(r.m.Tags))}
}

// vectorScorer scores the candidates of lists by their vectors.
type vectorScorer struct {
	*reranker
	w *listWorker
}

func (s *vectorScorer) scores(ctx context.Context, dst [][]float64, lists []read.List, failed []error) error {
	w := s.w
	w.batch = w.batch[:0]
	for i := range lists {
		list := &lists[i]
		if failed[i] != nil || ctx.Err() != nil || w.pack(i, list, list.Candidates) {
			continue
		}
		if w.v, failed[i] = w.oneByOne(w.v, list, list.Candidates); failed[i] != nil {
			continue
		}
		for k := range dst[i] {
			s.C.Score(dst[i][k:k+1], w.v[k].ID, w.v[k].Value)
		}
	}
	return w.packs.scores(ctx, dst, w.batch, s.C.Weight)
}
