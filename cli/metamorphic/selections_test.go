package metamorphic

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// newName returns a new name for a selection or a model.
func (w *world) newName() string {
	w.names++
	return fmt.Sprint("n", w.names)
}

// chosen returns a random space, random limits for selected fragments, and the arguments for both.
func (w *world) chosen() (number int, l limits, args []string) {
	number = w.r.IntN(len(w.m.spaces))
	s := w.m.spaces[number]
	l, args = s.limits, []string{"--space", s.name(), "-q"}
	if w.r.IntN(2) == 0 {
		l.minSupport = one[uint32](w, 1, 2, 3)
		args = append(args, "--min-support", fmt.Sprint(l.minSupport))
	}
	if w.r.IntN(2) == 0 {
		l.maxOrder = one(w, 0, 1, 2, 3)
		args = append(args, "--max-order", fmt.Sprint(l.maxOrder))
	}
	if s.closable && w.r.IntN(3) == 0 {
		l.closed = !l.closed
		args = append(args, map[bool]string{true: "--closed", false: "--no-closed"}[l.closed])
	}
	return number, l, append(args, w.resources()...)
}

// selecting returns an operation that makes a selection.
func (w *world) selecting(args []string, space int, check func(map[string]entry) error) *operation {
	m, name := w.m.next(), w.newName()
	m.selections[name] = &selection{space: space, check: check}
	return &operation{args: append(args, "--name", name), then: m}
}

func (w *world) mineSupport() *operation {
	space, l, args := w.chosen()
	want := w.fragments(w.m, w.m.spaces[space].spaceKind, l)
	op := w.selecting(append([]string{"mine", storeDir, "--by", "support"}, args...), space, func(got map[string]entry) error {
		return checkCounts(want, got)
	})
	op.resumes = true
	return op
}

func (w *world) mineChi2() *operation {
	labels := w.m.labels()
	if len(labels) == 0 {
		return &operation{args: []string{"mine", storeDir, "--name", "n", "--by", "chi2", "--tau", "1", "--space", w.m.spaces[0].name(), "-q"}, codes: []int{2}}
	}
	space, l, args := w.chosen()
	args = append([]string{"mine", storeDir, "--by", "chi2"}, args...)
	if w.r.IntN(2) == 0 {
		labels = []string{one(w, labels...)}
		args = append(args, "--positive", labels[0])
	}
	if len(labels) == 1 && w.m.allHave(labels[0]) { // no other samples to test the label against
		return &operation{args: append(args, "--name", "n", "--tau", "1"), codes: []int{2}}
	}
	all := w.fragments(w.m, w.m.spaces[space].spaceKind, l)
	score := map[string]float64{}
	for key, r := range all {
		score[key] = w.m.chi2(r, labels)
	}
	scored := func(got map[string]entry) error {
		for key, e := range got {
			if !near(score[key], e.score) {
				return fmt.Errorf("%s: score %v, want %v", key, e.score, score[key])
			}
		}
		return nil
	}
	var op *operation
	if top := 1 + w.r.IntN(12); w.r.IntN(3) == 0 {
		op = w.selecting(append(args, "--top", fmt.Sprint(top)), space, func(got map[string]entry) error {
			least := math.Inf(1)
			for key := range got {
				least = min(least, score[key])
			}
			if len(got) != min(top, len(all)) {
				return fmt.Errorf("%d of the best %d of %d", len(got), top, len(all))
			}
			want := map[string]*row{}
			for key, r := range all {
				if _, ok := got[key]; ok || score[key] > least && !near(score[key], least) {
					want[key] = r
				}
			}
			if err := scored(got); err != nil {
				return err
			}
			return checkCounts(want, got)
		})
	} else {
		tau := 0.3 + 4*w.r.Float64()
		op = w.selecting(append(args, "--tau", strconv.FormatFloat(tau, 'g', -1, 64)), space, func(got map[string]entry) error {
			want := maps.Clone(all)
			maps.DeleteFunc(want, func(key string, _ *row) bool { return score[key] < tau })
			if err := scored(got); err != nil {
				return err
			}
			return checkCounts(want, got)
		})
	}
	op.resumes = true
	return op
}

// mineRelevance selects by a model. Only the command verify checks which fragments are selected.
func (w *world) mineRelevance() *operation {
	for _, name := range slices.Sorted(maps.Keys(w.m.trained)) {
		number := slices.IndexFunc(w.m.spaces, func(s space) bool { return s.name() == w.m.trained[name].space })
		if number < 0 {
			continue
		}
		args := []string{"mine", storeDir, "--by", "relevance", "--model", name, "--space", w.m.spaces[number].name(), "--positive", w.m.trained[name].positive, "-q"}
		args = append(args, one(w, []string{"--threshold-ratio", "20"}, []string{"--sigma", "0.05"}, []string{"--norm-share", "0.6"})...)
		op := w.selecting(append(args, w.resources()...), number, func(map[string]entry) error { return nil })
		op.resumes = true
		op.codes = []int{2} // exit code of a model whose weights are all 0
		return op
	}
	return nil
}

