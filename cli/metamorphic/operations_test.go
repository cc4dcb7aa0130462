package metamorphic

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fstore/index"
)

// random chooses the next operation. `op` is nil if it is already done.
func (w *world) random() (name string, op *operation) {
	if w.m == nil {
		if w.r.IntN(8) == 0 {
			return "beside", w.buildBeside()
		}
		return "build", w.build(false)
	}
	type choice struct {
		weight int
		name   string
		make   func() *operation
	}
	choices := []choice{
		{2, "overwrite", func() *operation { return w.build(true) }},
		{12, "append", w.append},
		{6, "remove", w.remove},
		{8, "mine support", w.mineSupport},
		{8, "mine chi2", w.mineChi2},
		{4, "mine relevance", w.mineRelevance},
		{4, "select", w.selectFrom},
		{4, "select stored", w.selectStored},
		{6, "train", w.train},
		{4, "import", w.importList},
		{4, "export and import", w.exportImport},
		{5, "reindex", w.reindex},
		{5, "verify", w.verify},
		{6, "damage", w.damage},
		{3, "at once", w.atOnce},
		{3, "refused", w.refused},
		{3, "beside", w.buildBeside},
	}
	all := 0
	for _, c := range choices {
		all += c.weight
	}
	for n := w.r.IntN(all); ; {
		for _, c := range choices {
			if n -= c.weight; n < 0 {
				return c.name, c.make()
			}
		}
	}
}

// one returns a random value of its arguments.
func one[T any](w *world, of ...T) T { return of[w.r.IntN(len(of))] }

// resources returns random options that do not change the result.
func (w *world) resources() []string {
	return one(w, nil, nil, []string{"--workers", "1"}, []string{"--workers", "3", "--memory", "1KiB"}, []string{"--memory", "1KiB"})
}

// input writes an input of n random samples.
func (w *world) input(kind index.Kind, n int) []sample {
	label := one(w, "x", "y", "z", "")
	w.written++
	name := fmt.Sprintf("%s-%d.%s", cmp.Or(label, "none"), w.written, map[index.Kind]string{index.Constituency: "mrg", index.Dependency: "conllu"}[kind])
	path := filepath.Join(w.inputs, name)
	var text strings.Builder
	var all []sample
	for i := range n {
		t := randomTree(w.r, kind, w.syms)
		if i > 0 && w.r.IntN(4) == 0 {
			t = all[i-1].tree // the same tree again
		}
		text.WriteString(textOf(t, w.syms))
		all = append(all, sample{tree: t, name: fmt.Sprintf("%s#%d", name, i+1), label: label, input: path})
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		w.t.Fatal(err)
	}
	return all
}

// inputsOf returns the arguments for inputs with these samples, in order, and the options that set their
// labels.
func inputsOf(samples []sample) (args []string) {
	for _, s := range samples {
		if !slices.Contains(args, s.input) {
			args = append(args, s.input)
		}
	}
	if slices.ContainsFunc(samples, func(s sample) bool { return s.label != "" }) { // without labels this option is wrong usage
		args = append(args, "--label-from", "file", "--label-match", "^[xyz]")
	}
	return append(args, "-q")
}

// limits returns random limits for the index of a space.
func (w *world) limits(kind *spaceKind) limits {
	return limits{
		minSupport: one[uint32](w, 1, 2, 2, 2, 3), maxOrder: one(w, 0, 1, 2, 3, 3, 4),
		closed: kind.closable && w.r.IntN(3) == 0,
	}
}

// args returns the command-line options of a space.
func (s *space) args() string {
	arg := s.arg
	sep := ","
	if !strings.Contains(arg, ":") {
		sep = ":"
	}
	arg += fmt.Sprintf("%smin-support=%d,max-order=%d", sep, s.minSupport, s.maxOrder)
	if s.closed {
		arg += ",closed"
	}
	return arg
}

// build makes a store, or replaces the store if overwrite is true.
func (w *world) build(overwrite bool) *operation {
	m := &model{kind: one(w, index.Constituency, index.Constituency, index.Dependency), history: 1, selections: map[string]*selection{}, trained: map[string]*trained{}}
	kinds := spaceKinds(m.kind)
	w.r.Shuffle(len(kinds), func(i, k int) { kinds[i], kinds[k] = kinds[k], kinds[i] })
	for _, k := range kinds {
		is := func(s space) bool { return s.name() == k.name() }
		if !slices.ContainsFunc(m.spaces, is) && len(m.spaces) < 1+w.r.IntN(3) {
			m.spaces = append(m.spaces, space{k, w.limits(k)})
		}
	}
	for range 1 + w.r.IntN(3) {
		m.samples = append(m.samples, w.input(m.kind, 1+w.r.IntN(8))...)
	}
	args := slices.Concat([]string{"build", storeDir}, inputsOf(m.samples), w.spaceArgs(m), w.resources())
	if overwrite {
		args = append(args, "--overwrite")
	}
	return &operation{args: args, then: m, resumes: true}
}

