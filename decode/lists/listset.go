// Package lists reads the K-best lists of a store, makes their vectors, and reranks them. Start at Set (this
// file), then reranker.go.
package lists

import (
	"context"
	"errors"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/decode/linearize"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/rerank"
	"fstore/store"
)

// Set is the K-best lists of a store, in the form that rerankers learn from.
type Set struct {
	rerank.Lists
	Vectors  *rerank.Vectors // vectors of their trees; nil if there is no linearizer
	Vote     []int           // for each list, the candidate with the most votes
	Goldless uint32          // number of lists left out because they have no gold tree

	// If SetOptions.Beside is set, Temperatures[i] is the temperature of the vote in the columns with
	// Column.Choice i+1.
	Temperatures []float64

	first []uint32 // for each list, the id of its first sample
}

// Close closes the vectors.
func (set *Set) Close() error {
	if set.Vectors == nil {
		return nil
	}
	return set.Vectors.Close()
}

// SetOptions say how lists are read. The zero value of each field is its default.
type SetOptions struct {
	// Linearizer makes the vectors of trees, which are stored in Scratch. If it is nil, no vectors are made.
	Linearizer *linearize.Linearizer
	Scratch    rerank.Scratch
	Beside     bool              // fill in the field Lists.Columns
	Without    *roaring.Bitmap   // leave out lists whose first sample is one of these; nil leaves out none
	Score      treescore.Options // how trees are compared with the gold tree
	Tags       read.Tags         // which tags the trees have
	Workers    int               // number of workers; 0 means one for each processor
	Progress   index.Progress
}

// NewSet reads the lists of a store. If the set has vectors, the caller must call Close.
func NewSet(ctx context.Context, s *store.Store, o SetOptions) (set *Set, err error) {
	src, syms, err := StoredLists(s)
	if err != nil {
		return nil, err
	}
	set = &Set{Lists: rerank.Lists{Kind: s.Meta().Kind}}
	if o.Linearizer != nil {
		set.Vectors = rerank.NewVectors(o.Linearizer.Features(), o.Scratch)
	}
	if o.Beside {
		if set.Columns, set.Temperatures, err = columnsOf(s); err != nil {
			return nil, errors.Join(err, set.Close())
		}
	}
	if err := set.read(ctx, src, syms, s.Meta().Samples, &o); err != nil {
		return nil, errors.Join(err, set.Close())
	}
	return set, nil
}

// read adds the lists of src, whose trees use the symbols of syms.
func (set *Set) read(ctx context.Context, src read.ListSource, syms *index.Symbols, samples uint32, o *SetOptions) error {
	score := treescore.New(o.Score)
	vectors := make([]rerank.Place, batchLists)
	beside := make([][][]float64, batchLists)
	columns := wantedTerms{}
	for i, c := range set.Columns {
		columns[rerank.Column{Name: c.Name, Choice: c.Choice}] = i
	}
	o.Progress.Step("linearize", "samples", int64(samples))
	start := func() listWork {
		w := newListWorker(o.Linearizer, o.Tags)
		b := &besides{syms: syms, temperatures: set.Temperatures}
		return func(ctx context.Context, from int, lists []read.List, failed []error) error {
			for i := range lists {
				if o.Beside {
					beside[from+i] = b.rows(&lists[i], columns)
				}
			}
			return w.vectors(ctx, set.Vectors, vectors[from:from+len(lists)], lists, failed)
		}
	}
	b := newListBatches(ctx, o.Workers, start, func(i int, list *read.List) error {
		if set.Vectors != nil {
			set.Vectors.Add(vectors[i])
		}
		set.Vote, set.first = append(set.Vote, voted(list)), append(set.first, list.Id)
		return set.add(list, beside[i], score, syms)
	})
	if err := runLists(b, &wantedLists{src, set, o}); err != nil || set.Vectors == nil {
		return err
	}
	return errors.Join(set.Vectors.Seal(), o.Linearizer.Verify())
}

// wantedLists returns those lists of a source that belong in a set.
type wantedLists struct {
	read.ListSource
	set *Set
	o   *SetOptions
}

func (r *wantedLists) NextList(l *read.List) error {
	for {
		if err := r.ListSource.NextList(l); err != nil {
			return err
		}
		r.o.Progress.Add(int64(l.Used))
		switch {
		case l.Gold == nil:
			r.set.Goldless++
		case r.o.Without == nil || !r.o.Without.Contains(l.Id):
			return nil
		}
	}
}

// add adds a list to the set. `rows`, if not nil, has a value for each candidate and column.
func (set *Set) add(list *read.List, rows [][]float64, score *treescore.Scorer, syms *index.Symbols) error {
	score.SetGold(list.Gold, syms)
	x := rerank.List{Name: list.Candidates[0].Name, Document: list.Candidates[0].Document}
	gold := -1
	for i, t := range list.Trees[:list.Used] {
		if t.Gold != index.NotGold {
			gold = i
		}
		added := t.Gold == index.GoldAdded
		x.Trees = append(x.Trees, rerank.Tree{Base: t.Score, Counts: score.Count(t, syms), Added: added})
		if !added && rows != nil {
			x.Trees[i].Beside = rows[len(x.Trees)-1]
		}
	}
	return set.Lists.Add(x, gold)
}

