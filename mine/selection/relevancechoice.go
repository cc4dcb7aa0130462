package selection

import (
	"fmt"
	"math"
	"strings"

	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/judge"
	"fstore/mine/learn/svm"
	"fstore/mine/query"
	"fstore/store"
)

// Settings of a selection by relevance. With these settings, the weights of the selection can be used as a
// model.
const (
	PositiveSetting  = "positive" // label that a positive score speaks for
	NegativeSetting  = "negative" // label that a negative score speaks for; "": any other
	BiasSetting      = "bias"
	OffsetSetting    = "offset" // weight of the part of the kernel that is no fragment, if there is one
	LambdaSetting    = "lambda"
	NormalizeSetting = "normalize" // "none" or "kernel"

	ModelSetting     = "model"
	ModelHashSetting = "model-hash" // hash of the model's bytes, see ModelHash
	NormShareSetting = "norm-share" // share of ‖w‖² that the selection keeps
)

// chooseRelevance returns the objective for the chosen model, and the least |relevance| to select. It also
// prepares r.From for growth in the model's trees.
func (r *run) chooseRelevance() (judge.Objective, float64, error) {
	o := r.o
	if o.chi2Only() {
		return nil, 0, index.Usagef("tau, alpha, correct, permutations and test are of chi2")
	}
	if o.MinSupport != nil {
		return nil, 0, index.Usagef("relevance has no minimum support: it is of the vectors of a model")
	}
	m, err := r.kernelModel()
	if err != nil {
		return nil, 0, err
	}
	label := ""
	grow.Set(&label, o.Positive)
	g, err := svm.NewGradient(r.ctx, m, label, r.From.Syms, o.Workers, o.Progress)
	if err != nil {
		return nil, 0, err
	}
	if !(g.Norm > 0) {
		return nil, 0, index.Usagef("the model's weight vector is 0: nothing in it is relevant")
	}
	r.growModel(m, g)
	x := NewRelevance(m.Config, g, r.w != nil)
	least, err := r.leastRelevance(x)
	if err == nil && o.Greedy {
		err = r.mineGreedily(x, least)
	}
	return x, least, err
}

// mineGreedily runs Algorithm 5.1 of Pighin & Moschitti (2010), and stores the fragments that it finds in r.
func (r *run) mineGreedily(x *Relevance, sigma float64) (err error) {
	trees, ok := x.g.Merged.(index.Widening)
	switch {
	case !ok:
		return index.Usagef("greedy: Algorithm 5.1 of Pighin & Moschitti is of stk, not of space %s", r.From.Info.ID)
	case r.o.Top > 0 || r.o.NormShare != nil || r.From.Limits.Closed:
		return index.Usagef("greedy: it has a threshold-ratio or sigma, and finds no closed sets")
	}
	g := &greedy{ctx: r.ctx, x: x, trees: trees, sigma: sigma, budget: grow.NewBudget(r.o.MaxFragments), max: r.From.Limits.MaxOrder}
	r.settings["greedy"] = "true"
	r.found, err = g.run()
	r.saw = g.saw
	return err
}

// kernelModel reads the chosen model, which must be a kernel machine over the whole space.
func (r *run) kernelModel() (*svm.Model, error) {
	info := r.st.Meta().Model(r.o.Model)
	if info == nil || info.Kernel == "" {
		return nil, noKernelModel(r.st.Meta(), r.o.Model, info != nil)
	}
	if info.Selection != "" {
		return nil, index.Usagef("relevance is over all of a space, and the kernel of model %s runs over the selection %s alone", info.Name, info.Selection)
	}
	b, err := r.st.Model(info.Name)
	if err != nil {
		return nil, err
	}
	m, err := svm.Decode(b, r.From.Syms)
	if err != nil {
		return nil, query.DamagedModel(r.st, info.Name, err)
	}
	meta := r.st.Meta()
	switch {
	case m.Space.ID() != r.From.Info.ID:
		return nil, index.Usagef("the kernel of model %s is of space %s, not of %s", info.Name, m.Space.ID(), r.From.Info.ID)
	case m.Kind != meta.Kind || m.OneAlphabet != meta.OneAlphabet:
		return nil, index.Usagef("the trees of model %s are of another kind than the store's", info.Name)
	}
	r.settings[ModelSetting], r.settings[ModelHashSetting] = info.Name, ModelHash(b)
	return m, nil
}

// noKernelModel returns the error for a name that no kernel machine has.
func noKernelModel(m *store.Meta, name string, isLinear bool) error {
	var machines []string
	for i := range m.Models {
		if m.Models[i].Kernel != "" {
			machines = append(machines, m.Models[i].Name)
		}
	}
	why := "and the store has none: train makes one"
	if len(machines) > 0 {
		why = "--model names it: there are " + strings.Join(machines, ", ")
	}
	switch {
	case isLinear:
		return index.Usagef("model %s is linear: relevance is of a kernel machine, %s", name, why)
	case name != "":
		return index.Usagef("no model %s: relevance is of a kernel machine, %s", name, why)
	}
	return index.Usagef("relevance is of a kernel machine, %s", why)
}

