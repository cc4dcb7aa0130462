// Package selection chooses fragments by an objective, a file each: support, chi2, relevance,
// gradient. [Run] writes a selection, [DryRun] only counts it; [Derive] chooses from another
// selection. Start at select.go.
package selection

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/mine/gradient"
	"fstore/mine/grow"
	"fstore/mine/judge"
	"fstore/mine/query"
	"fstore/store"
)

// Options are what Select does. The zero value of a field is its default.
type Options struct {
	Name      string // of the selection
	Overwrite bool   // a selection of that name may be replaced

	Space string // the name or ID; "" is the one that the store has
	// The limits; nil is what the space is indexed with. What goes beyond that is grown
	// from the stored trees.
	MinSupport *uint32
	MaxOrder   *int // 0 is any
	Closed     *bool

	By string // the objective: support, chi2, relevance or gradient
	// Top keeps that many fragments, those with the largest |score|, of equal ones
	// those first in code order; 0 is all.
	Top int

	// Of chi2: the labels to test against, nil for each against the rest; and the least
	// χ², or the level of significance, of which one may be set, and neither with Top.
	Positive   *string
	Tau, Alpha *float64
	Correct    Correction // of Alpha; "" is NoCorrection
	// Of WestfallYoungCorrection: how many permutations, 0 being 1,000, of what, and the
	// seed that they follow from.
	Permutations int
	Permute      Permuted // "" is PermuteSamples
	Seed         uint64

	// Of relevance: the kernel machine; Positive is the label of its machine, where it has
	// several. One of Top and these is set: ThresholdRatio L selects |relevance| of at
	// least B/L, with B that of the heaviest fragment of order 1; Sigma of at least this;
	// NormShare the smallest set that keeps this share of ‖w‖².
	Model                            string
	ThresholdRatio, Sigma, NormShare *float64
	Greedy                           bool // by Algorithm 5.1 of Pighin & Moschitti (2010), a heuristic

	Gradient GradientOptions // of gradient

	// Without are samples that are passed over, as they are held out; nil is none. It says
	// nothing of relevance. K-best lists are passed over whole.
	Without *roaring.Bitmap

	// Explain asks for Selected.Explained with Top too, which takes another run then.
	Explain bool

	// MaxFragments bounds the fragments selected: more is ErrTooMany. 0 is no bound.
	MaxFragments uint64
	Workers      int   // that grow; 0 is one a processor
	Memory       int64 // as in Options; 0 is 1 GiB. Of gradient, see gradient.Options
	// Scratch is a directory that does not exist, which DryRun makes and removes for
	// what gradient finds beyond Memory; "" is in memory all the same.
	Scratch string

	Progress index.Progress // nil: none

	settings    map[string]string // recorded beside the others
	forceGrowth bool              // in tests: grow what could be scanned
}

// chi2Only says whether an option is given that chi2 alone has.
func (o *Options) chi2Only() bool {
	return o.Tau != nil || o.Alpha != nil || o.Correct != NoCorrection || o.Permutations != 0 || o.Permute != ""
}

func (o *Options) SetDefaults() {
	if o.Correct == "" {
		o.Correct = NoCorrection
	}
	o.Workers = index.Workers(o.Workers)
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	if o.Progress == nil {
		o.Progress = index.NoProgress{}
	}
}

// Selected is what Select decided.
type Result struct {
	Fragments uint64            // selected
	Explained judge.Explanation // with Top, nil without Explain
	// Iterations are what a selection by gradient did, in place of Explained.
	Iterations []gradient.Iteration
	Grown      bool   // from the stored trees; else the stored fragments were scanned
	Decided    string // one line
}

// withoutSetting names Options.Without.
const withoutSetting = "without"

// Select selects fragments of a space by an objective, and puts the selection into the
// pending meta of a writer. The same options give the same selection, whatever the
// workers, the memory and the route.
func Run(ctx context.Context, w *store.Writer, o Options) (*Result, error) {
	o.SetDefaults()
	if err := CheckName(w.Meta(), o.Name, o.Overwrite); err != nil {
		return nil, err
	}
	r := &Selection{Ctx: ctx, O: &o, St: w.Store(), w: w}
	return r.run()
}

// DryRun is Select that only counts: it says what would be selected.
func DryRun(ctx context.Context, s *store.Store, o Options) (*Result, error) {
	o.SetDefaults()
	r := &Selection{Ctx: ctx, O: &o, St: s}
	return r.run()
}

