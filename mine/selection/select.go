// Package selection chooses fragments by an objective: support, chi2, relevance or gradient, one file each.
// [Run] writes a selection, and [DryRun] only counts it. [Derive] chooses from another selection. Start at
// select.go.
package selection

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/judge"
	"fstore/mine/query"
	"fstore/store"
)

// withoutSetting records a hash of Options.Without.
const withoutSetting = "without"

// Run selects fragments of a space by an objective, and puts the selection into the Meta of a writer. The
// result does not depend on workers, memory, or whether fragments are scanned or grown.
func Run(ctx context.Context, w *store.Writer, o Options) (*Result, error) {
	o.SetDefaults()
	if err := CheckName(w.Meta(), o.Name, o.Overwrite); err != nil {
		return nil, err
	}
	r := &run{ctx: ctx, o: &o, st: w.Store(), w: w}
	done, err := r.do()
	if err == nil {
		done.Decided = fmt.Sprintf("selection %s %s", o.Name, done.Decided)
	}
	return done, err
}

// DryRun does what Run does, but writes nothing.
func DryRun(ctx context.Context, s *store.Store, o Options) (*Result, error) {
	o.SetDefaults()
	r := &run{ctx: ctx, o: &o, st: s}
	return r.do()
}

// longestName is how many bytes the name of a selection or a model may have.
const longestName = 255

// ValidName returns an error if a selection or a model cannot have this name: people must be able to print
// and type names.
func ValidName(name string) error {
	switch {
	case name == "" || len(name) > longestName:
		return index.Usagef("a name has 1 to %d bytes, this one %d", longestName, len(name))
	case !utf8.ValidString(name):
		return index.Usagef("the name %q is no UTF-8", name)
	case strings.ContainsFunc(name, unicode.IsControl):
		return index.Usagef("the name %q has control characters", name)
	}
	return nil
}

// CheckName returns an error if the name is not valid or is taken. With `overwrite`, the name of a selection
// counts as free.
func CheckName(m *store.Meta, name string, overwrite bool) error {
	if err := ValidName(name); err != nil {
		return err
	}
	switch {
	case m.Model(name) != nil:
		return fmt.Errorf("%w: the store has a model %q", store.ErrNameTaken, name)
	case m.Selection(name) != nil && !overwrite:
		return fmt.Errorf("%w: the store has a selection %q, which --overwrite replaces", store.ErrNameTaken, name)
	}
	return nil
}

func (r *run) do() (*Result, error) {
	if err := r.choose(); err != nil {
		return nil, err
	}
	if r.o.By == ByGradient {
		return r.runGradient()
	}
	by, least, err := r.objective()
	if err != nil {
		return nil, err
	}
	at := &judge.Threshold{Least: least, Most: r.o.Top}
	p := judge.NewPass(by, r.From.Limits, at, grow.NewBudget(r.o.MaxFragments))
	info := store.SelectionInfo{
		Name: r.o.Name, Space: r.From.Info.Number, By: r.o.By,
		Columns: append([]string{query.SupportColumn, query.OccurrencesColumn}, by.Columns()...), Settings: r.settings,
	}
	if err := r.collect(p, info); err != nil {
		return nil, err
	}
	n := p.Saw.Total().Kept
	if r.o.Top > 0 {
		n = uint64(len(at.Best))
		if err := r.explainTop(p); err != nil {
			return nil, err
		}
	}
	switch {
	case r.o.Greedy:
		n = uint64(len(r.found))
	case r.smallest != nil:
		n = r.smallest.above + r.smallest.ties
	}
	decided := fmt.Sprintf("by %s: %s; %s: %s%s", r.o.By, r.reason, grow.Describe(r.From.Info.ID, r.From.Limits), index.Plural(n, "fragment"), r.kept)
	return &Result{Fragments: n, Explained: p.Saw, Grown: r.From.Grow, Decided: decided}, nil
}

// choose sets the space, the limits, and whether to scan or to grow.
func (r *run) choose() error {
	if o := r.o; o.By != ByRelevance && (o.Model != "" || o.ThresholdRatio != nil || o.Sigma != nil || o.NormShare != nil || o.Greedy) {
		return index.Usagef("model, threshold-ratio, sigma, norm-share and greedy are of relevance")
	}
	if m := r.st.Meta().Model(r.o.Model); m != nil && r.o.Space == "" {
		r.o.Space = m.Kernel
	}
	space, info, err := query.SpaceOf(r.st, r.o.Space)
	if err != nil {
		return err
	}
	syms, err := r.st.Symbols()
	if err != nil {
		return err
	}
	l := info.Limits()
	grow.Set(&l.MinSupport, r.o.MinSupport)
	grow.Set(&l.MaxOrder, r.o.MaxOrder)
	grow.Set(&l.Closed, r.o.Closed)
	if l.MaxOrder < 0 || l.MaxOrder > grow.MaxMaxOrder || l.MinSupport == 0 {
		return index.Usagef("a support of at least 1, and an order of at most %d; 0 is any", grow.MaxMaxOrder)
	}
	if _, ok := space.(index.Covering); l.Closed && !ok {
		return index.Usagef("space %s has no closed fragments: leave --closed out", info.ID)
	}
	r.From = &judge.Source{
		Source: grow.Source{
			Ctx: r.ctx, St: r.st, Syms: syms, Samples: r.st.Meta().Samples, Without: r.o.Without,
			Workers: r.o.Workers, Memory: r.o.Memory, Progress: r.o.Progress,
		},
		SpaceLimits: grow.SpaceLimits{Space: space, Limits: l}, Info: info,
		Grow: r.o.forceGrowth || r.o.Without != nil || !judge.Covers(info, l),
	}
	r.settings = map[string]string{
		query.SamplesSetting: strconv.FormatUint(uint64(r.st.Meta().Samples), 10),
		"min-support":        strconv.FormatUint(uint64(l.MinSupport), 10),
		"max-order":          strconv.Itoa(l.MaxOrder),
		"closed":             strconv.FormatBool(l.Closed),
	}
	maps.Copy(r.settings, r.o.settings)
	if r.o.Without != nil {
		delete(r.settings, query.SamplesSetting) // its statistics are not of all samples
		b, err := r.o.Without.ToBytes()
		if err != nil {
			return err
		}
		r.settings[withoutSetting] = strconv.FormatUint(xxh3.Hash(b), 16)
	}
	if r.o.Top > 0 {
		r.settings["top"] = strconv.Itoa(r.o.Top)
	}
	return nil
}

// objective returns the objective that By names, and the least |score| to select. By must not be "gradient".
func (r *run) objective() (judge.Objective, float64, error) {
	if r.o.Gradient.anySet() {
		return nil, 0, index.Usagef("min-count, iterations, step, update, base, pretrain, keep, route, bloom-counters, bloom-bits and log are of gradient")
	}
	switch r.o.By {
	case BySupport:
		return r.chooseSupport()
	case ByChiSquared:
		return r.chooseChiSquared()
	case ByRelevance:
		return r.chooseRelevance()
	}
	return nil, 0, index.Usagef("no objective %q: there are %s", r.o.By, strings.Join(Objectives(), ", "))
}
