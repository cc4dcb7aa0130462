// Package predict scores trees by a model: linear, kernel, or a selection with weights.
package predict

import (
	"context"
	"errors"
	"io"
	"slices"

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
	Readable
	// Labels are the labels that are told apart. Of two there is one score, which is
	// positive for the first and negative for the second, which may be "": any other.
	Labels() []string
	// NewScorer returns a scorer, for one goroutine.
	NewScorer() Scorer
}

// Readable says how the trees are read that a model is for, which is to be closed before its store.
type Readable interface {
	io.Closer
	// ReaderSymbols returns symbols for one reader.
	ReaderSymbols() *index.Symbols
	// Spaces are what the model makes of trees, for index.Tell.
	Spaces() []index.Space
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
var ErrUnexplained = index.Usagef("a vote is not the sum of what fragments add: --why needs --decision averaged")

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
	*Batches[sample]

	m      Model
	emit   func(*Prediction) error
	labels []string
}

// sample is a tree with its scores.
type sample struct {
	tree   index.Tree
	place  read.Place
	bad    *index.InputError // in the place of scores
	scores []float64
	why    []Reason
}

// New returns a predictor whose predictions, each valid during the call, go to emit. 0 workers are
// one a processor.
func New(ctx context.Context, m Model, workers int, emit func(*Prediction) error) *Predictor {
	p := &Predictor{m: m, emit: emit, labels: m.Labels(), Unknown: map[string]uint64{}}
	start := func() Work[sample] {
		s := m.NewScorer()
		return func(ctx context.Context, _ int, samples []sample, failed []error) error {
			return p.score(ctx, s, samples, failed)
		}
	}
	p.Batches = NewBatches(ctx, linearize.BatchTrees, workers, start, p.done)
	return p
}

// Run reads src to its end, once.
func (p *Predictor) Run(src index.Source) error {
	index.Tell(src, p.m.Spaces()...)
	index.KnowLabels(src, p.m.Labels())
	return p.Batches.Run(1, func(x *sample) (load int, err error) {
		if err = src.Next(&x.tree); err == nil {
			if other := p.m.Check(&x.tree); other != nil {
				err = read.BadTree(read.PlaceOf(src, &x.tree), x.tree.Line, other)
			}
		}
		if x.bad = p.refusal(err); x.bad != nil {
			err = nil
		}
		x.place = read.PlaceOf(src, &x.tree)
		return 0, err
	}, func() {})
}

// refusal is an error of a sample that does not end the run; else nil.
func (p *Predictor) refusal(err error) *index.InputError {
	if p.Refused == nil {
		return nil
	}
	return format.BadSample(err)
}

// score scores samples, for one goroutine.
func (p *Predictor) score(ctx context.Context, s Scorer, samples []sample, failed []error) error {
	n := len(p.labels)
	if n == 2 {
		n = 1
	}
	for i := range samples {
		x := &samples[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		if x.bad != nil {
			continue
		}
		if x.scores == nil {
			x.scores = make([]float64, n)
		}
		if err := s.Score(x.scores, &x.tree); err != nil {
			failed[i] = p.failure(x, err)
			continue
		}
		if p.Why == 0 {
			continue
		}
		e, ok := s.(Explainer)
		if !ok {
			return ErrUnexplained
		}
		var err error
		if x.why, err = e.Explain(x.why[:0], best(x.scores), p.Why); err != nil {
			return err
		}
	}
	return nil
}

// failure makes a sample, whose score failed, a bad one, or returns the error that ends the run.
func (p *Predictor) failure(x *sample, err error) error {
	if errors.Is(err, expansion.ErrDamaged) {
		return err
	}
	bad := read.BadTree(x.place, x.tree.Line, err)
	if x.bad = p.refusal(bad); x.bad == nil {
		return bad
	}
	return nil
}

func (p *Predictor) done(_ int, x *sample) error {
	if x.bad == nil {
		return p.predict(x)
	}
	p.Refused(x.bad)
	if !p.Empty {
		return nil
	}
	return p.emit(&Prediction{Sample: x.tree.Name, Gold: x.tree.Label, Refused: true})
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

func (p *Predictor) predict(s *sample) error {
	x := Prediction{
		Sample: s.tree.Name, Predicted: classes.Predict(p.labels, s.scores), Score: s.scores[best(s.scores)],
		Gold: s.tree.Label, Scores: s.scores, Why: s.why,
	}
	var gold []string
	index.SplitLabels(s.tree.Label, func(label string) { gold = append(gold, label) })
	for _, label := range gold {
		if _, ok := index.FindLabel(label, p.labels); !ok && !slices.Contains(p.labels, "") {
			p.Unknown[label]++
		}
	}
	if len(gold) > 0 {
		p.Outcomes.Add(x.Predicted, classes.Gold(p.labels, gold))
	}
	return p.emit(&x)
}