// Reader returns a function that reads the trees of list i from the store again, with the tags that the
// option asks for. The trees are valid until the next call.
func (set *Set) Reader(s *store.Store, tags read.Tags) func(i int) ([]*index.Tree, error) {
	var list read.List
	w := newListWorker(nil, tags)
	return func(i int) ([]*index.Tree, error) {
		list.Reset()
		for k := range set.List[i].Trees {
			if err := s.Sample(set.first[i]+uint32(k), list.Next()); err != nil {
				return nil, err
			}
			list.Add(false)
		}
		trees := list.Trees[:list.Used]
		if tokens := w.tokens(&list); tokens != nil {
			for _, t := range trees {
				read.Apply(t, tokens)
			}
		}
		return trees, nil
	}
}

// voted returns the candidate whose arcs have the most votes, or baseOf(l) for constituency trees.
func voted(l *read.List) int {
	if l.Candidates[0].Kind == index.Constituency {
		return baseOf(l)
	}
	scores := make([]float64, len(l.Candidates))
	for i, t := range l.Candidates {
		scores[i] = t.Score
	}
	return treescore.Vote(l.Candidates, treescore.Votes(scores))
}

// baseOf returns the candidate that the parser scores highest, or the first of several such candidates.
func baseOf(l *read.List) (at int) {
	for i, t := range l.Candidates {
		if t.Score > l.Candidates[at].Score {
			at = i
		}
	}
	return at
}

// listWorker makes vectors of the trees of lists, for one goroutine.
type listWorker struct {
	*linearize.Worker // nil if there are no vectors
	listTags
	packs  *listPacks // nil if trees are matched one by one
	batch  []packed
	v      []rerank.Vector
	blocks rerank.Blocks
}

func newListWorker(l *linearize.Linearizer, tags read.Tags) *listWorker {
	w := &listWorker{listTags: listTags{tags: tags}}
	if l != nil {
		w.Worker = l.NewWorker()
		w.packs = newListPacks(l, &w.listTags)
	}
	return w
}

// eachVectors puts the lists that can be packed into w.batch. For each other list it calls f(i, v) with the
// vectors of lists[i], which are valid during the call. It skips lists with an error in errs.
func (w *listWorker) eachVectors(ctx context.Context, lists []read.List, errs []error, trees func(*read.List) []*index.Tree, f func(i int, v []rerank.Vector) error) error {
	w.batch = w.batch[:0]
	for i := range lists {
		list := &lists[i]
		switch {
		case errs[i] != nil || ctx.Err() != nil:
			continue
		case w.packs.canPack(list):
			w.batch = append(w.batch, packed{list, trees(list), i})
			continue
		}
		if w.v, errs[i] = w.oneByOne(w.v, list, trees(list)); errs[i] != nil {
			continue
		}
		if err := f(i, w.v); err != nil {
			return err
		}
	}
	return nil
}

// vectors puts the vectors of each list's trees into v, and sets dst[i] to the place of list i in v.
func (w *listWorker) vectors(ctx context.Context, v *rerank.Vectors, dst []rerank.Place, lists []read.List, failed []error) error {
	if w.Worker == nil {
		return nil
	}
	all := func(list *read.List) []*index.Tree { return list.Trees[:list.Used] }
	err := w.eachVectors(ctx, lists, failed, all, func(i int, trees []rerank.Vector) (err error) {
		w.blocks.Free()
		x := rerank.NewListVectors(len(trees), &w.blocks)
		x.AddTrees(trees)
		dst[i], err = v.Put(x)
		return err
	})
	if err != nil {
		return err
	}
	return w.packs.vectors(ctx, v, dst, w.batch)
}

// oneByOne returns the vectors of trees of a list. It reuses the memory of dst.
func (w *listWorker) oneByOne(dst []rerank.Vector, list *read.List, trees []*index.Tree) ([]rerank.Vector, error) {
	dst = dst[:0]
	err := w.withTags(list, trees, func(t *index.Tree) error {
		if len(dst) == cap(dst) {
			dst = append(dst, rerank.Vector{})
		} else {
			dst = dst[:len(dst)+1]
		}
		x := &dst[len(dst)-1]
		v := vector.Vector{ID: x.ID, Value: x.Value}
		err := w.Features(t, &v)
		x.ID, x.Value = v.ID, v.Value
		return err
	})
	return dst, err
}

type listWork = predict.Work[read.List]

// A batch ends after batchLists lists, or when the trees of its lists have listNodes nodes.
const (
	batchLists = 256
	listNodes  = 1 << 18
)

// newListBatches returns batches that do the work for all lists and call onDone for each list, in order.
func newListBatches(ctx context.Context, workers int, newWork func() listWork, onDone func(i int, l *read.List) error) *predict.Batches[read.List] {
	return predict.NewBatches(ctx, batchLists, workers, newWork, onDone)
}

// runLists reads src to its end. If src returns an error, the lists before the error are still processed.
func runLists(b *predict.Batches[read.List], src read.ListSource) error {
	return b.Run(listNodes, func(l *read.List) (nodes int, err error) {
		if err = src.NextList(l); err == nil {
			nodes = l.Nodes()
		}
		return nodes, err
	}, src.Release)
}
