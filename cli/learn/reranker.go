package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"fstore/cli/command"
	"fstore/decode/linearize"
	"fstore/decode/lists"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/index"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/rerank"
	"fstore/mine/learn/svm"
	"fstore/store"
	"fstore/store/runfile"
)

// Defaults of --chunks and --held-out.
const (
	listChunks  = 10
	listHeldOut = 300
)

// listFolds is the default number of folds for choosing β and the epochs.
const listFolds = 5

// checkLists returns an error if a flag does not fit the learner. If reranks is true, the learner learns from
// K-best lists.
func (c *training) checkLists(reranks bool) error {
	f := &c.listFlags
	switch {
	case !reranks && (f.Beta.given() || f.Augment != 0 || f.Target != string(rerank.TargetGold) || f.Tags != string(read.TagsMajority) ||
		f.Chunks != 0 || f.HeldOut != 0 || f.ScoreFlags != command.ScoreFlags{Relations: "whole"}):
		return index.Usagef("--beta, --target, --augment, --tags, --chunks, --held-out, --punct and --relations are for learners of K-best lists with gold trees (build --gold)")
	case !reranks && c.Memory != 0 && !c.isKernelMachine() && c.Over != overAll:
		return index.Usagef("--memory is of kernel machines, of --over all, and of K-best lists with gold trees")
	case !reranks:
		return nil
	case c.Over == overAll && c.Given():
		return index.Usagef("--over all of K-best lists has no --cv and --folds: to choose C, train on some of the lists, and let predict --gold judge the choices from the others")
	case c.Over == overAll && (f.Beta.grid || len(f.Beta.values) > 1 || f.Augment != 0 || f.Target != string(rerank.TargetGold) || f.ScoreFlags != command.ScoreFlags{Relations: "whole"}):
		return index.Usagef("--over all of K-best lists has one --beta at most, and no --target, --augment, --punct and --relations")
	case slices.ContainsFunc(f.Beta.values, func(b float64) bool { return !(b >= 0 && b <= command.Most) }):
		return index.Usagef("--beta: 0 or above, at most %g", command.Most)
	case !(f.Augment >= 0 && f.Augment <= command.Most):
		return index.Usagef("--augment: 0 or above, at most %g", command.Most)
	case f.Chunks < 0 || f.HeldOut < 0:
		return index.Usagef("--chunks and --held-out: at least 1")
	case c.Learner == svm.LearnerPerceptron && (c.Selection != "" || c.Where != nil || c.Given() || c.Memory != 0):
		return index.Usagef("--learner %s over K-best lists has no --selection, --where, --cv, --folds and --memory", c.Learner)
	case c.Learner == svm.LearnerPerceptron && cmp.Or(f.Chunks, listChunks) == 1 && len(f.Beta.values) != 1:
		return index.Usagef("--chunks 1: %v", rerank.ErrOneMachine)
	case c.Learner != svm.LearnerPerceptron && (f.Chunks != 0 || f.HeldOut != 0):
		return index.Usagef("--chunks and --held-out are of %s", svm.LearnerPerceptron)
	case c.Positive != "" || len(c.weights) > 0 || c.Stratify || c.Bias != 1:
		return index.Usagef("--positive, --class-weight, --stratify and --bias are about labels, and the store has K-best lists with gold trees")
	}
	return nil
}

func (c *training) rerankOptions(env *command.Env) rerank.Options {
	return rerank.Options{
		Target: rerank.Target(c.Target), Augment: c.Augment, Epochs: command.Given(c.Epochs), Seed: c.Seed,
		Workers: c.Workers, Progress: env.Progress,
	}
}

// readLists reads the lists of a store, and makes their vectors with l. If l is nil, it makes no vectors.
func (c *training) readLists(ctx context.Context, env *command.Env, w *store.Writer, l *linearize.Linearizer) (*lists.Set, error) {
	return lists.NewSet(ctx, w.Store(), lists.SetOptions{
		Beside: !c.Beta.given(), Linearizer: l, Scratch: VectorScratch(w.Scratch().Sub("vectors"), c.Memory), Score: c.ScoreFlags.Options(), Tags: read.Tags(c.Tags), Workers: c.Workers, Progress: env.Progress,
	})
}

// defaultMemory is the default of --memory in bytes. More memory would hardly save time, because the system
// caches files.
const defaultMemory = 256 << 20

// VectorScratch returns where to keep the vectors of lists: `memory` bytes in memory, the rest in files in d.
// A `memory` of 0 stands for defaultMemory.
func VectorScratch(d *runfile.Dir, memory command.ByteSize) rerank.Scratch {
	return rerank.Scratch{Dir: *d, Memory: cmp.Or(int64(memory), defaultMemory)}
}

