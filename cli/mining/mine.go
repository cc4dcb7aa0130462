// Package mining has the commands that select fragments: mine and select.
package mining

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/cli/command"
	"fstore/cli/learn"
	"fstore/cli/table"
	"fstore/decode/lists"
	"fstore/index"
	"fstore/mine/judge"
	"fstore/mine/learn/rerank"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
	"fstore/store/runfile"
)

// MineCommand is the command `mine`. It selects the fragments that pass a threshold, or the best ones.
type MineCommand struct {
	Store string `arg:"" predictor:"store" help:"The store."`

	Name      string `placeholder:"NAME" help:"What the selection is called in the store; needed but for --dry-run."`
	Overwrite bool   `help:"Replace a selection of that name."`
	By        string `enum:"${objectives}" required:"" help:"What fragments are selected by: ${enum}."`
	Top       int    `placeholder:"K" help:"Only the K fragments with the largest scores; of equal ones, those first in the store's order."`

	Space      string  `predictor:"space" placeholder:"NAME" help:"The space, where the store has several."`
	MinSupport *uint32 `placeholder:"N" help:"Only fragments that occur in at least this many samples (default: as stored; fewer are grown from the stored trees)."`
	MaxOrder   *int    `placeholder:"R" help:"Only fragments of at most this many building blocks; 0 is any (default: as stored; more are grown from the stored trees)."`
	Closed     *bool   `negatable:"" help:"Only fragments that no larger one covers (default: as stored)."`

	Positive *string  `placeholder:"LABEL" help:"chi2: test against LABEL (default: against each label and the rest). relevance: the machine of LABEL, where the model has several."`
	Tau      *float64 `group:"chi2:" xor:"threshold" placeholder:"X" help:"Select what has a χ² of at least X. It says nothing of an error rate; --alpha does."`
	Alpha    *float64 `group:"chi2:" xor:"threshold" placeholder:"P" help:"Select what is significant at level P: by exact p-values."`
	Correct  string   `group:"chi2:" enum:"${corrections}" default:"none" help:"Correct --alpha for the number of tests: ${enum}."`
	// Flags for --correct westfall-young.
	Permutations *int   `group:"chi2:" placeholder:"N" help:"westfall-young: how many permutations of the labels (default: 1000)."`
	Test         string `group:"chi2:" enum:",samples,documents" default:"" placeholder:"UNIT" help:"westfall-young: permute the labels of samples, or of whole documents (default: samples)."`

	Model          string   `group:"relevance:" placeholder:"M" help:"The kernel machine whose most relevant fragments are selected."`
	ThresholdRatio *float64 `group:"relevance:" xor:"threshold" placeholder:"L" help:"Select what is at least 1/L as relevant as the heaviest fragment of order 1; --l is the same."`
	L              *float64 `group:"relevance:" name:"l" hidden:"" xor:"threshold" help:"As --threshold-ratio."` // an alias of one letter in kong has only one dash
	Sigma          *float64 `group:"relevance:" xor:"threshold" placeholder:"X" help:"Select what has a |relevance| of at least X."`
	NormShare      *float64 `group:"relevance:" xor:"threshold" placeholder:"S" help:"Select the smallest set that keeps the share S of the gradient's squared norm."`
	Greedy         bool     `group:"relevance:" help:"By the heuristic search of Pighin & Moschitti (2010, Algorithm 5.1), for comparison."`

	gradientFlags `embed:"" group:"gradient:"`

	PerFold         bool `group:"Per fold:" help:"Mine once more outside of each fold, for train with the same folds: see --cv or --folds."`
	learn.FoldFlags `embed:"" group:"Per fold:"`
	Seed            uint64 `group:"Per fold:" placeholder:"N" help:"Of the folds that --cv deals, and of --permutations."`

	DryRun              bool             `help:"Count, and store nothing."`
	Resume              bool             `help:"Go on from what an interrupted or killed run with the same options has left; leave that again if interrupted. Not with --greedy."`
	Explain             bool             `help:"Print what was done, a row an order."`
	MaxFragments        command.Amount   `default:"50M" help:"Stop where there would be more; 0 is any number."`
	Workers             int              `placeholder:"N" help:"Goroutines that grow fragments (default: one a core)."`
	Memory              command.ByteSize `placeholder:"SIZE" help:"${mine_memory_help}"`
	command.OutputFlags `embed:"" group:"Output:"`
}

