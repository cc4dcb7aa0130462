package predict

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fstore/decode/read"
	"fstore/index"
)

// lengths is a model whose scores depend on the number of nodes of a tree.
type lengths struct{ syms *index.Symbols }

func (m lengths) Labels() []string { return []string{"long", "short", "none"} }

func (m lengths) ReaderSymbols() *index.Symbols { return m.syms }

func (m lengths) Close() error { return nil }

func (m lengths) Spaces() []index.Space { return nil }

func (m lengths) NewScorer() Scorer { return m }

func (m lengths) Check(*index.Tree) error { return nil }

var errBroad = errors.New("too broad")

func (m lengths) Score(scores []float64, t *index.Tree) error {
	if len(t.Nodes) > 9 {
		return errBroad
	}
	scores[0], scores[1], scores[2] = float64(len(t.Nodes)), 6-float64(len(t.Nodes)), 1
	return nil
}

// Predictions come in order for any number of workers, and end before the first bad tree.
func TestPredictor(t *testing.T) {
	const trees = 300
	for _, workers := range []int{1, 3} {
		for _, broad := range []int{-1, 0, 200} {
			m := lengths{index.NewSymbols()}
			var text, want strings.Builder
			for i := range trees {
				kids := 1 + i%5
				if i == broad {
					kids = 20
				}
				fmt.Fprintf(&text, "(A%s)\n", strings.Repeat(" b", kids))
				if i < broad || broad < 0 {
					label := "long"
					if kids+1 < 3 {
						label = "short"
					}
					fmt.Fprintf(&want, "stdin#%d %s %v\n", i+1, label, max(kids+1, 5-kids))
				}
			}
			var got strings.Builder
			p := New(context.Background(), m, workers, func(x *Prediction) error {
				fmt.Fprintf(&got, "%s %s %v\n", x.Sample, x.Predicted, x.Score)
				return nil
			})
			in, err := read.Open([]string{"-"}, read.InputOptions{
				Symbols: m.ReaderSymbols(), Stdin: strings.NewReader(text.String()), OnIdle: p.Idle,
				LabelOptions: read.LabelOptions{Label: []string{"long"}},
			})
			if err != nil {
				t.Fatal(err)
			}
			err = p.Run(in)
			var bad *index.InputError
			if broad >= 0 && (!errors.As(err, &bad) || bad.Sentence != broad+1) || broad < 0 && err != nil {
				t.Errorf("%v", err)
			}
			if got.String() != want.String() {
				t.Errorf("%d workers, broad %d:\n%s, want\n%s", workers, broad, got.String(), want.String())
			}
			if n := uint64(strings.Count(want.String(), "\n")); p.Outcomes.Samples != n || p.Outcomes.Of("long").Right != uint64(strings.Count(want.String(), "long")) {
				t.Errorf("%+v", p.Outcomes)
			}
			if err := in.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// idling is a source. Before some trees, no input is waiting.
type idling struct {
	src  index.Source
	n    int
	idle func()
}

func (s *idling) Next(t *index.Tree) error {
	if s.n++; s.n%3 == 0 {
		s.idle()
	}
	return s.src.Next(t)
}

// While a tree is being read, the predictor predicts other trees, but not this tree.
func TestPredictorIdle(t *testing.T) {
	m := lengths{index.NewSymbols()}
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "(A%s)\n", strings.Repeat(" b", 1+i%7))
	}
	in, err := read.Open([]string{"-"}, read.InputOptions{Symbols: m.ReaderSymbols(), Stdin: strings.NewReader(text.String())})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	n := 0
	p := New(context.Background(), m, 2, func(x *Prediction) error {
		if want := float64(2 + n%7); x.Scores[0] != want {
			t.Errorf("%s: score %v, want %v", x.Sample, x.Scores[0], want)
		}
		n++
		return nil
	})
	if err := p.Run(&idling{src: in, idle: p.Idle}); err != nil || n != 40 {
		t.Fatalf("%d predictions, %v", n, err)
	}
}