func trainReranker(ctx context.Context, env *command.Env, c *training, w *store.Writer) (decided string, err error) {
	l, err := c.linearizer(w.Store(), "")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	o := c.rerankOptions(env)
	folds, selection, err := c.listFolds(ctx, env, w.Store())
	if err != nil {
		return "", err
	}
	var beside tuned
	if len(c.Beta.values) == 1 {
		beside = tuned{rerank.OfScore(c.Beta.values[0]), true}
	}
	if selection != nil {
		if beside, err = c.tunePerFold(ctx, env, w, folds, selection, &o); err != nil {
			return "", err
		}
	}
	set, err := c.readLists(ctx, env, w, l)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	if folds != nil && selection == nil {
		byEpoch, err := rerank.OutOfFold(ctx, &set.Lists, set.Vectors, folds, o)
		if err != nil {
			return "", err
		}
		if beside, err = c.tune(ctx, env, set, folds, byEpoch, &o); err != nil {
			return "", err
		}
	}
	m, mistakes, err := rerank.Train(ctx, &set.Lists, set.Vectors, o)
	if err != nil {
		return "", err
	}
	m.Linear.Vectors = predict.VectorsOf(l)
	m.Beside, m.Tags = beside.Beside, c.Tags
	if !beside.fragments {
		m.Linear.ID, m.Linear.Weight = nil, nil
	}
	settings := map[string]string{
		"seed": fmt.Sprint(c.Seed), "epochs": strconv.Itoa(len(mistakes)), "target": c.Target, "augment": fmt.Sprint(c.Augment),
	}
	if err := lists.PutReranker(w, c.Name, rerank.LearnerLinear, m, l, settings); err != nil {
		return "", err
	}
	env.Progress.Close()
	return fmt.Sprintf("model %s: %s, %s, %s, %s%s: %s of %s, %s in the last of %s", c.Name, rerank.LearnerLinear, besideText(&m.Beside), vectorsText(m.Linear),
		index.Plural(len(set.List), "list"), goldless(set), index.Plural(m.Linear.NonZero(0), "feature"), index.Thousands(l.Features()),
		index.Plural(mistakes[len(mistakes)-1], "mistake"), index.Plural(len(mistakes), "epoch")), nil
}

func goldless(set *lists.Set) string {
	if set.Goldless == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s without a gold tree left out)", index.Thousands(set.Goldless))
}

// listFolds divides the lists into the folds for choosing β and the epochs, or returns nil if there is
// nothing to choose. For `selection` see foldSelection.
func (c *training) listFolds(ctx context.Context, env *command.Env, s *store.Store) (folds crossval.Folds, selection func(fold int) string, err error) {
	if len(c.Beta.values) == 1 && !c.Given() {
		return nil, nil, nil
	}
	if !c.Given() {
		c.CV = listFolds
	}
	f, err := c.DealLists(ctx, c.Seed, s)
	if err != nil {
		return nil, nil, err
	}
	selection, err = c.foldSelection(env, s.Meta(), f.Folds)
	return f.Folds, selection, err
}

// tunePerFold is like tune, but each fold has a selection that was mined outside of this fold.
func (c *training) tunePerFold(ctx context.Context, env *command.Env, w *store.Writer, folds crossval.Folds, selection func(fold int) string, o *rerank.Options) (beside tuned, err error) {
	lists, err := c.readLists(ctx, env, w, nil) // without vectors, lists needs no Close
	if err != nil {
		return beside, err
	}
	vectors := func(fold int) (*rerank.Vectors, error) {
		l, err := c.linearizer(w.Store(), selection(fold))
		if err != nil {
			return nil, err
		}
		set, err := c.readLists(ctx, env, w, l)
		if err := errors.Join(err, l.Close()); err != nil {
			if set != nil {
				err = errors.Join(err, set.Close())
			}
			return nil, err
		}
		return set.Vectors, nil
	}
	byEpoch, err := rerank.OutOfEachFold(ctx, &lists.Lists, vectors, folds, *o)
	if err != nil {
		return beside, err
	}
	return c.tune(ctx, env, lists, folds, byEpoch, o)
}

// tuned is what cross-validation has chosen: the terms of the score that come from no fragment, and whether
// fragments add to the score.
type tuned struct {
	rerank.Beside
	fragments bool
}

// tune sets o.Epochs and returns what else is chosen (see tuned). The scores in byEpoch are of held-out
// candidates.
func (c *training) tune(ctx context.Context, env *command.Env, set *lists.Set, folds crossval.Folds, byEpoch []rerank.Scores, o *rerank.Options) (tuned, error) {
	if c.Beta.given() {
		return c.tuneBeta(env, set, folds, byEpoch, o), nil
	}
	w := rerank.Weighing{Lists: &set.Lists, Folds: folds, Workers: c.Workers}
	trials, epochs, err := w.ByEpoch(ctx, byEpoch)
	env.Progress.Close()
	if err != nil {
		return tuned{}, err
	}
	for _, t := range trials {
		env.Note("cross-validation, %d folds, %s: %s", folds.Count(), index.Plural(t.Epochs, "epoch"), command.TreeScores(set.Kind, t.Counts))
	}
	o.Epochs = epochs
	c.baselines(env, set)
	var found tuned
	found.Terms, found.fragments = w.Learn(byEpoch[epochs-1])
	if choice := w.Choice(); choice > 0 {
		found.Temperature = set.Temperatures[choice-1]
	}
	return found, nil
}

