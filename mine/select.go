package mine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/mine/gradient"
	"fstore/mine/query"
	"fstore/store"
)

// SelectOptions are what Select does. The zero value of a field is its default.
type SelectOptions struct {
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
	// Scratch is a directory that does not exist, which SelectNothing makes and removes for
	// what gradient finds beyond Memory; "" is in memory all the same.
	Scratch string

	Progress index.Progress // nil: none

	settings    map[string]string // recorded beside the others
	forceGrowth bool              // in tests: grow what could be scanned
}

// chi2Only says whether an option is given that chi2 alone has.
func (o *SelectOptions) chi2Only() bool {
	return o.Tau != nil || o.Alpha != nil || o.Correct != NoCorrection || o.Permutations != 0 || o.Permute != ""
}

func (o *SelectOptions) setDefaults() {
	if o.Correct == "" {
		o.Correct = NoCorrection
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	if o.Progress == nil {
		o.Progress = index.NoProgress{}
	}
}

// Selected is what Select decided.
type Selected struct {
	Fragments uint64      // selected
	Explained Explanation // with Top, nil without Explain
	// Iterations are what a selection by gradient did, in place of Explained.
	Iterations []gradient.Iteration
	Grown      bool   // from the stored trees; else the stored fragments were scanned
	Decided    string // one line
}

// withoutSetting names SelectOptions.Without.
const withoutSetting = "without"

// Select selects fragments of a space by an objective, and puts the selection into the
// pending meta of a writer. The same options give the same selection, whatever the
// workers, the memory and the route.
func Select(ctx context.Context, w *store.Writer, o SelectOptions) (*Selected, error) {
	o.setDefaults()
	if err := checkName(w.Meta(), o.Name, o.Overwrite); err != nil {
		return nil, err
	}
	r := &selection{ctx: ctx, o: &o, st: w.Store(), w: w}
	return r.run()
}

// SelectNothing is Select that only counts: it says what would be selected.
func SelectNothing(ctx context.Context, s *store.Store, o SelectOptions) (*Selected, error) {
	o.setDefaults()
	r := &selection{ctx: ctx, o: &o, st: s}
	return r.run()
}

// ErrNameTaken says that a selection or a model has the name already.
var ErrNameTaken = errors.New("the name is taken")

// checkName says whether a selection may have this name.
func checkName(m *store.Meta, name string, overwrite bool) error {
	switch {
	case name == "":
		return choiceErrorf("a selection needs a name")
	case m.Model(name) != nil:
		return fmt.Errorf("%w: the store has a model %q", ErrNameTaken, name)
	case m.Selection(name) != nil && !overwrite:
		return fmt.Errorf("%w: the store has a selection %q, which --overwrite replaces", ErrNameTaken, name)
	}
	return nil
}

// selection is one run of Select.
type selection struct {
	ctx      context.Context
	o        *SelectOptions
	st       *store.Store
	w        *store.Writer // nil in a dry run
	from     *source
	settings map[string]string
	reason   string        // what the threshold is
	kept     string        // what else is to be said of what is selected
	found    []store.Entry // of a greedy search, in code order
	saw      Explanation   // of that search
	labels   []string      // that gradient tells apart, in byte order; none: candidates of lists
	smallest *smallest     // what the threshold of a norm share leaves of the fragments that reach it
}

func (r *selection) run() (*Selected, error) {
	if err := r.choose(); err != nil {
		return nil, err
	}
	if r.o.By == byGradient {
		return r.runGradient()
	}
	by, least, err := r.objective()
	if err != nil {
		return nil, err
	}
	at := &threshold{least: least, most: r.o.Top}
	p := newPass(by, r.from.limits, at, newBudget(r.o.MaxFragments))
	info := store.SelectionInfo{
		Name: r.o.Name, Space: r.from.info.Number, By: by.Name(),
		Columns: append([]string{query.SupportColumn, query.OccurrencesColumn}, by.Columns()...), Settings: r.settings,
	}
	if err := r.collect(p, info); err != nil {
		return nil, err
	}
	n := p.saw.kept()
	if r.o.Top > 0 {
		n = uint64(len(at.best))
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
	decided := fmt.Sprintf("by %s: %s; %s: %s", by.Name(), r.reason, describeLimits(r.from.info.ID, r.from.limits), index.Plural(n, "fragment")) + r.kept
	if r.w != nil {
		decided = fmt.Sprintf("selection %s %s", r.o.Name, decided)
	}
	return &Selected{Fragments: n, Explained: p.saw, Grown: r.from.grow, Decided: decided}, nil
}

// explainTop sets what p saw to what it sees with the threshold of its end.
func (r *selection) explainTop(p *pass) error {
	p.saw = nil
	if !r.o.Explain {
		return nil
	}
	again := newPass(p.by, p.limits, &threshold{least: p.at.now()}, newBudget(0))
	err := r.from.run(again, countOnly)
	p.saw = again.saw
	return err
}

// choose finds the space, which may be the model's, the limits and the route.
func (r *selection) choose() error {
	if o := r.o; o.By != (*Relevance)(nil).Name() && (o.Model != "" || o.ThresholdRatio != nil || o.Sigma != nil || o.NormShare != nil || o.Greedy) {
		return choiceErrorf("model, threshold-ratio, sigma, norm-share and greedy are of relevance")
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
	l := limitsOf(info)
	set(&l.MinSupport, r.o.MinSupport)
	set(&l.MaxOrder, r.o.MaxOrder)
	set(&l.Closed, r.o.Closed)
	if l.MaxOrder < 0 || l.MaxOrder > maxMaxOrder || l.MinSupport == 0 {
		return choiceErrorf("a support of at least 1, and an order of at most %d; 0 is any", maxMaxOrder)
	}
	if _, ok := space.(index.Covering); l.Closed && !ok {
		return choiceErrorf("space %s has no closed fragments: leave --closed out", info.ID)
	}
	r.from = &source{
		ctx: r.ctx, st: r.st, syms: syms, info: info, space: space, limits: l,
		grow: r.o.forceGrowth || r.o.Without != nil || !covers(info, l), without: r.o.Without, workers: r.o.Workers, memory: r.o.Memory, progress: r.o.Progress,
	}
	r.settings = map[string]string{
		query.SamplesSetting: strconv.FormatUint(uint64(r.st.Meta().Samples), 10),
		"min-support":        strconv.FormatUint(uint64(l.MinSupport), 10),
		"max-order":          strconv.Itoa(l.MaxOrder),
		"closed":             strconv.FormatBool(l.Closed),
	}
	maps.Copy(r.settings, r.o.settings)
	if r.o.Without != nil {
		delete(r.settings, query.SamplesSetting) // its statistics are of some samples
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

// objectives make the objective that By names, and say from which |score| on fragments
// are selected: a line each.
var objectives = []struct {
	name   string
	choose func(*selection) (by Objective, least float64, err error)
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
	return append(names, byGradient)
}

func (r *selection) objective() (Objective, float64, error) {
	if r.o.Gradient.given() {
		return nil, 0, choiceErrorf("min-count, iterations, step, update, base, pretrain, keep, route, bloom-counters, bloom-bits and log are of gradient")
	}
	for _, o := range objectives {
		if o.name == r.o.By {
			return o.choose(r)
		}
	}
	return nil, 0, choiceErrorf("no objective %q: there are %s", r.o.By, strings.Join(Objectives(), ", "))
}

// described adds Top to what the threshold is.
func (r *selection) described(threshold string) string {
	if r.o.Top == 0 {
		return threshold
	}
	return fmt.Sprintf("%s, the top %s", threshold, index.Thousands(r.o.Top))
}

// collect makes the pass, and writes what it keeps.
func (r *selection) collect(p *pass, info store.SelectionInfo) error {
	if r.o.Greedy {
		p.saw.add(r.saw)
		r.measure(p)
		if r.w == nil {
			return nil
		}
		return r.writeAll(info, r.found)
	}
	if r.w == nil || r.o.Top > 0 {
		if err := r.from.run(p, countOnly); err != nil {
			return err
		}
		r.measure(p)
		if r.w == nil {
			return nil
		}
		best := p.at.best
		slices.SortFunc(best, func(a, b store.Entry) int { return slices.Compare(a.Code, b.Code) })
		return r.writeAll(info, best)
	}
	parts, err := newParts(r.w, p, info)
	if err != nil {
		return err
	}
	if err := parts.run(r.ctx, r.from); err != nil {
		return err
	}
	r.measure(p)
	return r.write(info, func(put func(*store.Entry) error) error {
		if r.smallest != nil {
			put = r.smallest.only(put)
		}
		for _, f := range parts.files {
			if err := f.each(put); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeAll writes entries, which ascend.
func (r *selection) writeAll(info store.SelectionInfo, all []store.Entry) error {
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
func (r *selection) write(info store.SelectionInfo, each func(put func(*store.Entry) error) error) error {
	return writeEntries(r.ctx, r.w, r.from.space, info, each)
}

// writeEntries writes a selection of the entries that each calls put for, ascending.
func writeEntries(ctx context.Context, w *store.Writer, space index.Space, info store.SelectionInfo, each func(put func(*store.Entry) error) error) error {
	s, err := newSelectionWriter(w, space, info)
	if err != nil {
		return err
	}
	n := 0
	err = each(func(e *store.Entry) error {
		if n++; n&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		return s.put(e)
	})
	if err != nil {
		s.abort()
		return err
	}
	return s.finish()
}