func (*MineCommand) Help() string {
	return `Selects fragments and keeps them in the store under a name, for query, linearize, select and export. Nothing is lost to a bound: what is selected is what looking at every fragment would select. Within what build has stored no tree is read; a lower --min-support or a higher --max-order grows the fragments from the stored trees.

chi2 scores a fragment by the χ² of samples with and without it, and with and without a label. Each of several labels is tested against the rest. The label with the largest χ² counts; with --alpha, the one of those that are significant. A selection's columns are then label, the samples with the fragment and that label (observed), what chance would make them (expected), and the exact p-value of this one test. Where observed is below expected the fragment goes against the label.

The p-value is exact given the margins: the sum over all tables whose χ² is at least that of this one. A hypothesis is a fragment within --min-support and --max-order and a label, whether or not a bound spared looking at it; of exactly two labels a fragment is one hypothesis. --correct says what --alpha bounds:

none: the chance that a hypothesis is found that is false. Of many tests many are then found by chance.

bonferroni: the chance of any false finding. alpha is divided by the number of hypotheses.

tarone: the same, and finds more: alpha is divided by the least k such that at most k hypotheses have a support that can reach alpha/k.

westfall-young: the same, and mostly finds more again, as fragments overlap. The labels are permuted --permutations times, and the least p-value over all hypotheses is taken each time. A finding has a p-value that at most the share alpha of the permutations reach; the true labels count as one of them.

fdr: the expected share of false findings among all (Benjamini & Hochberg 1995).

The closing line says how many hypotheses were testable: those whose support can reach the level at all. These tests take samples as independent. The sentences of a document are not, so the error rates hold for documents less well; --correct westfall-young --test documents permutes the labels of whole documents, and is the careful choice. Where a construction is gathered in a few documents chance makes its p-value very small, so that little else is found. Documents of mixed labels, and samples without a document, keep their labels.

relevance scores a fragment by its weight in the gradient of a kernel machine that train or import has made (Pighin & Moschitti 2010), over all fragments of its space, stored or not; --max-order is any unless given. Support and occurrences are those in the model's vectors. What share of the gradient's squared norm is kept is printed.

gradient selects fragments for reranking K-best lists, which build has read with --gold: Algorithm 1 of Qian & Liu (2015). It lowers C·‖w‖₁ plus, over the lists, how much the best candidate's score w·f, and 1 where its structure is not that of the gold tree, exceeds the gold tree's; f says which fragments a tree has. Each iteration predicts the best candidates, finds every fragment that more than C gold trees or more than C predictions of the wrong lists have (gold, predicted), and moves the weights along the difference (score). The fragments that have a weight in the end are selected, or all of the last iteration, those it found and those that had a weight before it (--keep features). Of samples with labels that are no lists, the labels are the candidates, and a fragment has a weight for each. --explain then prints, by iteration and order, the candidates, those pruned, those kept, the features (those kept, and those with a weight), and their templates.

With --per-fold and folds as train takes them, the fragments are mined from the samples outside of each fold as well, as the selections NAME.fold1 and so on. train --cv with --selection NAME and the same folds predicts each fold over its own, which has not seen the labels there. By relevance they are those of the models that train --per-fold has made with the same folds.

What grows fragments for longer than some seconds saves now and then which parts are whole. If it is killed, the same command with --resume grows only what is left, to the same selection; without --resume, every command that writes to the store removes what was left. Interrupted, it leaves its parts if it had --resume itself. What is interrupted while it scans stored fragments, or chooses the best K, starts again; so does --greedy, which has no --resume.

--explain prints, by order, the candidates that were seen, those of them below the support, those counted, those below which nothing can be selected (pruned), and those whose score is high enough (kept). With --top it is what a run does that knows the score of the last of them from the beginning, and takes one more run.

Example:

    fstore mine demo.store --name strong --by chi2 --alpha 0.001 --correct bonferroni
    fstore mine demo.store --name sure --by chi2 --alpha 0.05 --correct westfall-young --seed 1
    fstore mine demo.store --name ten --by chi2 --positive news --top 10
    fstore mine demo.store --name heavy --by relevance --model m --threshold-ratio 100
    fstore mine lists.store --name g --by gradient --min-count 3 --max-order 3 --log g.jsonl
    fstore mine demo.store --name clean --by chi2 --tau 3.84 --per-fold --cv 10
    fstore train demo.store --name p -C 10 --per-fold --cv 10
    fstore mine demo.store --name heavy --by relevance --model p --positive news --top 1000 --per-fold --cv 10
    fstore mine demo.store --by support --min-support 10 --max-order 0 --dry-run --explain
`
}

