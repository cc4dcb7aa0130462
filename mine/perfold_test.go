package mine

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/crossval"
	"fstore/mine/gradient"
	"fstore/mine/query"
	"fstore/store"
)

// some passes over samples, by number.
type some struct {
	index.Source
	without map[int]bool
	single  bool // the first label of each
	n       int
}

func (s *some) Next(t *index.Tree) error {
	for {
		err := s.Source.Next(t)
		s.n++
		if err != nil || !s.without[s.n-1] {
			if s.single {
				t.Label, _, _ = strings.Cut(t.Label, ",")
			}
			return err
		}
	}
}

// storeWithout is the store of random labelled trees, but for some of them.
func storeWithout(t *testing.T, kind index.Kind, seed uint64, without map[int]bool, single bool) (vfs.FS, *store.Store) {
	o := options(t, vfs.NewMem(), 0, 0, spacesOf(t, kind, "min-support=1,max-order=2")...)
	o.Source = func(s *index.Symbols) (index.Source, error) {
		var trees index.Source = newSource(s, seed, 0, 12)
		if kind == index.Dependency {
			from := int(seed) * 12
			trees = &dependencySource{s: s, next: from, end: from + 12}
		}
		return &some{&labelled{trees, rand.New(rand.NewPCG(seed, 3))}, without, single, 0}, nil
	}
	return o.FS, build(t, o.FS, o)
}

