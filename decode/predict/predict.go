// Package predict scores trees by a model: linear, kernel, or a selection with weights.
package predict

import (
	"context"
	"errors"
	"io"
	"slices"

	"golang.org/x/sync/errgroup"

	"fstore/decode/format"
	"fstore/decode/linearize"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/expansion"
	"fstore/mine/learn/classes"
	"fstore/mine/learn/measure"
)

// Model is what gives trees a score for each label: a kernel machine, or a linear model.
// It is safe for concurrent use.
type Model interface {
	// Labels are the labels that are told apart. Of two there is one score, which is
	// positive for the first and negative for the second, which may be "": any other.
	Labels() []string
	// ReaderSymbols returns symbols for one reader of the trees that are scored.
	ReaderSymbols() *index.Symbols
	// NewScorer returns a scorer, for one goroutine.
	NewScorer() Scorer
	// Check says whether a tree is of the kind that the model is of.
	Check(t *index.Tree) error
}

// Scorer scores trees.
type Scorer interface {
	// Score sets the scores of t: one for each label, or one for two labels. An error is
	// about t alone, which is too large, unless it is expansion.ErrDamaged.
	Score(scores []float64, t *index.Tree) error
}

// Explainer is implemented by scorers that can say which features made a score.
type Explainer interface {
	// Explain appends the n features that speak loudest in score k of the tree scored last,
	// for or against, the loudest first.
	Explain(dst []Reason, k, n int) ([]Reason, error)
}

// Reason is what a feature, a fragment, adds to a score.
type Reason struct {
	Fragment string
	Adds     float64
}

// ErrUnexplained says that a model has no features to name: votes have none.
var ErrUnexplained = errors.New("a vote is not the sum of what fragments add: --why needs --decision averaged")

// Prediction is what a model says of a sample.
type Prediction struct {
	Sample    string
	Predicted string    // the label with the largest score, of equals the first
	Score     float64   // of Predicted; of two labels, the one score there is
	Gold      string    // the sample's own labels, joined by commas; "" where it has none
	Scores    []float64 // of each label; one of two
	Why       []Reason  // of Score, see Predictor.Why
	Refused   bool      // a bad sample, see Predictor.Refused: only Sample and Gold are known
}

// Predictor predicts a stream of samples: several at a time, in order.
type Predictor struct {
	// Outcomes compares the predictions with the labels of samples that have some.
	Outcomes measure.Outcomes
	// Unknown are the gold labels that the model does not tell apart from others, with the
	// samples that have them; Outcomes counts these as wrong.
	Unknown map[string]uint64
	// Why is how many reasons predictions have; with a model whose scorers are no Explainer
	// it is ErrUnexplained.
	Why int
	// Refused is told of bad samples, in order, those included that are too large to score;
	// nil: one ends the run.
	Refused func(*index.InputError)
	// Empty gives bad samples a prediction all the same, see Prediction.Refused.
	Empty bool
	// Flush hands on what was emitted: it is called where the input has nothing waiting.
	// nil is nothing to do.
	Flush func() error

	ctx     context.Context
	cancel  context.CancelFunc
	m       Model
	emit    func(*Prediction) error
	scorers []Scorer
	labels  []string

	trees  []index.Tree // read and not scored
	places []read.Place
	bad    []*index.InputError // in the place of scores
	n      int
	scores [][]float64
	why    [][]Reason
	err    error // of a flush while the input was idle
}

// NewPredictor returns a predictor whose predictions, each valid during the call, go to
// emit. 0 workers are one a processor.
func New(ctx context.Context, m Model, workers int, emit func(*Prediction) error) *Predictor {
	workers = index.Workers(workers)
	p := &Predictor{
		m: m, emit: emit, labels: m.Labels(),
		trees: make([]index.Tree, linearize.BatchTrees), places: make([]read.Place, linearize.BatchTrees), bad: make([]*index.InputError, linearize.BatchTrees), scores: make([][]float64, linearize.BatchTrees), why: make([][]Reason, linearize.BatchTrees),
	}
	p.ctx, p.cancel = context.WithCancel(ctx)
	for range workers {
		p.scorers = append(p.scorers, m.NewScorer())
	}
	n := len(p.labels)
	if n == 2 {
		n = 1
	}
	for i := range p.scores {
		p.scores[i] = make([]float64, n)
	}
	return p
}

// Context is to be the InputOptions.Context of what Run reads: it ends when predictions
// cannot be printed, and nobody needs more input.
func (p *Predictor) Context() context.Context { return p.ctx }

