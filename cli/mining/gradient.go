package mining

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"fstore/cli/command"
	"fstore/mine/gradient"
	"fstore/mine/selection"
)

// gradientFlags are the flags of mine --by gradient.
type gradientFlags struct {
	MinCount      *uint32        `placeholder:"C" help:"Fragments that more than C gold trees of the lists with a wrong prediction have, or more than C of the predictions; also what the norm of the weights costs (default: 3)."`
	Iterations    *int           `placeholder:"M" help:"At most this many iterations (default: 10)."`
	Step          *float64       `placeholder:"A" help:"The first step to try (default: 1)."`
	Update        string         `enum:"proximal,literal" default:"proximal" help:"How weights move: proximal, by the largest of A, A/2, A/4 … that lowers the objective, A being twice the step before from the second iteration on; or literal, as line 12 of the paper's Algorithm 1 has it, by A."`
	Base          float64        `placeholder:"B" help:"Add B times the score that a candidate has in its list to its score, so that mining starts from the errors of the parser that made the lists (default: 0)."`
	Pretrain      string         `enum:"none,orders" default:"none" help:"${pretrain_help}"`
	Keep          string         `enum:"weights,features" default:"weights" help:"${keep_help}"`
	Route         string         `enum:"depth-first,bloom,bitmap" default:"depth-first" help:"${route_help}"`
	BloomCounters command.Amount `placeholder:"N" help:"--route bloom: the number of counters (default: 67,108,864)."`
	BloomBits     uint           `placeholder:"B" help:"--route bloom: the bits of a counter (default: what C needs, which is the least there are)."`
	Log           string         `placeholder:"FILE" predictor:"output" help:"Write what each iteration did to FILE, as JSON lines."`
}

func (f *gradientFlags) options() selection.GradientOptions {
	route := map[string]gradient.Route{"bloom": gradient.Bloom, "bitmap": gradient.Bitmap}[f.Route]
	keep := map[string]gradient.Keep{"features": gradient.KeepFeatures}[f.Keep]
	return selection.GradientOptions{
		Keep: keep, Route: route, BloomCounters: uint64(f.BloomCounters), BloomBits: f.BloomBits,
		MinCount: f.MinCount, Iterations: command.Given(f.Iterations), Step: command.Given(f.Step), Literal: f.Update == "literal", Base: f.Base,
	}
}

func (f *gradientFlags) check() error {
	err := command.AtLeastOne("iterations", f.Iterations)
	if f.Step != nil && !(*f.Step > 0 && *f.Step <= command.Most) {
		err = errors.Join(err, fmt.Errorf("--step: above 0, at most %g", command.Most))
	}
	return err
}

// logIterations returns a function that writes an iteration to w, as one line of JSON.
func logIterations(w io.Writer) func(*gradient.Iteration) error {
	e := json.NewEncoder(w)
	return func(i *gradient.Iteration) error { return e.Encode(i) }
}
