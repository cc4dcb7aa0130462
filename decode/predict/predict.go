// Package predict scores trees with a model: a linear model, a kernel machine, or a selection with weights.
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

// Model gives a tree a score for each label. It is a kernel machine, a linear model or a selection. It is
// safe for concurrent use.
type Model interface {
	Readable
	// Labels returns the labels that the model tells apart. Two labels have only one score, which is positive
	// for the first label and negative for the second. The second label can be "", which means any other
	// label.
	Labels() []string
	// NewScorer returns a scorer, for one goroutine.
	NewScorer() Scorer
}

// Readable says how to read trees for a model. It must be closed before the store of the model.
type Readable interface {
	io.Closer
	// ReaderSymbols returns symbols for one reader.
	ReaderSymbols() *index.Symbols
	// Spaces returns the model's spaces, for index.Tell.
	Spaces() []index.Space
	// Check returns an error if a tree is of another kind than the model's trees.
	Check(t *index.Tree) error
}

// Scorer scores trees, for one goroutine.
type Scorer interface {
	// Score sets the scores of t, one for each label, or only one for two labels. An error other than
	// expansion.ErrDamaged says that the tree is too large.
	Score(scores []float64, t *index.Tree) error
}

// Explainer is implemented by scorers that can explain a score by features.
type Explainer interface {
	// Explain appends the n features that change score k of the last tree most, up or down, the largest
	// change first.
	Explain(dst []Reason, k, n int) ([]Reason, error)
}

// Reason is a fragment, or another feature, and its contribution to a score.
type Reason struct {
	Fragment string
	Adds     float64
}

// ErrUnexplained says that the scores of a model, such as votes, are not sums over features.
var ErrUnexplained = index.Usagef("a vote is not the sum of what fragments add: --why needs --decision averaged")

// Prediction is the result of a model for one sample.
type Prediction struct {
	Sample    string
	Predicted string    // the label with the largest score, or the first of several such labels
	Score     float64   // the score of Predicted; if there are two labels, the only score
	Gold      string    // the sample's own labels, joined by commas; "" if it has none
	Scores    []float64 // a score for each label; only one if there are two labels
	Why       []Reason  // reasons for Score, see Predictor.Why
	Refused   bool      // the sample is bad, see Predictor.Refused: only Sample and Gold are set
}

// Predictor predicts the labels of a stream of samples. It keeps the order of the samples.
type Predictor struct {
	// Outcomes compares predictions with labels, for samples that have labels.
	Outcomes measure.Outcomes
	// Unknown counts the samples with a gold label that the model does not know, for each such label.
	// Outcomes counts them as wrong.
	Unknown map[string]uint64
	// Why is the maximum length of Prediction.Why. If it is above 0 and scores cannot be explained, Run
	// returns ErrUnexplained.
	Why int
	// Refused is called for each bad or too large sample, in order. If it is nil, a bad sample ends the run.
	Refused func(*index.InputError)
	// Empty says that bad samples get a prediction too, see Prediction.Refused.
	Empty bool
	*Batches[sample]

	m      Model
	emit   func(*Prediction) error
	labels []string
}

// sample is a tree with its scores, or with its error.
type sample struct {
	tree   index.Tree
	place  read.Place
	bad    *index.InputError // the error of the sample, which then has no scores
	scores []float64
	why    []Reason
}

// New returns a predictor that calls emit with each prediction, which is valid during the call. If workers is
// 0, each processor gets a worker.
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

// Run reads src to its end. It must be called only once.
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

// refusal returns err if it concerns one sample and does not end the run, else nil.
func (p *Predictor) refusal(err error) *index.InputError {
	if p.Refused == nil {
		return nil
	}
	return format.BadSample(err)
}

// score sets the scores or the errors of samples, for one goroutine.
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

// failure makes a bad sample of a sample that could not be scored, or returns the error that ends the run.
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

// best returns the index of the largest score, or of the first of several such scores.
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