// growModel makes r.From grow the fragments of a model's vectors, not of the store's trees.
func (r *run) growModel(m *svm.Model, g *svm.Gradient) {
	x := r.From
	x.Grow = true
	x.Limits = index.Limits{MinSupport: 1}
	grow.Set(&x.Limits.MaxOrder, r.o.MaxOrder)
	grow.Set(&x.Limits.Closed, r.o.Closed)
	tally := &index.Tally{}
	x.Tallied = &grow.Tallied{SpaceLimits: x.SpaceLimits, Tally: tally, Items: g.Items(x.Syms, x.Limits, tally)}
	x.Tallied.Seal()
	// Support and occurrences are counted in the model's vectors, not in samples of the store.
	delete(r.settings, query.SamplesSetting)
	delete(r.settings, "min-support")
	r.settings["max-order"] = fmt.Sprint(x.Limits.MaxOrder)
	r.settings["closed"] = fmt.Sprint(x.Limits.Closed)
	for name, value := range m.Settings() { // lambda and normalize
		r.settings[name] = value
	}
	r.settings[PositiveSetting], r.settings[NegativeSetting] = g.Label, g.Other
	r.setting(BiasSetting, g.Bias)
	if g.Offset != 0 {
		r.setting(OffsetSetting, g.Offset)
	}
}

// leastRelevance checks the options for the threshold, and returns the least |relevance| to select.
func (r *run) leastRelevance(x *Relevance) (float64, error) {
	o := r.o
	given := 0
	for _, is := range []bool{o.ThresholdRatio != nil, o.Sigma != nil, o.NormShare != nil, o.Top > 0} {
		if is {
			given++
		}
	}
	heaviest, err := x.heaviestBase(r.From)
	if err != nil {
		return 0, err
	}
	switch {
	case given != 1:
		return 0, index.Usagef("relevance needs one threshold: threshold-ratio, sigma, norm-share or top")
	case o.Top > 0:
		r.reason = r.described("any relevance")
		return 0, nil
	case o.ThresholdRatio != nil:
		if !(*o.ThresholdRatio >= 1) || math.IsInf(*o.ThresholdRatio, 0) {
			return 0, index.Usagef("threshold-ratio: 1 or more")
		}
		sigma := heaviest / *o.ThresholdRatio
		r.setting("sigma", sigma)
		r.reason = fmt.Sprintf("|relevance| ≥ %.6g (%.6g / %v)", sigma, heaviest, *o.ThresholdRatio)
		return sigma, nil
	case o.Sigma != nil:
		if !(*o.Sigma > 0) {
			return 0, index.Usagef("sigma: above 0")
		}
		r.setting("sigma", *o.Sigma)
		r.reason = fmt.Sprintf("|relevance| ≥ %.6g", *o.Sigma)
		return *o.Sigma, nil
	}
	return r.leastShare(x, heaviest)
}

// leastShare returns the least |relevance| in the smallest set with the chosen share of ‖w‖².
func (r *run) leastShare(x *Relevance, heaviest float64) (float64, error) {
	share := *r.o.NormShare
	if !(share > 0 && share < 1) {
		return 0, index.Usagef("norm-share: above 0, below 1")
	}
	if r.From.Limits.Closed {
		return 0, index.Usagef("norm-share: the norm is of all fragments, not of closed ones")
	}
	first := heaviest / 10
	if first == 0 {
		first = math.Sqrt(x.g.Norm) / 10
	}
	s, err := x.smallestShare(r.From, share, first, func() *grow.Budget { return grow.NewBudget(r.o.MaxFragments) })
	if err != nil {
		return 0, err
	}
	r.setting("sigma", s.least)
	r.reason = fmt.Sprintf("the smallest set with %v of the squared norm", share)
	r.smallest = &s
	return s.least, nil
}

// heaviestBase returns the largest |relevance| of the fragments of order 1 (B in Algorithm 5.1 of PM10).
func (x *Relevance) heaviestBase(from *judge.Source) (float64, error) {
	base := *from
	base.Limits.MaxOrder = 1
	top := &judge.Threshold{Most: 1}
	if err := base.Run(judge.NewPass(x.plain(), base.Limits, top, grow.NewBudget(0)), judge.CountOnly); err != nil {
		return 0, err
	}
	if len(top.Best) == 0 {
		return 0, nil
	}
	return math.Abs(top.Best[0].Score), nil
}

// measure records which share of ‖w‖² the kept fragments have.
func (r *run) measure(p *judge.Pass) {
	if p.Sharing == nil {
		return
	}
	share := p.Saw.Total().Share
	switch {
	case r.smallest != nil:
		share = r.smallest.share
	case r.o.Top > 0:
		share = 0
		for i := range p.At.Best {
			share += p.Sharing.Share(p.At.Best[i].Score)
		}
	}
	part := float64(share) / wholeShare
	r.setting(NormShareSetting, part)
	r.kept = fmt.Sprintf(" with %.3f of the squared norm", part)
	if r.o.Top == 0 { // with Top, it depends on which fragments were seen first
		r.kept += fmt.Sprintf("; %s visited", index.Thousands(p.Saw.Total().Counted))
	}
}

// ModelHash returns a hash of a model's bytes, as text.
func ModelHash(b []byte) string { return fmt.Sprintf("%016x", xxh3.Hash(b)) }