// longestName is how many bytes the name of a selection or a model may have.
const longestName = 255

// ValidName says what keeps a selection or a model from having a name: people print and type it.
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

// CheckName says whether a selection may have this name.
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

// Selection is one run of Select.
type Selection struct {
	Ctx      context.Context
	O        *Options
	St       *store.Store
	w        *store.Writer // nil in a dry run
	From     *judge.Source
	settings map[string]string
	Reason   string            // what the threshold is
	kept     string            // what else is to be said of what is selected
	found    []store.Entry     // of a greedy search, in code order
	saw      judge.Explanation // of that search
	labels   []string          // that gradient tells apart, in byte order; none: candidates of lists
	Smallest *smallest         // what the threshold of a norm share leaves of the fragments that reach it
}

func (r *Selection) run() (*Result, error) {
	if err := r.Choose(); err != nil {
		return nil, err
	}
	if r.O.By == ByGradient {
		return r.runGradient()
	}
	by, least, err := r.Objective()
	if err != nil {
		return nil, err
	}
	at := &judge.Threshold{Least: least, Most: r.O.Top}
	p := judge.NewPass(by, r.From.Limits, at, grow.NewBudget(r.O.MaxFragments))
	info := store.SelectionInfo{
		Name: r.O.Name, Space: r.From.Info.Number, By: by.Name(),
		Columns: append([]string{query.SupportColumn, query.OccurrencesColumn}, by.Columns()...), Settings: r.settings,
	}
	if err := r.collect(p, info); err != nil {
		return nil, err
	}
	n := p.Saw.Kept()
	if r.O.Top > 0 {
		n = uint64(len(at.Best))
		if err := r.explainTop(p); err != nil {
			return nil, err
		}
	}
	switch {
	case r.O.Greedy:
		n = uint64(len(r.found))
	case r.Smallest != nil:
		n = r.Smallest.above + r.Smallest.ties
	}
	decided := fmt.Sprintf("by %s: %s; %s: %s", by.Name(), r.Reason, grow.Describe(r.From.Info.ID, r.From.Limits), index.Plural(n, "fragment")) + r.kept
	if r.w != nil {
		decided = fmt.Sprintf("selection %s %s", r.O.Name, decided)
	}
	return &Result{Fragments: n, Explained: p.Saw, Grown: r.From.Grow, Decided: decided}, nil
}

// explainTop sets what p saw to what it sees with the threshold of its end.
func (r *Selection) explainTop(p *judge.Pass) error {
	p.Saw = nil
	if !r.O.Explain {
		return nil
	}
	again := judge.NewPass(p.By, p.Limits, &judge.Threshold{Least: p.At.Now()}, grow.NewBudget(0))
	err := r.From.Run(again, judge.CountOnly)
	p.Saw = again.Saw
	return err
}

// Choose finds the space, which may be the model's, the limits and the route.
func (r *Selection) Choose() error {
	if o := r.O; o.By != (*Relevance)(nil).Name() && (o.Model != "" || o.ThresholdRatio != nil || o.Sigma != nil || o.NormShare != nil || o.Greedy) {
		return index.Usagef("model, threshold-ratio, sigma, norm-share and greedy are of relevance")
	}
	if m := r.St.Meta().Model(r.O.Model); m != nil && r.O.Space == "" {
		r.O.Space = m.Kernel
	}
	space, info, err := query.SpaceOf(r.St, r.O.Space)
	if err != nil {
		return err
	}
	syms, err := r.St.Symbols()
	if err != nil {
		return err
	}
	l := grow.LimitsOf(info)
	grow.Set(&l.MinSupport, r.O.MinSupport)
	grow.Set(&l.MaxOrder, r.O.MaxOrder)
	grow.Set(&l.Closed, r.O.Closed)
	if l.MaxOrder < 0 || l.MaxOrder > grow.MaxMaxOrder || l.MinSupport == 0 {
		return index.Usagef("a support of at least 1, and an order of at most %d; 0 is any", grow.MaxMaxOrder)
	}
	if _, ok := space.(index.Covering); l.Closed && !ok {
		return index.Usagef("space %s has no closed fragments: leave --closed out", info.ID)
	}
	r.From = &judge.Source{
		Ctx: r.Ctx, St: r.St, Syms: syms, Info: info, Space: space, Limits: l,
		Grow: r.O.forceGrowth || r.O.Without != nil || !judge.Covers(info, l), Without: r.O.Without, Workers: r.O.Workers, Memory: r.O.Memory, Progress: r.O.Progress,
	}
	r.settings = map[string]string{
		query.SamplesSetting: strconv.FormatUint(uint64(r.St.Meta().Samples), 10),
		"min-support":        strconv.FormatUint(uint64(l.MinSupport), 10),
		"max-order":          strconv.Itoa(l.MaxOrder),
		"closed":             strconv.FormatBool(l.Closed),
	}
	maps.Copy(r.settings, r.O.settings)
	if r.O.Without != nil {
		delete(r.settings, query.SamplesSetting) // its statistics are of some samples
		b, err := r.O.Without.ToBytes()
		if err != nil {
			return err
		}
		r.settings[withoutSetting] = strconv.FormatUint(xxh3.Hash(b), 16)
	}
	if r.O.Top > 0 {
		r.settings["top"] = strconv.Itoa(r.O.Top)
	}
	return nil
}