// tuneBeta chooses the weight of the parser's own score from the values of --beta, and sets o.Epochs.
func (c *training) tuneBeta(env *command.Env, set *lists.Set, folds crossval.Folds, byEpoch []rerank.Scores, o *rerank.Options) tuned {
	env.Progress.Close()
	trials := rerank.TrialsByEpoch(&set.Lists, byEpoch, c.Beta.values)
	for from, to := 0, 0; from < len(trials); from = to {
		for to < len(trials) && trials[to].Epochs == trials[from].Epochs {
			to++
		}
		t := rerank.Best(&set.Lists, trials[from:to])
		env.Note("cross-validation, %d folds, %s, beta %.6g: %s", folds.Count(), index.Plural(t.Epochs, "epoch"), t.Beta, command.TreeScores(set.Kind, t.Counts))
	}
	t := rerank.Best(&set.Lists, trials)
	o.Epochs = t.Epochs
	c.baselines(env, set)
	return tuned{rerank.OfScore(t.Beta), true}
}

// besideText describes the terms of the score that come from no fragment.
func besideText(b *rerank.Beside) string {
	text := fmt.Sprintf("beta %.6g", b.Beta())
	for _, part := range b.Parts() {
		if part == rerank.ScoreTerm {
			continue
		}
		n := 0
		for k := range b.Terms {
			if b.Terms[k].Part() == part {
				n++
			}
		}
		text += fmt.Sprintf(", %s (%s)", part, index.Plural(n, "weight"))
	}
	return text
}

func (c *training) baselines(env *command.Env, set *lists.Set) {
	sayBaselines(env, set.Kind, set.Chosen(rerank.Base), set.Chosen(func(i int, _ *rerank.List) int { return set.Vote[i] }), set.Chosen(rerank.Oracle))
}

func openReranker(_ context.Context, c *prediction, s *store.Store, info *store.ModelInfo) (predict.Readable, error) {
	if err := c.refuseDecision(info); err != nil {
		return nil, err
	}
	return lists.OpenReranker(s, info.Name)
}

func trainKernelReranker(ctx context.Context, env *command.Env, c *training, w *store.Writer) (string, error) {
	of, err := c.kernelOptions(env, w, nil)
	if err != nil {
		return "", err
	}
	syms, err := w.Store().Symbols()
	if err != nil {
		return "", err
	}
	set, err := c.readLists(ctx, env, w, nil)
	if err != nil {
		return "", err
	}
	m, r, err := rerank.TrainKernel(ctx, &set.Lists, rerank.KernelOptions{
		Options: c.rerankOptions(env), Config: of.Config,
		Chunks: cmp.Or(c.Chunks, listChunks), HeldOut: cmp.Or(c.HeldOut, listHeldOut), Betas: c.Beta.values,
		Read: set.Reader(w.Store(), read.Tags(c.Tags)), Symbols: syms,
	})
	env.Progress.Close()
	if err != nil {
		return "", err
	}
	m.Tags = c.Tags
	settings := m.Settings()
	settings["seed"], settings["epochs"], settings["target"], settings["augment"] = fmt.Sprint(c.Seed), strconv.Itoa(len(r.Mistakes)), c.Target, fmt.Sprint(c.Augment)
	info := store.ModelInfo{Name: c.Name, Learner: rerank.LearnerKernel, Kernel: m.Space.ID(), Settings: settings}
	if err := w.PutModel(info, m.Append(nil)); err != nil {
		return "", err
	}
	if r.HeldOut > 0 {
		for _, d := range []struct {
			name string
			rerank.Trial
		}{{"voted", r.Voted}, {"averaged", r.Averaged}} {
			env.Note("%s, %s held out, beta %.6g: %s", d.name, index.Plural(r.HeldOut, "list"), d.Beta, command.TreeScores(set.Kind, d.Counts))
		}
	}
	c.baselines(env, set)
	return fmt.Sprintf("model %s: %s, kernel %s, lambda %g%s, %s%s: %s of %s in %s, %s in the last of %s", c.Name, rerank.LearnerKernel, m.Space.ID(), m.Lambda,
		map[bool]string{true: ", normalized"}[m.Normalize], index.Plural(len(set.List), "list"), goldless(set), index.Plural(m.Corrections(), "correction"), index.Plural(len(m.Trees), "tree"),
		index.Plural(len(m.Chunks), "chunk"), index.Plural(r.Mistakes[len(r.Mistakes)-1], "mistake"), index.Plural(len(r.Mistakes), "epoch")), nil
}

func openKernelReranker(_ context.Context, c *prediction, s *store.Store, info *store.ModelInfo) (predict.Readable, error) {
	if c.Why > 0 {
		return nil, index.Usagef("--why is of linear models of K-best lists, and %s is a model of %s", info.Name, info.Learner)
	}
	return lists.OpenKernelReranker(s, info.Name, c.Decision != "averaged")
}