func (c *MineCommand) Validate() error {
	if c.Name == "" && !c.DryRun {
		return errors.New("--name: the selection needs a name (--dry-run needs none)")
	}
	if c.L != nil {
		c.ThresholdRatio = c.L
	}
	switch {
	case c.PerFold != c.FoldFlags.Given():
		return index.Usagef("--per-fold goes with --cv or --folds")
	case c.Pretrain != "none" && c.By != "gradient":
		return index.Usagef("--pretrain is of --by gradient")
	case c.Resume && c.DryRun:
		return index.Usagef("--resume and --dry-run: one of them")
	case c.Resume && c.Greedy:
		return index.Usagef("--resume: --greedy leaves nothing to go on from, and starts again")
	case c.PerFold && c.DryRun:
		return index.Usagef("--per-fold and --dry-run: one of them")
	case c.Seed != 0 && !c.PerFold && c.Correct != string(selection.WestfallYoungCorrection):
		return index.Usagef("--seed is of --cv and of --correct westfall-young: nothing else is random here")
	}
	return errors.Join(command.NotNegative("top", c.Top), command.NotNegative("workers", c.Workers), command.AtLeastOne("permutations", c.Permutations), c.FoldFlags.Check(), c.gradientFlags.check())
}

func (c *MineCommand) Run(ctx context.Context, env *command.Env) error {
	defer command.Frugal()()
	if !c.Explain && (c.Format != "" || c.Out != "") {
		return index.Usagef("--format and --output are of --explain")
	}
	o := selection.Options{
		Name: c.Name, Overwrite: c.Overwrite,
		Space: c.Space, MinSupport: c.MinSupport, MaxOrder: c.MaxOrder, Closed: c.Closed,
		By: c.By, Top: c.Top, Explain: c.Explain, Positive: c.Positive, Tau: c.Tau, Alpha: c.Alpha, Correct: selection.Correction(c.Correct),
		Permutations: command.Given(c.Permutations), Permute: selection.Permuted(c.Test), Seed: c.Seed,
		Model: c.Model, ThresholdRatio: c.ThresholdRatio, Sigma: c.Sigma, NormShare: c.NormShare, Greedy: c.Greedy,
		Gradient:     c.gradientFlags.options(),
		MaxFragments: uint64(c.MaxFragments), Workers: c.Workers, Memory: int64(c.Memory), Progress: env.Progress,
	}
	log, err := env.Side("--log", c.Log, "JSON lines", "jsonl")
	if err != nil {
		return err
	}
	defer log.Abort()
	if c.Log != "" {
		o.Gradient.Log = logIterations(log)
	}
	return c.run(ctx, env, o, func(done *selection.Result) error {
		if err := log.Commit(); err != nil {
			return err
		}
		return c.explain(env, done)
	})
}

// run selects fragments. It calls printResult before the store changes, so that the store stays as it was if
// printResult fails.
func (c *MineCommand) run(ctx context.Context, env *command.Env, o selection.Options, printResult func(*selection.Result) error) error {
	var done *selection.Result
	start := time.Now()
	least := "--min-support"
	if c.By == "gradient" {
		least = "--min-count"
	}
	note := func(decided string) { env.Note("%s; %.2f s", decided, time.Since(start).Seconds()) }
	if c.DryRun {
		o.Scratch = env.TempDir()
		err := env.WithStore(c.Store, 0, func(s *store.Store) (err error) {
			c.pretrain(env, s, learn.VectorScratch(&runfile.Dir{FS: env.FS, Path: env.TempDir()}, c.Memory), &o)
			done, err = selection.DryRun(ctx, s, o)
			return command.TooMany(err, least)
		})
		env.Progress.Close()
		if err == nil {
			err = printResult(done)
		}
		if err == nil {
			note(done.Decided)
		}
		return err
	}
	decided, err := env.Commit(ctx, c.Store, c.Resume, func(w *store.Writer) (event store.Event, err error) {
		each := ""
		c.pretrain(env, w.Store(), learn.VectorScratch(w.Scratch().Sub("vectors"), c.Memory), &o)
		if c.PerFold {
			done, each, err = c.perFold(ctx, w, o)
		} else {
			done, err = selection.Run(ctx, w, o)
		}
		err = command.TooMany(err, least)
		env.Progress.Close()
		event = env.Event(nil)
		event.Seed = int64(c.Seed)
		if err == nil {
			event.Decided = done.Decided + each
			err = printResult(done)
		}
		return event, err
	})
	if err == nil {
		note(decided)
	}
	return err
}