// train makes a model.
func (w *world) train() *operation {
	name := w.newName()
	args := []string{"train", storeDir, "--name", name, "-q"}
	if w.r.IntN(4) > 0 {
		args = append(args, "--workers", "1")
	}
	labels := w.m.labels()
	if len(labels) < 2 {
		return &operation{args: append(args, "--learner", "svm"), codes: []int{2}}
	}
	positive := one(w, labels...)
	m := w.m.next()
	args = append(args, "--positive", positive)
	space := one(w, w.m.spaces...)
	if w.r.IntN(3) > 0 {
		m.trained[name] = &trained{space: space.name(), positive: positive}
		args = append(args, "--kernel", space.arg, "--learner", one(w, "svm", "voted-perceptron"))
	} else {
		m.trained[name] = &trained{}
		args = append(args, "--space", space.name(), "--learner", one(w, "averaged-perceptron", "l2-logistic", "l1-svm"))
	}
	return &operation{args: args, then: m}
}

// anySelection returns the name of a random selection, or "" if there is no selection.
func (w *world) anySelection() string {
	if len(w.m.selections) == 0 {
		return ""
	}
	return one(w, slices.Sorted(maps.Keys(w.m.selections))...)
}

// selectFrom makes a selection from another selection.
func (w *world) selectFrom() *operation {
	from := w.anySelection()
	if from == "" {
		return nil
	}
	old, n := w.m.selections[from], 1+w.r.IntN(3)
	where, keep := fmt.Sprint("order <= ", n), func(e entry) bool { return e.order <= n }
	if w.r.IntN(2) == 0 {
		where, keep = fmt.Sprint("support > ", n), func(e entry) bool { return e.stats[0] > float64(n) }
	}
	args := []string{"select", storeDir, "--from", from, "--where", where, "-q"}
	return w.selecting(args, old.space, func(got map[string]entry) error {
		want := maps.Clone(old.entries)
		maps.DeleteFunc(want, func(_ string, e entry) bool { return !keep(e) })
		if !maps.EqualFunc(got, want, entry.equal) {
			return fmt.Errorf("%v, want %v", got, want)
		}
		return nil
	})
}

// selectStored makes a selection of the stored fragments of a space.
func (w *world) selectStored() *operation {
	number, n := w.r.IntN(len(w.m.spaces)), 1+w.r.IntN(3)
	s := w.m.spaces[number]
	want := w.fragments(w.m, s.spaceKind, s.limits)
	where, keep := fmt.Sprint("order <= ", n), func(r *row) bool { return r.order <= n }
	if w.r.IntN(2) == 0 {
		where, keep = fmt.Sprint("occurrences > ", n), func(r *row) bool { return int(r.occurrences()) > n }
	}
	maps.DeleteFunc(want, func(_ string, r *row) bool { return !keep(r) })
	return w.selecting([]string{"select", storeDir, "--space", s.name(), "--where", where, "-q"}, number, func(got map[string]entry) error {
		return checkCounts(want, got)
	})
}

// exportImport exports a selection to a file and imports it again. Then it has the present counts.
func (w *world) exportImport() *operation {
	from := w.anySelection()
	if from == "" {
		return nil
	}
	old := w.m.selections[from]
	op := w.selecting([]string{"import", storeDir, "-", "-q"}, old.space, func(got map[string]entry) error {
		return w.checkImported(old, got)
	})
	op.stdin = w.must("export", storeDir, from, "-", "-q")
	return op
}

func (w *world) checkImported(old *selection, got map[string]entry) error {
	all := w.fragments(w.m, w.m.spaces[old.space].spaceKind, limits{})
	if len(got) != len(old.entries) {
		return fmt.Errorf("%d fragments, and %d were exported", len(got), len(old.entries))
	}
	for key, e := range got {
		was, ok := old.entries[key]
		was.stats = slices.Clone(was.stats)
		was.stats[0], was.stats[1] = 0, 0
		if r := all[key]; r != nil {
			was.stats[0], was.stats[1] = float64(len(r.samples)), float64(r.occurrences())
		}
		if !ok || !e.equal(was) {
			return fmt.Errorf("%s: %+v, want %+v", key, e, was)
		}
	}
	return nil
}

// importList makes a selection of some fragments that occur, stored or not.
func (w *world) importList() *operation {
	number := w.r.IntN(len(w.m.spaces))
	kind := w.m.spaces[number].spaceKind
	if kind.key != nil {
		return nil // brute force has other names for fragments than the program
	}
	all := w.fragments(w.m, kind, limits{})
	keys := slices.Sorted(maps.Keys(all))
	if len(keys) == 0 {
		return nil
	}
	want := map[string]*row{}
	for range 1 + w.r.IntN(6) {
		key := one(w, keys...)
		want[key] = all[key]
	}
	op := w.selecting([]string{"import", storeDir, "-", "--space", kind.name(), "-q"}, number, func(got map[string]entry) error {
		return checkCounts(want, got)
	})
	op.stdin = strings.Join(slices.Sorted(maps.Keys(want)), "\n") + "\n"
	return op
}