// Idle is the InputOptions.OnIdle of what Run reads: it predicts what is there.
func (p *Predictor) Idle() {
	if p.err != nil {
		return
	}
	p.err = p.flush()
	if p.err == nil && p.Flush != nil {
		p.err = p.Flush()
	}
	if p.err != nil {
		p.cancel()
	}
}

// Run reads src to its end, once. A tree is read into memory of its own and then exchanged
// with that of its place, because Idle may empty the places while it is being read.
func (p *Predictor) Run(src index.Source) error {
	defer p.cancel()
	TellSpaces(src, p.m)
	index.KnowLabels(src, p.m.Labels())
	var t index.Tree
	for {
		err := src.Next(&t)
		if err == nil {
			if other := p.m.Check(&t); other != nil {
				err = read.BadTree(read.PlaceOf(src, &t), t.Line, other)
			}
		}
		if p.err != nil {
			return p.err
		}
		if err == io.EOF {
			return p.flush()
		}
		p.bad[p.n] = p.refusal(err)
		if err != nil && p.bad[p.n] == nil {
			// What precedes a bad tree has been said when it is complained of.
			return errors.Join(p.flush(), err)
		}
		p.places[p.n] = read.PlaceOf(src, &t)
		p.trees[p.n], t = t, p.trees[p.n]
		if p.n++; p.n == len(p.trees) {
			if err := p.flush(); err != nil {
				return err
			}
		}
	}
}

// refusal is an error of a sample that does not end the run; else nil.
func (p *Predictor) refusal(err error) *index.InputError {
	if p.Refused == nil {
		return nil
	}
	return format.BadSample(err)
}

// flush scores what was read, side by side, and emits it in order.
func (p *Predictor) flush() error {
	failed := make([]error, p.n)
	pool, ctx := errgroup.WithContext(p.ctx)
	for w, s := range p.scorers {
		pool.Go(func() error {
			for i := w; i < p.n; i += len(p.scorers) {
				if err := ctx.Err(); err != nil {
					return err
				}
				if p.bad[i] != nil {
					continue
				}
				failed[i] = s.Score(p.scores[i], &p.trees[i])
				if p.Why == 0 || failed[i] != nil {
					continue
				}
				if err := p.explain(s, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := pool.Wait()
	for i := 0; i < p.n && err == nil; i++ {
		if err = p.failure(i, failed[i]); err != nil {
			break
		}
		if p.bad[i] == nil {
			err = p.predict(i)
			continue
		}
		p.Refused(p.bad[i])
		if p.Empty {
			err = p.emit(&Prediction{Sample: p.trees[i].Name, Gold: p.trees[i].Label, Refused: true})
		}
	}
	p.n = 0
	return err
}

// failure makes sample i, whose score failed, a bad one, or returns the error that ends the
// run.
func (p *Predictor) failure(i int, err error) error {
	if err == nil || errors.Is(err, expansion.ErrDamaged) {
		return err
	}
	bad := read.BadTree(p.places[i], p.trees[i].Line, err)
	if p.bad[i] = p.refusal(bad); p.bad[i] == nil {
		return bad
	}
	return nil
}

// explain sets the reasons of sample i, which s has just scored.
func (p *Predictor) explain(s Scorer, i int) (err error) {
	e, ok := s.(Explainer)
	if !ok {
		return ErrUnexplained
	}
	p.why[i], err = e.Explain(p.why[i][:0], best(p.scores[i]), p.Why)
	return err
}

// best is the place of the largest score, of equals the first.
func best(scores []float64) (k int) {
	for i, s := range scores {
		if s > scores[k] {
			k = i
		}
	}
	return k
}

// lookForUnknown counts the gold labels of a sample that no prediction can be.
func (p *Predictor) lookForUnknown(gold []string) {
	for _, label := range gold {
		if _, ok := index.FindLabel(label, p.labels); ok || slices.Contains(p.labels, "") {
			continue
		}
		if p.Unknown == nil {
			p.Unknown = map[string]uint64{}
		}
		p.Unknown[label]++
	}
}

// predict emits the prediction of sample i.
func (p *Predictor) predict(i int) error {
	t, scores := &p.trees[i], p.scores[i]
	x := Prediction{
		Sample: t.Name, Predicted: classes.Predict(p.labels, scores), Score: scores[best(scores)],
		Gold: t.Label, Scores: scores, Why: p.why[i],
	}
	var gold []string
	index.SplitLabels(t.Label, func(label string) { gold = append(gold, label) })
	if len(gold) > 0 {
		p.lookForUnknown(gold)
		p.Outcomes.Add(x.Predicted, classes.Gold(p.labels, gold))
	}
	return p.emit(&x)
}