// pretrainOrders is the value of --pretrain for a model over the stored fragments of the space.
const pretrainOrders = "orders"

// pretrain makes mining start from the scores of a model, if --pretrain asks for one.
func (c *MineCommand) pretrain(env *command.Env, s *store.Store, scratch rerank.Scratch, o *selection.Options) {
	if c.Pretrain != pretrainOrders {
		return
	}
	o.Gradient.Scores = func(ctx context.Context, without *roaring.Bitmap) ([]float64, string, error) {
		space, _, err := query.SpaceOf(s, c.Space)
		if err != nil {
			return nil, "", err
		}
		p, err := lists.Pretrain(ctx, s, space, c.Base, without, scratch, c.Workers, env.Progress)
		if err != nil {
			return nil, "", err
		}
		env.Progress.Close()
		env.Note("pretrained on %s, %d folds, %s: %s", index.Plural(p.Features, "fragment"), p.Folds, index.Plural(p.Epochs, "epoch"), command.TreeScores(p.Kind, p.Counts))
		return p.Scores, p.String(), nil
	}
}

// perFold mines from all samples or K-best lists, and then once without each fold. `foldsText` describes the
// folds in the closing line.
func (c *MineCommand) perFold(ctx context.Context, w *store.Writer, o selection.Options) (done *selection.Result, foldsText string, err error) {
	deal := c.DealLabelled
	if w.Meta().Lists.Gold() > 0 && c.By == "gradient" {
		if c.Stratify {
			return nil, "", index.Usagef("--stratify is about labels, and the store has K-best lists with gold trees")
		}
		deal = c.DealLists
	}
	folds, err := deal(ctx, c.Seed, w.Store())
	if err != nil {
		return nil, "", err
	}
	done, n, err := selection.RunPerFold(ctx, w, o, folds)
	if err != nil {
		return nil, "", err
	}
	return done, learn.OutsideEach(n), nil
}

func (c *MineCommand) explain(env *command.Env, done *selection.Result) error {
	if !c.Explain {
		return nil
	}
	if done.Iterations != nil {
		return c.explainGradient(env, done)
	}
	return c.printCounts(env, []string{"order", "candidates", "below", "counted", "pruned", "kept"}, func(yield func([]uint64) bool) {
		for order, n := range done.Explained {
			row := []uint64{uint64(order), n.Candidates, n.Below, n.Counted, n.Pruned, n.Kept}
			if n != (judge.OrderCounts{}) && !yield(row) {
				return
			}
		}
	})
}

// explainGradient prints a row for each order of each iteration.
func (c *MineCommand) explainGradient(env *command.Env, done *selection.Result) error {
	names := []string{"iteration", "order", "candidates", "pruned", "kept", "features", "templates"}
	return c.printCounts(env, names, func(yield func([]uint64) bool) {
		for _, i := range done.Iterations {
			for _, o := range i.Orders {
				if !yield([]uint64{uint64(i.Iteration), uint64(o.Order), o.Candidates, o.Pruned, o.Kept, o.Features, o.Templates}) {
					return
				}
			}
		}
	})
}

// printCounts prints a table of counts, whose columns have these names.
func (c *MineCommand) printCounts(env *command.Env, names []string, rows iter.Seq[[]uint64]) error {
	columns := make([]table.Column, len(names))
	for i, name := range names {
		columns[i] = table.Column{Name: name, Kind: table.Uint}
	}
	return env.WriteTable(c.OutputFlags, columns, nil, func(row *table.Row, write func() error) error {
		for numbers := range rows {
			for i, n := range numbers {
				row.SetUint(i, n)
			}
			if err := write(); err != nil {
				return err
			}
		}
		return nil
	})
}