func (w *world) spaceArgs(m *model) (args []string) {
	for i := range m.spaces {
		args = append(args, "--space", m.spaces[i].args())
	}
	return args
}

// append adds samples.
func (w *world) append() *operation {
	m := w.m.next()
	added := w.input(m.kind, 1+w.r.IntN(4))
	m.samples = append(m.samples, added...)
	return &operation{args: slices.Concat([]string{"build", storeDir, "--append"}, inputsOf(added), w.resources()), then: m}
}

// buildBeside makes or replaces a store beside the store. Its name begins with the store's name, because
// older programs used such names for unfinished stores.
func (w *world) buildBeside() *operation {
	name := storeDir + one(w, ".building", ".replaced", ".tmp")
	w.must(slices.Concat([]string{"build", name, "--overwrite"}, inputsOf(w.input(index.Constituency, 1+w.r.IntN(3))))...)
	syncNames(w.t, w.fs, name) // deletions become durable too
	w.beside[name] = w.bytesOf(name)
	return nil
}

// remove takes samples out.
func (w *world) remove() *operation {
	m := w.m.next()
	m.removed = true
	args := []string{"remove", storeDir, "-q"}
	which := one(w, w.m.samples...)
	var out func(s *sample) bool
	switch {
	case w.r.IntN(2) == 0:
		args = append(args, "--sample", which.name)
		out = func(s *sample) bool { return s.name == which.name }
	case w.r.IntN(2) == 0 || which.label == "":
		args = append(args, "--file", one(w, which.input, filepath.Base(which.input)))
		out = func(s *sample) bool { return s.input == which.input }
	default:
		args = append(args, "--label", which.label)
		out = func(s *sample) bool { return s.label == which.label }
	}
	m.samples = slices.DeleteFunc(m.samples, func(s sample) bool { return out(&s) })
	if len(m.samples) == 0 {
		return &operation{args: args, codes: []int{2}}
	}
	return &operation{args: append(args, w.resources()...), then: m}
}

// reindex rebuilds the expansion indexes.
func (w *world) reindex() *operation {
	return &operation{args: []string{"reindex", storeDir, "-q"}, then: w.m.next()}
}

// verify checks that the store has no damage.
func (w *world) verify() *operation {
	if out := w.must(append([]string{"verify", storeDir, "-q"}, w.resources()...)...); !strings.HasPrefix(out, "clean: ") {
		w.t.Fatal(out)
	}
	return nil
}

// atOnce builds a store of all samples at once. It must have the same contents.
func (w *world) atOnce() *operation {
	if w.m.removed {
		return nil
	}
	const other = "other"
	w.must(slices.Concat([]string{"build", other, "--overwrite"}, inputsOf(w.m.samples), w.spaceArgs(w.m), w.resources())...)
	want, err := dump(w.fs, other)
	if err != nil {
		w.t.Fatal(err)
	}
	got, err := dump(w.fs, storeDir)
	if err != nil {
		w.t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		w.t.Fatalf("built at once:\n%s\nby appending:\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
	return nil
}

// refused returns a command line that must fail.
func (w *world) refused() *operation {
	bad := filepath.Join(w.inputs, "bad.mrg")
	if err := os.WriteFile(bad, []byte("(A (B u)\n1\tx\n"), 0o666); err != nil {
		w.t.Fatal(err)
	}
	other := w.input(1-w.m.kind, 1)
	inputs := inputsOf(w.m.samples)
	choices := []*operation{
		{args: slices.Concat([]string{"build", storeDir}, inputs), codes: []int{1}},
		{args: []string{"build", storeDir, "--append", "-q", bad}, codes: []int{3}},
		{args: []string{"build", storeDir, "--append", "-q", other[0].input}, codes: []int{3}},
		{args: []string{"build", storeDir, "--overwrite", "-q", bad}, codes: []int{3}},
		{args: []string{"remove", storeDir, "--sample", "nobody", "-q"}, codes: []int{2}},
		{args: []string{"mine", storeDir, "--by", "support", "-q"}, codes: []int{2}},
		{args: []string{"select", storeDir, "--from", "nothing", "--name", "n", "--where", "order > 0", "-q"}, codes: []int{2}},
	}
	for _, name := range slices.Sorted(maps.Keys(w.m.selections)) {
		choices = append(choices, &operation{
			args: []string{"mine", storeDir, "--space", w.m.spaces[0].name(), "--by", "support", "--name", name, "-q"}, codes: []int{1},
		})
	}
	return one(w, choices...)
}