// objectives make the objective that By names, and say from which |score| on fragments
// are selected: a line each.
var objectives = []struct {
	name   string
	choose func(*Selection) (by judge.Objective, least float64, err error)
}{
	{Support{}.Name(), chooseSupport},
	{(*ChiSquared)(nil).Name(), chooseChiSquared},
	{(*Relevance)(nil).Name(), chooseRelevance},
}

// Objectives returns the names of the objectives.
func Objectives() (names []string) {
	for _, o := range objectives {
		names = append(names, o.name)
	}
	return append(names, ByGradient)
}

func (r *Selection) Objective() (judge.Objective, float64, error) {
	if r.O.Gradient.given() {
		return nil, 0, index.Usagef("min-count, iterations, step, update, base, pretrain, keep, route, bloom-counters, bloom-bits and log are of gradient")
	}
	for _, o := range objectives {
		if o.name == r.O.By {
			return o.choose(r)
		}
	}
	return nil, 0, index.Usagef("no objective %q: there are %s", r.O.By, strings.Join(Objectives(), ", "))
}

// described adds Top to what the threshold is.
func (r *Selection) described(threshold string) string {
	if r.O.Top == 0 {
		return threshold
	}
	return fmt.Sprintf("%s, the top %s", threshold, index.Thousands(r.O.Top))
}

// collect makes the pass, and writes what it keeps.
func (r *Selection) collect(p *judge.Pass, info store.SelectionInfo) error {
	if r.O.Greedy {
		p.Saw.Add(r.saw)
		r.measure(p)
		if r.w == nil {
			return nil
		}
		return r.writeAll(info, r.found)
	}
	if r.w == nil || r.O.Top > 0 {
		if err := r.From.Run(p, judge.CountOnly); err != nil {
			return err
		}
		r.measure(p)
		if r.w == nil {
			return nil
		}
		best := p.At.Best
		slices.SortFunc(best, func(a, b store.Entry) int { return slices.Compare(a.Code, b.Code) })
		return r.writeAll(info, best)
	}
	parts, err := judge.NewParts(r.w, p, info)
	if err != nil {
		return err
	}
	if err := parts.Run(r.Ctx, r.From); err != nil {
		return err
	}
	r.measure(p)
	return r.write(info, func(put func(*store.Entry) error) error {
		if r.Smallest != nil {
			put = r.Smallest.Only(put)
		}
		for _, f := range parts.Files {
			if err := f.Each(put); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeAll writes entries, which ascend.
func (r *Selection) writeAll(info store.SelectionInfo, all []store.Entry) error {
	return r.write(info, func(put func(*store.Entry) error) error {
		for i := range all {
			if err := put(&all[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// write writes the entries that each calls put for, ascending.
func (r *Selection) write(info store.SelectionInfo, each func(put func(*store.Entry) error) error) error {
	return WriteEntries(r.Ctx, r.w, r.From.Space, info, each)
}

// WriteEntries writes a selection of the entries that each calls put for, ascending.
func WriteEntries(ctx context.Context, w *store.Writer, space index.Space, info store.SelectionInfo, each func(put func(*store.Entry) error) error) error {
	s, err := newSelectionWriter(w, space, info)
	if err != nil {
		return err
	}
	n := 0
	err = each(func(e *store.Entry) error {
		if n++; n&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		return s.Put(e)
	})
	if err != nil {
		s.Abort()
		return err
	}
	return s.Finish()
}
