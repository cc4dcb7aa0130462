package lists

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"fstore/decode/format"
	"fstore/decode/linearize"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/rerank"
	"fstore/mine/query"
	"fstore/store"
)

// ListModel chooses candidates from K-best lists. It is safe for concurrent use.
type ListModel interface {
	predict.Readable
	// Beside returns the terms of a score that do not come from fragments.
	Beside() *rerank.Beside
	// newScorer returns a scorer, for one goroutine.
	newScorer() listScorer
}

// listScorer scores the candidates of lists.
type listScorer interface {
	// scores sets dst[i][k] to the score of candidate k of lists[i]. An error about lists[i] goes into
	// failed[i]. A list with an error is skipped.
	scores(ctx context.Context, dst [][]float64, lists []read.List, failed []error) error
}

// PartsOf names the parts that add up to a candidate's score: first those without fragments, such as "rank"
// or "vote", then "fragments".
func PartsOf(m ListModel) []string { return append(m.Beside().Parts(), "fragments") }

// Reranked is a list with the candidate that was chosen.
type Reranked struct {
	*read.List
	Chosen int       // the candidate with the largest score, or the first of several
	Score  float64   // score of the chosen candidate, the sum of all parts
	Scores []float64 // for each candidate, the score of its fragments alone
	// Why compares Chosen with the parser's best other candidate: the terms and fragments whose scores differ
	// most.
	Why   []predict.Reason
	Parts []float64 // the parts of Score, as PartsOf names them
	// Counts has the counts of each candidate against the gold tree, if there is one.
	Counts []treescore.Counts
	Vote   int // the candidate with the most votes, see Set.Vote
}

// GoldCandidate returns the first candidate that has no error against the gold tree, or -1 if there is none.
func (x *Reranked) GoldCandidate() int {
	for i, c := range x.Counts {
		if c.Cost(x.Candidates[i].Kind) == 0 {
			return i
		}
	}
	return -1
}

// Sums adds up the counts of lists that have a gold tree.
type Sums struct {
	Lists                        uint64 // number of lists with a gold tree
	Kind                         index.Kind
	Reranked, Base, Vote, Oracle treescore.Counts
}

func (s *Sums) add(x *Reranked) {
	s.Lists++
	s.Kind = x.Candidates[0].Kind
	s.Reranked.Add(x.Counts[x.Chosen])
	s.Base.Add(x.Counts[baseOf(x.List)])
	s.Vote.Add(x.Counts[x.Vote])
	s.Oracle.Add(x.Counts[treescore.Oracle(s.Kind, x.Counts)])
}

// Reranking chooses a candidate from each list of a source. It keeps the order of the lists.
type Reranking struct {
	// Sums are the sums of counts over all lists with gold trees.
	Sums Sums
	// Why is the maximum length of Reranked.Why. If it is 0, Reranked.Why is not computed.
	Why int
	*predict.Batches[read.List]

	m ListModel
}

// NewReranking returns a Reranking that chooses a tree from each list with the model m. It calls emit with
// each choice, which is valid only during the call. The lists have the symbols syms. If workers is 0, each
// processor gets a worker.
func NewReranking(ctx context.Context, m ListModel, syms *index.Symbols, o treescore.Options, workers int, emit func(*Reranked) error) *Reranking {
	r := &Reranking{m: m}
	chosen := make([]Reranked, batchLists)
	start := func() listWork {
		w := &listChooser{r: r, scorer: m.newScorer(), weigher: newWeigher(m.Beside(), syms), counts: treescore.New(o)}
		return func(ctx context.Context, from int, lists []read.List, failed []error) error {
			return w.choose(ctx, chosen[from:from+len(lists)], lists, failed)
		}
	}
	r.Batches = newListBatches(ctx, workers, start, func(i int, list *read.List) error {
		if list.Gold != nil {
			r.Sums.add(&chosen[i])
		}
		return emit(&chosen[i])
	})
	return r
}

// Run reads src to its end. It must be called only once.
func (r *Reranking) Run(src read.ListSource) error {
	index.Tell(src, r.m.Spaces()...)
	return runLists(r.Batches, src)
}

// listChooser chooses candidates, for one goroutine.
type listChooser struct {
	r      *Reranking
	scorer listScorer
	*weigher
	counts *treescore.Scorer
	scores [][]float64
}

