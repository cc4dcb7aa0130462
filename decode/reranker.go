package decode

import (
	"context"
	"maps"
	"strconv"

	"fstore/index"
	"fstore/mine/rerank"
	"fstore/mine/treescore"
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
	// score sets dst[i] to the model's score of candidate i of list.
	score(dst []float64, list *List) error
}

// Reranked is a list of which a candidate was chosen.
type Reranked struct {
	*List
	Chosen int     // the candidate with the largest score, of equals the first
	Score  float64 // of the chosen one, base score included
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
	s.Base.Add(x.Counts[x.base()])
	s.Vote.Add(x.Counts[x.Vote])
	s.Oracle.Add(x.Counts[treescore.Oracle(s.Kind, x.Counts)])
}

// Rerank chooses from the lists of src, several at a time, and calls emit for each in
// order; syms are those of the lists, and workers those of eachList. It returns what lists
// with gold trees come to.
func Rerank(ctx context.Context, m ListModel, src ListSource, syms *index.Symbols, o treescore.Options, workers int, emit func(*Reranked) error) (sums Sums, err error) {
	chosen := make([]Reranked, batchLists)
	start := func() func(int, *List) error {
		scorer := m.newScorer()
		score := treescore.New(o)
		var scores []float64
		return func(i int, list *List) error {
			x := &chosen[i]
			x.List, x.Counts = list, x.Counts[:0]
			for _, t := range list.Candidates {
				if err := m.Check(t); err != nil {
					return badTree(list.place, t.Line, err)
				}
			}
			scores = append(scores[:0], make([]float64, len(list.Candidates))...)
			if err := scorer.score(scores, list); err != nil {
				return err
			}
			for k, t := range list.Candidates {
				if s := rerank.Combine(m.Beta(), t.Score, scores[k]); k == 0 || s > x.Score {
					x.Chosen, x.Score = k, s
				}
			}
			if list.Gold == nil {
				return nil
			}
			score.SetGold(list.Gold, syms)
			for _, t := range list.Candidates {
				x.Counts = append(x.Counts, score.Count(t, syms))
			}
			x.Vote = list.vote()
			return nil
		}
	}
	err = eachList(ctx, src, workers, start, func(i int, list *List) error {
		if list.Gold != nil {
			sums.add(&chosen[i])
		}
		return emit(&chosen[i])
	})
	return sums, err
}

// PutReranker puts a reranker over the features of l into a store, with settings and what
// its vectors are among its settings.
func PutReranker(w *store.Writer, name string, m *rerank.Model, l *Linearizer, settings map[string]string) error {
	all := map[string]string{"beta": strconv.FormatFloat(m.Beta, 'g', -1, 64), "tags": m.Tags}
	maps.Copy(all, settings)
	return putVectorModel(w, name, rerank.LearnerLinear, l, all, m.Append(nil))
}

// reranker is a linear model that chooses from lists.
type reranker struct {
	*LinearModel
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
		return nil, damagedModel(s, name, err)
	}
	l, err := openLinear(s, name, m.Linear)
	if err != nil {
		return nil, err
	}
	return &reranker{l, m}, nil
}

// Beta is ListModel's.
func (r *reranker) Beta() float64 { return r.m.Beta }

// newScorer is ListModel's.
func (r *reranker) newScorer() listScorer {
	return &vectorScorer{r, newListWorker(r.l, Tags(r.m.Tags)), nil}
}

// vectorScorer scores the candidates of lists by their vectors.
type vectorScorer struct {
	*reranker
	w *listWorker
	v []rerank.Vector
}

func (s *vectorScorer) score(dst []float64, list *List) (err error) {
	if s.v, err = s.w.vectors(s.v, list, list.Candidates); err != nil {
		return err
	}
	for i := range dst {
		s.c.Score(dst[i:i+1], s.v[i].ID, s.v[i].Value)
	}
	return nil
}
