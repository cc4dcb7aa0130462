package decode

import (
	"context"
	"errors"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"

	"fstore/decode/vector"
	"fstore/index"
	"fstore/mine/rerank"
	"fstore/mine/treescore"
	"fstore/store"
)

// eachList reads lists to their end and calls work for each, several at a time, and then
// done for each, in order. What work gets is valid until done returns. 0 workers are one a
// processor; start makes the work of one goroutine.
func eachList(ctx context.Context, src ListSource, workers int, start func() func(i int, l *List) error, done func(i int, l *List) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	lists := make([]List, batchLists)
	works := make([]func(int, *List) error, workers)
	for w := range works {
		works[w] = start()
	}
	for {
		n := 0
		var end error
		for n < len(lists) && end == nil {
			if end = src.NextList(&lists[n]); end == nil {
				n++
			}
		}
		failed := make([]error, n)
		pool, ctx := errgroup.WithContext(ctx)
		for w, work := range works {
			pool.Go(func() error {
				for i := w; i < n && ctx.Err() == nil; i += workers {
					failed[i] = work(i, &lists[i])
				}
				return ctx.Err()
			})
		}
		if err := pool.Wait(); err != nil {
			return err
		}
		// What precedes an error is done.
		for i, err := range failed {
			if err == nil {
				err = done(i, &lists[i])
			}
			if err != nil {
				return err
			}
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
		src.Release()
	}
}

// batchLists is how many lists eachList holds.
const batchLists = 32

// ListSet is the K-best lists of a store as rerankers learn from them.
type ListSet struct {
	rerank.Lists
	rerank.Vectors        // of their trees; empty where there is no linearizer
	Vote           []int  // the candidate of each list that has most votes
	Goldless       uint32 // lists without a gold tree, which are left out

	first []uint32 // the first sample of each list
}

// NewListSet reads the lists of a store. Trees are compared with gold by o, have the tags
// that tags says, and the vectors of l, which may be nil. Workers are those of eachList.
func NewListSet(ctx context.Context, s *store.Store, l *Linearizer, o treescore.Options, tags Tags, workers int, progress index.Progress) (*ListSet, error) {
	src, err := StoredLists(s)
	if err != nil {
		return nil, err
	}
	syms, err := s.Symbols()
	if err != nil {
		return nil, err
	}
	set := &ListSet{Lists: rerank.Lists{Kind: s.Meta().Kind}}
	if l != nil {
		set.Features = l.Features()
	}
	score := treescore.New(o)
	vectors := make([][]rerank.Vector, batchLists)
	progress.Step("linearize", "samples", int64(s.Meta().Samples))
	start := func() func(int, *List) error {
		w := newListWorker(l, tags)
		return func(i int, list *List) (err error) {
			if list.Gold != nil {
				vectors[i], err = w.vectors(vectors[i], list, list.trees[:list.used])
			}
			return err
		}
	}
	err = eachList(ctx, src, workers, start, func(i int, list *List) error {
		progress.Add(int64(list.used))
		if list.Gold == nil {
			set.Goldless++
			return nil
		}
		if l != nil {
			set.Vectors.Add(vectors[i])
		}
		set.Vote, set.first = append(set.Vote, list.vote()), append(set.first, list.id)
		return set.add(list, score, syms)
	})
	if err == nil && l != nil {
		err = l.Verify()
	}
	return set, err
}

// add adds a list.
func (set *ListSet) add(list *List, score *treescore.Scorer, syms *index.Symbols) error {
	score.SetGold(list.Gold, syms)
	x := rerank.List{Name: list.Candidates[0].Name, Document: list.Candidates[0].Document}
	gold := -1
	for i, t := range list.trees[:list.used] {
		if t == list.Gold {
			gold = i
		}
		x.Trees = append(x.Trees, rerank.Tree{Base: t.Score, Counts: score.Count(t, syms), Added: t.Gold == index.GoldAdded})
	}
	return set.Lists.Add(x, gold)
}

// Reader returns what reads the trees of list i of the set from the store again, with the
// tags that tags says. They are valid until the next call.
func (set *ListSet) Reader(s *store.Store, tags Tags) func(i int) ([]*index.Tree, error) {
	var list List
	w := newListWorker(nil, tags)
	return func(i int) ([]*index.Tree, error) {
		list.reset()
		for k := range set.List[i].Trees {
			if err := s.Sample(set.first[i]+uint32(k), list.next()); err != nil {
				return nil, err
			}
			list.add()
		}
		trees := list.trees[:list.used]
		if tokens := w.tokens(&list); tokens != nil {
			for _, t := range trees {
				apply(t, tokens)
			}
		}
		return trees, nil
	}
}

// vote is the candidate whose arcs have most votes; of constituency trees, which have none,
// the first with the highest score.
func (l *List) vote() int {
	if l.Candidates[0].Kind == index.Constituency {
		return l.base()
	}
	scores := make([]float64, len(l.Candidates))
	for i, t := range l.Candidates {
		scores[i] = t.Score
	}
	return treescore.Vote(l.Candidates, treescore.Votes(scores))
}

// base is the candidate with the highest score, of equals the first.
func (l *List) base() (at int) {
	for i, t := range l.Candidates {
		if t.Score > l.Candidates[at].Score {
			at = i
		}
	}
	return at
}

// listWorker makes vectors of the trees of lists, for one goroutine.
type listWorker struct {
	*Worker
	tags Tags
	tagger
	own []index.Token
}

func newListWorker(l *Linearizer, tags Tags) *listWorker {
	w := &listWorker{tags: tags}
	if l != nil {
		w.Worker = l.NewWorker()
	}
	return w
}

// tokens has the tags that the trees of a list are given; nil: their own.
func (w *listWorker) tokens(list *List) []index.Token {
	if w.tags != TagsMajority || list.Candidates[0].Kind != index.Dependency {
		return nil
	}
	return w.majority(list.Candidates)
}

// withTags calls f for trees of a list while they have the tags that the worker gives them.
func (w *listWorker) withTags(list *List, trees []*index.Tree, f func(t *index.Tree) error) error {
	tokens := w.tokens(list)
	for _, t := range trees {
		if tokens != nil {
			w.own = append(w.own[:0], t.Tokens...)
			apply(t, tokens)
		}
		err := f(t)
		if tokens != nil {
			copy(t.Tokens, w.own)
		}
		if err != nil {
			return w.tooLarge(list, t, err)
		}
	}
	return nil
}

// vectors sets dst to the vectors of trees of a list, reusing its memory.
func (w *listWorker) vectors(dst []rerank.Vector, list *List, trees []*index.Tree) ([]rerank.Vector, error) {
	dst = dst[:0]
	if w.Worker == nil {
		return dst, nil
	}
	err := w.withTags(list, trees, func(t *index.Tree) error {
		if len(dst) == cap(dst) {
			dst = append(dst, rerank.Vector{})
		} else {
			dst = dst[:len(dst)+1]
		}
		x := &dst[len(dst)-1]
		v := vector.Vector{ID: x.ID, Value: x.Value}
		err := w.features(t, &v)
		x.ID, x.Value = v.ID, v.Value
		return err
	})
	return dst, err
}

// tooLarge names the tree that an error is about.
func (w *listWorker) tooLarge(list *List, t *index.Tree, err error) error {
	if large := (*treeError)(nil); errors.As(err, &large) {
		return badTree(list.place, t.Line, err)
	}
	return err
}
