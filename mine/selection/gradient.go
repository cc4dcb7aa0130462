package selection

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/mine/gradient"
	"fstore/mine/grow"
	"fstore/mine/query"
	"fstore/mine/recount"
	"fstore/store"
	"fstore/store/runfile"
)

// These columns of a selection by gradient say how many gold and how many predicted samples have the
// fragment. Only lists that the last iteration predicted wrongly count.
const (
	goldColumn      = "gold"
	predictedColumn = "predicted"
)

// runGradient mines with package gradient. A fragment's score is its gold count minus its predicted count in
// the last iteration.
func (r *run) runGradient() (done *Result, err error) {
	o := r.gradientOptions()
	if err := r.checkGradient(&o); err != nil {
		return nil, err
	}
	p, err := r.listProblem(r.o.Gradient.Base)
	if err != nil {
		return nil, err
	}
	if err := o.FS.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	if r.w == nil { // with a writer, the directory is removed with it
		defer func() { err = errors.Join(err, runfile.In(o.FS, o.Dir).Remove()) }()
	} else if o.Checkpoint, err = r.gradientCheckpoint(p, &o); err != nil {
		return nil, err
	}
	found, err := gradient.Mine(r.ctx, p, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	last := &found.Iterations[len(found.Iterations)-1]
	n := last.Weights
	if o.Keep == gradient.KeepFeatures {
		n = last.Features()
	}
	if most := r.o.MaxFragments; most > 0 && n > most {
		return nil, fmt.Errorf("%w: more than %s: raise the minimum count, lower the maximum order, or raise the limit", grow.ErrTooMany, index.Thousands(most))
	}
	if r.w != nil {
		if err := r.writeGradient(found); err != nil {
			return nil, err
		}
	}
	return &Result{Fragments: n, Iterations: found.Iterations, Grown: true, Decided: r.sayGradient(p, &o, found, n)}, nil
}

// sayGradient returns the line that says what was selected. n is the number of selected fragments.
func (r *run) sayGradient(p *gradient.Problem, o *gradient.Options, found *gradient.Result, n uint64) string {
	last := &found.Iterations[len(found.Iterations)-1]
	thing, feature, each := "list", "fragment", ""
	if r.labels != nil {
		thing, feature, each = "sample", "feature", " (each a fragment and a label)"
	}
	space := "space " + r.From.Info.ID
	if o.MaxOrder > 0 {
		space += fmt.Sprintf(", order ≤ %d", o.MaxOrder)
	}
	kept := fmt.Sprintf("%s with a weight, of %s%s", index.Plural(last.Weights, feature), index.Thousands(last.Features()), each)
	if o.Keep == gradient.KeepFeatures {
		kept = fmt.Sprintf("%s, %s of them with a weight%s", index.Plural(n, feature), index.Thousands(last.Weights), each)
	}
	if len(found.Iterations) == 1 && last.Step == 0 && last.Tried > 0 {
		kept += ", as no step lowers the objective"
		if r.labels == nil && r.o.Gradient.Base == 0 && r.o.Gradient.Scores == nil {
			kept += ": base or pretrain start from other predictions"
		}
		if len(r.labels) > 2 {
			kept += ": all labels tie where nothing has a weight"
		}
	}
	return fmt.Sprintf("by gradient: C %d, %s, the last with %s of %s wrong, objective %.6g to %.6g; %s: %s",
		o.C, index.Plural(len(found.Iterations), "iteration"), index.Thousands(last.Wrong), index.Plural(len(p.Lists), thing),
		found.Iterations[0].Before, last.Objective, space, kept)
}

func (r *run) gradientOptions() gradient.Options {
	g := &r.o.Gradient
	o := gradient.Options{
		Space: r.From.Space, Symbols: r.From.Syms, Tree: r.st.Sample,
		C: DefaultMinCount, MaxOrder: r.From.Limits.MaxOrder, Iterations: g.Iterations, Step: g.Step,
		Keep: g.Keep, Route: g.Route, BloomCounters: g.BloomCounters, BloomBits: g.BloomBits,
		FS: vfs.NewMem(), Dir: "gradient", Memory: r.o.Memory / 2, Workers: r.o.Workers,
		Log: g.Log, Progress: r.o.Progress,
	}
	grow.Set(&o.C, g.MinCount)
	o.SetDefaults()
	if g.Literal {
		o.Update = gradient.Literal
	}
	switch {
	case r.w != nil:
		dir := r.w.Scratch().Sub("gradient")
		o.FS, o.Dir = dir.FS, dir.Path
	case r.o.Scratch != "":
		o.FS, o.Dir = r.st.FS(), r.o.Scratch
	}
	return o
}

// gradientCheckpoint returns the checkpoint from which an interrupted run continues. Its key is a hash of all
// that the result depends on.
func (r *run) gradientCheckpoint(p *gradient.Problem, o *gradient.Options) (*gradient.Checkpoint, error) {
	scores := xxh3.New()
	for _, x := range p.Base {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		scores.Write(b[:])
	}
	what, err := json.Marshal(struct {
		Name, Space      string
		Settings         map[string]string
		Generation       uint32
		Route            gradient.Route
		Counters, Scores uint64
		Bits             uint
	}{r.o.Name, r.From.Info.ID, r.settings, r.w.Meta().Generation, o.Route, o.BloomCounters, scores.Sum64(), o.BloomBits})
	return &gradient.Checkpoint{Writer: r.w, Key: xxh3.Hash(what), Every: runfile.SaveEvery}, err
}

// checkGradient returns an error if an option makes no sense. Otherwise it records the options as settings.
func (r *run) checkGradient(o *gradient.Options) error {
	_, flat := r.From.Space.(index.Flat)
	switch {
	case r.o.Positive != nil || r.o.chi2Only() || r.o.Top > 0:
		return index.Usagef("top, positive, tau, alpha, correct, permutations and test are of other objectives than gradient")
	case r.o.MinSupport != nil || r.o.Closed != nil && *r.o.Closed:
		return index.Usagef("gradient has a minimum count on either side, no minimum support, and no closed fragments")
	case flat:
		return index.Usagef("space %s: gradient is of spaces whose fragments grow one step at a time", r.From.Info.ID)
	case o.Route != gradient.Bloom && (r.o.Gradient.BloomCounters != 0 || r.o.Gradient.BloomBits != 0):
		return index.Usagef("bloom-counters and bloom-bits are of the route bloom")
	case o.BloomCounters > MaxBloomCounters:
		return index.Usagef("bloom-counters: at most %s", index.Thousands(uint64(MaxBloomCounters)))
	case o.BloomBits > 32:
		return index.Usagef("bloom-bits: at most 32")
	case o.Iterations < 1:
		return index.Usagef("iterations: at least 1")
	case !(o.Step > 0) || math.IsInf(o.Step, 0):
		return index.Usagef("step: above 0, and finite")
	case !(math.Abs(r.o.Gradient.Base) <= index.MostScore):
		return index.Usagef("base: a number, of at most %g either way", index.MostScore)
	}
	delete(r.settings, "min-support")
	delete(r.settings, "closed")
	r.settings["min-count"] = strconv.FormatUint(uint64(o.C), 10)
	r.settings["iterations"] = strconv.Itoa(o.Iterations)
	r.setting("step", o.Step)
	r.settings["update"] = o.Update.String()
	r.setting("base", r.o.Gradient.Base)
	if o.Keep == gradient.KeepFeatures {
		r.settings["keep"] = o.Keep.String()
		delete(r.settings, query.SamplesSetting) // no statistic is counted in all samples
	}
	return nil
}

// writeGradient writes the kept fragments with their counts in the last iteration. Only fragments with a
// weight get their support in the store, because counting all would take many times as long as finding them.
// In classification, the label of an entry is the class with the largest |weight|.
func (r *run) writeGradient(found *gradient.Result) error {
	info := store.SelectionInfo{
		Name: r.o.Name, Space: r.From.Info.Number, By: ByGradient, Settings: r.settings,
		Columns: []string{goldColumn, predictedColumn},
	}
	each := found.EachAcross
	if r.labels == nil {
		each = func(f func(in []*gradient.Fragment) error) error {
			in := make([]*gradient.Fragment, 1)
			return found.Each(0, func(x *gradient.Fragment) error {
				in[0] = x
				return f(in)
			})
		}
	} else {
		info.Columns = append(info.Columns, query.LabelColumn)
		for _, label := range r.labels {
			info.Columns = append(info.Columns, "weight:"+label)
		}
	}
	n := make([]*recount.Counts, max(len(r.labels), 1))
	if r.o.Gradient.Keep == gradient.KeepWeights {
		info.Columns = append([]string{query.SupportColumn, query.OccurrencesColumn}, info.Columns...)
		if err := r.countWeighted(n, found); err != nil {
			return err
		}
	}
	weights := make([]float64, len(n))
	return WriteEntries(r.ctx, r.w, r.From.Space, info, func(put func(*store.Entry) error) error {
		return each(func(in []*gradient.Fragment) error {
			best := -1
			clear(weights)
			for class, f := range in {
				if f == nil {
					continue
				}
				if weights[class] = f.Weight; best < 0 || math.Abs(f.Weight) > math.Abs(weights[best]) {
					best = class
				}
			}
			f := in[best]
			gold, predicted := float64(f.Gold), float64(f.Predicted)
			e := &store.Entry{Code: f.Code, Score: gold - predicted, Weight: f.Weight}
			if n := n[best]; n != nil {
				e.Stats = append(e.Stats, float64(n.Support[f.ID-1]), n.Occurrences[f.ID-1])
			}
			e.Stats = append(e.Stats, gold, predicted)
			if r.labels != nil {
				e.Stats = append(append(e.Stats, float64(best)), weights...)
			}
			return put(e)
		})
	})
}

// countWeighted counts, for each class, the fragments that have a weight in the class.
func (r *run) countWeighted(n []*recount.Counts, found *gradient.Result) (err error) {
	for class := range n {
		x := found.Index(class)
		if x == nil {
			continue
		}
		n[class], err = (&recount.Run{
			St: r.st, Space: r.From.Space, Syms: r.From.Syms, X: x,
			Samples: r.st.Meta().Samples, Without: r.o.Without, Workers: r.o.Workers, Progress: r.o.Progress,
		}).Count(r.ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// listProblem makes the learning problem from the K-best lists of the store, or else from the labelled
// samples.
func (r *run) listProblem(base float64) (*gradient.Problem, error) {
	p, err := gradient.NewLists(r.ctx, r.st, r.From.Space, base, r.o.Without)
	if err == nil && p == nil {
		return r.labelProblem(base)
	}
	if err != nil || r.o.Gradient.Scores == nil {
		return p, err
	}
	scores, by, err := r.o.Gradient.Scores(r.ctx, r.o.Without)
	if err != nil {
		return nil, err
	}
	if uint64(len(scores)) != uint64(p.Samples) {
		return nil, index.Usagef("%s scores of %s", index.Thousands(len(scores)), index.Plural(p.Samples, "sample"))
	}
	if p.Base == nil {
		p.Base = make([]float64, p.Samples)
	}
	for i, x := range scores {
		p.Base[i] += x
	}
	r.settings["pretrain"] = by
	return p, nil
}

// labelProblem makes a classification problem of the samples with a label. Each sample has all labels as its
// candidates.
func (r *run) labelProblem(base float64) (*gradient.Problem, error) {
	labels, err := r.st.Labels()
	if err != nil {
		return nil, err
	}
	switch {
	case len(labels) < 2:
		return nil, index.Usagef("gradient is of K-best lists, or of samples with two labels or more: these are neither")
	case base != 0 || r.o.Gradient.Scores != nil:
		return nil, index.Usagef("base and pretrain are of the scores of K-best lists, and the samples of the store are none")
	}
	if err := r.tellLabels(labels); err != nil {
		return nil, err
	}
	r.labels = labels
	classes := uint32(len(labels))
	p := &gradient.Problem{Samples: r.st.Meta().Samples, Classes: classes}
	candidates, err := p.Candidates()
	if err != nil {
		return nil, index.Usagef("gradient: %v", err)
	}
	p.Same = make([]bool, candidates)
	err = r.st.SampleHeads(0, p.Samples, func(id uint32, t *index.Tree) error {
		if t.Label == "" || r.o.Without != nil && r.o.Without.Contains(id) {
			return nil
		}
		label, ok := slices.BinarySearch(labels, t.Label)
		if !ok {
			return index.Usagef("sample %s has the labels %s: gradient is of samples with one", t.Name, t.Label)
		}
		from := id * classes
		gold := from + uint32(label)
		p.Lists = append(p.Lists, gradient.List{From: from, To: from + classes, Gold: gold})
		p.Same[gold] = true
		return nil
	})
	return p, err
}