func (w *listChooser) choose(ctx context.Context, chosen []Reranked, lists []read.List, failed []error) error {
	w.scores = w.scores[:0]
	for i := range lists {
		x := &chosen[i]
		x.List, x.Counts = &lists[i], x.Counts[:0]
		for _, t := range x.Candidates {
			if err := w.r.m.Check(t); err != nil && failed[i] == nil {
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
		if failed[i] != nil {
			continue
		}
		if w.take(&chosen[i]); w.r.Why > 0 {
			if failed[i] = w.explain(&chosen[i]); failed[i] != nil {
				return failed[i]
			}
		}
	}
	return nil
}

// take chooses the candidate with the largest score, and compares all candidates with the gold tree.
func (w *listChooser) take(x *Reranked) {
	w.weigh(x.List, nil)
	for k := range x.Candidates {
		s := 0.0
		for _, part := range w.byPart {
			s += part[k]
		}
		if s += x.Scores[k]; k == 0 || s > x.Score {
			x.Chosen, x.Score = k, s
		}
	}
	x.Parts = x.Parts[:0]
	for _, part := range w.byPart {
		x.Parts = append(x.Parts, part[x.Chosen])
	}
	x.Parts = append(x.Parts, x.Scores[x.Chosen])
	if x.Gold == nil {
		return
	}
	w.counts.SetGold(x.Gold, w.syms)
	for _, t := range x.Candidates {
		x.Counts = append(x.Counts, w.counts.Count(t, w.syms))
	}
	x.Vote = voted(x.List)
}

// explain sets x.Why. It stays empty if there is no other candidate, or if the model is no sum over features.
func (w *listChooser) explain(x *Reranked) error {
	x.Why = x.Why[:0]
	other := -1
	for i, t := range x.Candidates {
		if i != x.Chosen && (other < 0 || t.Score > x.Candidates[other].Score) {
			other = i
		}
	}
	e, ok := w.scorer.(*vectorScorer)
	if other < 0 || !ok {
		return nil
	}
	w.weigh(x.List, func(term string, adds []float64) {
		if d := adds[x.Chosen] - adds[other]; d != 0 {
			x.Why = append(x.Why, predict.Reason{Fragment: term, Adds: d})
		}
	})
	var err error
	if x.Why, err = e.difference(x.Why, x.List, x.Chosen, other, w.r.Why); err != nil {
		return err
	}
	slices.SortStableFunc(x.Why, func(a, b predict.Reason) int { return cmp.Compare(math.Abs(b.Adds), math.Abs(a.Adds)) })
	x.Why = x.Why[:min(len(x.Why), w.r.Why)]
	return nil
}

// PutReranker puts a reranker over the features of l into a store. It adds the settings of the model and of
// its vectors to the given settings.
func PutReranker(w *store.Writer, name, learner string, m *rerank.Model, l *linearize.Linearizer, settings map[string]string) error {
	all := map[string]string{"beta": format.Shortest(m.Beside.Beta()), "tags": m.Tags}
	maps.Copy(all, settings)
	return predict.PutVectorModel(w, name, learner, l, all, m.Append(nil))
}

type reranker struct {
	*predict.LinearModel
	m *rerank.Model
}

// OpenReranker opens a model that chooses from lists. The model must be closed before the store. The errors
// are those of OpenLinearModel.
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

// OpenSelection opens a selection that was made by gradient in K-best lists. A score is the sum of the
// fragments' weights, plus the setting `base` times the parser's score. Selections made otherwise, or with
// --pretrain, give predict.ErrNoWeights.
func OpenSelection(s *store.Store, sel *query.Selection) (ListModel, error) {
	set := sel.Info.Settings
	base, err := strconv.ParseFloat(set["base"], 64)
	if err != nil || len(sel.Labels) > 0 || set["pretrain"] != "" {
		return nil, fmt.Errorf("%s: %w", sel.Info.Name, predict.ErrNoWeights)
	}
	l, err := predict.OpenWeights(s, sel, rerank.Labels, 0, linearize.Options{})
	if err != nil {
		return nil, err
	}
	return &reranker{l, &rerank.Model{Beside: rerank.OfScore(base), Tags: string(read.TagsMajority)}}, nil
}

func (r *reranker) Beside() *rerank.Beside { return &r.m.Beside }

func (r *reranker) newScorer() listScorer {
	return &vectorScorer{r, newListWorker(r.Linearizer, read.Tags(r.m.Tags))}
}

// vectorScorer scores the candidates of lists by their vectors, for one goroutine.
type vectorScorer struct {
	*reranker
	w *listWorker
}

// difference appends the n fragments in which the scores of candidates a and b differ most.
func (s *vectorScorer) difference(dst []predict.Reason, list *read.List, a, b, n int) ([]predict.Reason, error) {
	v, err := s.w.oneByOne(s.w.v, list, []*index.Tree{list.Candidates[a], list.Candidates[b]})
	if s.w.v = v; err != nil {
		return dst, err
	}
	return s.Difference(dst, &vector.Vector{ID: v[0].ID, Value: v[0].Value}, &vector.Vector{ID: v[1].ID, Value: v[1].Value}, n)
}

func (s *vectorScorer) scores(ctx context.Context, dst [][]float64, lists []read.List, failed []error) error {
	candidates := func(list *read.List) []*index.Tree { return list.Candidates }
	err := s.w.eachVectors(ctx, lists, failed, candidates, func(i int, v []rerank.Vector) error {
		for k := range dst[i] {
			s.C.Score(dst[i][k:k+1], v[k].ID, v[k].Value)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.w.packs.scores(ctx, dst, s.w.batch, s.C.Weight)
}