// sortedEntries is the entries of a selection as text, in order of that: codes depend on
// which samples were read first.
func sortedEntries(t *testing.T, s *store.Store, name string) []string {
	t.Helper()
	sel, err := query.OpenSelection(s, name)
	if err != nil {
		t.Fatal(err)
	}
	var all []store.Entry
	err = sel.Each(context.Background(), func(e *query.Entry) error {
		all = append(all, cloneEntry(&store.Entry{Code: e.Code, Score: e.Score, Stats: e.Stats}))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(printEntries(s, &s.Meta().Spaces[sel.Info.Space], all), "\n")
	for i, line := range lines {
		if set, rest, ok := strings.Cut(line, "} "); ok { // of poly: in the order of the store
			members := strings.Split(strings.TrimPrefix(set, "{"), " & ")
			slices.Sort(members)
			lines[i] = strings.Join(members, " & ") + " " + rest
		}
	}
	slices.Sort(lines)
	return lines
}

// What is mined outside of a fold is what is mined in a store that has never seen it.
func TestSelectPerFold(t *testing.T) {
	for _, kind := range []index.Kind{index.Constituency, index.Dependency} {
		found := 0
		for seed := range uint64(3) {
			fs, s := storeWithout(t, kind, seed, nil, false)
			l, err := ReadLabelled(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			folds, err := crossval.Random(len(l.ID), 3, seed)
			if err != nil {
				t.Fatal(err)
			}
			o := SelectOptions{Name: "sel", By: "chi2", Tau: at(1.5), MinSupport: at(uint32(1 + seed%2)), Workers: 1 + int(seed%3)}
			if seed%3 == 0 {
				o.Tau, o.Alpha, o.Correct = nil, at(0.5), FDRCorrection
			}
			var alone [3]vfs.FS // the stores without a fold
			for fold := range alone {
				without := map[int]bool{}
				for n, k := range folds {
					if k == fold {
						without[int(l.ID[n])] = true
					}
				}
				otherFS, other := storeWithout(t, kind, seed, without, false)
				if labels, err := other.Labels(); err == nil && len(labels) == 3 {
					alone[fold] = otherFS
				}
			}
			for i := range s.Meta().Spaces {
				o.Space = s.Meta().Spaces[i].ID
				o.Overwrite = i > 0
				change(t, fs, func(w *store.Writer) error {
					_, each, err := SelectPerFold(context.Background(), w, o, FoldOptions{folds, l.Samples(), "hand"})
					if err == nil && len(each) != 3 {
						t.Errorf("%d folds", len(each))
					}
					return err
				})
				whole := openStore(t, fs)
				if mined, err := MinedPerFold(whole.Meta(), whole.Meta().Selection("sel"), folds); !mined || err != nil {
					t.Fatal(mined, err)
				}
				if _, err := MinedPerFold(whole.Meta(), whole.Meta().Selection("sel"), folds[1:]); err == nil {
					t.Fatal("other folds are the same")
				}
				for fold, otherFS := range alone {
					if otherFS == nil {
						continue
					}
					if _, err := selectIn(t, otherFS, o); err != nil {
						t.Fatal(err)
					}
					want, got := sortedEntries(t, openStore(t, otherFS), "sel"), sortedEntries(t, whole, FoldName("sel", fold))
					if d := gocmp.Diff(want, got); d != "" {
						t.Fatalf("%s, seed %d, space %s, fold %d: (-alone +fold)\n%s", kind, seed, o.Space, fold, d)
					}
					found += len(got) - 1
				}
			}
		}
		if found < 100 {
			t.Errorf("%s: %d fragments in all", kind, found)
		}
	}
}

// What is mined from lists outside of a fold is what is mined in a store that has never seen the
// lists of the fold.
func TestListsPerFold(t *testing.T) {
	ctx := context.Background()
	const lists, of, folds = 24, 3, 3 // trees of a list
	storeOf := func(seed uint64, without map[int]bool) vfs.FS {
		o := options(t, vfs.NewMem(), 0, 0, "stk")
		o.Source = func(s *index.Symbols) (index.Source, error) {
			return &some{&listed{Source: newSource(s, seed, 0, of*lists)}, without, false, 0}, nil
		}
		if err := build(t, o.FS, o).Close(); err != nil {
			t.Fatal(err)
		}
		return o.FS
	}
	found := 0
	for seed := range uint64(3) {
		fs := storeOf(seed, nil)
		l, err := ReadGoldLists(ctx, openStore(t, fs))
		if err != nil || len(l.Samples) != lists || l.Samples[2] != (SampleRange{2 * of, 3 * of}) || l.Names[2] != "3" {
			t.Fatalf("%+v %v", l, err)
		}
		dealt, err := crossval.Random(lists, folds, seed)
		if err != nil {
			t.Fatal(err)
		}
		o := SelectOptions{Name: "sel", By: byGradient, MaxOrder: at(3)}
		o.Gradient.MinCount, o.Gradient.Keep, o.Gradient.Iterations = at(uint32(1)), gradient.KeepFeatures, 2
		change(t, fs, func(w *store.Writer) error {
			_, _, err := SelectPerFold(ctx, w, o, FoldOptions{dealt, l.Samples, "hand"})
			return err
		})
		whole := openStore(t, fs)
		for fold := range folds {
			without := map[int]bool{}
			for sample := range of * lists {
				without[sample] = dealt[sample/of] == fold
			}
			alone := storeOf(seed, without)
			if _, err := selectIn(t, alone, o); err != nil {
				t.Fatal(err)
			}
			want, got := sortedEntries(t, openStore(t, alone), "sel"), sortedEntries(t, whole, FoldName("sel", fold))
			if d := gocmp.Diff(want, got); d != "" {
				t.Fatalf("seed %d, fold %d: (-alone +fold)\n%s", seed, fold, d)
			}
			found += len(got) - 1
		}
	}
	if found < 100 {
		t.Errorf("%d fragments in all", found)
	}
}

// Fewer folds leave none of an earlier run behind; what cannot be meant is refused.
func TestSelectPerFoldAgain(t *testing.T) {
	fs, s := storeWithout(t, index.Constituency, 1, nil, false)
	l, err := ReadLabelled(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	o := SelectOptions{Name: "sel", Space: s.Meta().Spaces[0].ID, By: "support", Overwrite: true}
	for _, k := range []int{4, 2} {
		folds, err := crossval.Random(len(l.ID), k, 1)
		if err != nil {
			t.Fatal(err)
		}
		change(t, fs, func(w *store.Writer) error {
			_, _, err := SelectPerFold(context.Background(), w, o, FoldOptions{folds, l.Samples(), ""})
			return err
		})
		if n := len(openStore(t, fs).Meta().Selections); n != k+1 {
			t.Errorf("%d selections of %d folds", n, k)
		}
		if problems := verify(t, openStore(t, fs), 0); len(problems) > 0 {
			t.Error(problems)
		}
		for _, bad := range []func(*SelectOptions, *FoldOptions){
			func(o *SelectOptions, _ *FoldOptions) { o.Overwrite = false },
			func(_ *SelectOptions, f *FoldOptions) { f.Folds = f.Folds[1:] },
		} {
			o, f := o, FoldOptions{folds, l.Samples(), ""}
			bad(&o, &f)
			err := changeStore(t, fs, func(w *store.Writer) error {
				_, _, err := SelectPerFold(context.Background(), w, o, f)
				return err
			})
			if err == nil {
				t.Errorf("no error of %+v", o)
			}
		}
	}
}

// In classification, what gradient mines outside of a fold is what it mines in a store that
// has never seen it.
func TestGradientPerFold(t *testing.T) {
	found := 0
	for seed := range uint64(3) {
		fs, s := storeWithout(t, index.Constituency, seed, nil, true)
		l, err := ReadLabelled(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		folds, err := crossval.Random(len(l.ID), 2, seed)
		if err != nil {
			t.Fatal(err)
		}
		o := SelectOptions{Name: "sel", By: "gradient", Space: "stk", Gradient: GradientOptions{MinCount: at(uint32(0)), Iterations: 2}}
		change(t, fs, func(w *store.Writer) error {
			_, _, err := SelectPerFold(context.Background(), w, o, FoldOptions{folds, l.Samples(), "hand"})
			return err
		})
		whole := openStore(t, fs)
		for fold := range folds.Count() {
			without := map[int]bool{}
			for n, k := range folds {
				if k == fold {
					without[int(l.ID[n])] = true
				}
			}
			otherFS, other := storeWithout(t, index.Constituency, seed, without, true)
			if labels, err := other.Labels(); err != nil || len(labels) != 3 {
				continue
			}
			if _, err := selectIn(t, otherFS, o); err != nil {
				t.Fatal(err)
			}
			want, got := sortedEntries(t, openStore(t, otherFS), "sel"), sortedEntries(t, whole, FoldName("sel", fold))
			if d := gocmp.Diff(want, got); d != "" {
				t.Fatalf("seed %d, fold %d: (-alone +fold)\n%s", seed, fold, d)
			}
			found += len(got) - 1
		}
	}
	if found < 20 {
		t.Errorf("%d fragments in all", found)
	}
}
