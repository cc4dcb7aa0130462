package selection_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/gradient"
	"fstore/mine/internal/minetest"
	"fstore/mine/judge"
	"fstore/mine/learn/crossval"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// sortedEntries returns the entries of a selection as sorted text, because codes depend on which samples were
// read first.
func sortedEntries(t *testing.T, s *store.Store, name string) []string {
	t.Helper()
	sel, err := query.OpenSelection(s, name)
	if err != nil {
		t.Fatal(err)
	}
	var all []store.Entry
	err = sel.Each(context.Background(), func(e *query.Entry) error {
		all = append(all, judge.CloneEntry(&store.Entry{Code: e.Code, Score: e.Score, Stats: e.Stats}))
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

// A selection that is mined outside of a fold equals the one mined in a store that never had the fold.
func TestSelectPerFold(t *testing.T) {
	for _, kind := range []index.Kind{index.Constituency, index.Dependency} {
		found := 0
		for seed := range uint64(3) {
			fs, s := storeWithout(t, kind, seed, nil, false)
			l, err := crossval.ReadLabelled(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			folds, err := crossval.Random(len(l.ID), 3, seed)
			if err != nil {
				t.Fatal(err)
			}
			o := selection.Options{Name: "sel", By: "chi2", Tau: minetest.At(1.5), MinSupport: minetest.At(uint32(1 + seed%2)), Workers: 1 + int(seed%3)}
			if seed%3 == 0 {
				o.Tau, o.Alpha, o.Correct = nil, minetest.At(0.5), selection.FDRCorrection
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
				minetest.Change(t, fs, func(w *store.Writer) error {
					_, each, err := selection.RunPerFold(context.Background(), w, o, crossval.Options{Folds: folds, Samples: l.Samples(), By: "hand"})
					if err == nil && len(each) != 3 {
						t.Errorf("%d folds", len(each))
					}
					return err
				})
				whole := minetest.OpenStore(t, fs)
				if mined, err := selection.MinedPerFold(whole.Meta(), whole.Meta().Selection("sel"), folds); !mined || err != nil {
					t.Fatal(mined, err)
				}
				if _, err := selection.MinedPerFold(whole.Meta(), whole.Meta().Selection("sel"), folds[1:]); err == nil {
					t.Fatal("other folds are the same")
				}
				for fold, otherFS := range alone {
					if otherFS == nil {
						continue
					}
					if _, err := minetest.SelectIn(t, otherFS, o); err != nil {
						t.Fatal(err)
					}
					want, got := sortedEntries(t, minetest.OpenStore(t, otherFS), "sel"), sortedEntries(t, whole, crossval.FoldName("sel", fold))
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

// The selection by gradient of a fold is the same as that from a store without the lists of the fold.
func TestListsPerFold(t *testing.T) {
	ctx := context.Background()
	const lists, of, folds = 24, 3, 3 // trees of a list
	storeOf := func(seed uint64, without map[int]bool) vfs.FS {
		o := minetest.Options(t, vfs.NewMem(), 0, 0, "stk")
		o.Source = func(s *index.Symbols) (index.Source, error) {
			return &some{Source: &listed{Source: minetest.NewSource(s, seed, 0, of*lists)}, without: without}, nil
		}
		if err := minetest.Build(t, o.FS, o).Close(); err != nil {
			t.Fatal(err)
		}
		return o.FS
	}
	found := 0
	for seed := range uint64(3) {
		fs := storeOf(seed, nil)
		l, err := crossval.ReadGoldLists(ctx, minetest.OpenStore(t, fs))
		if err != nil || len(l.Samples) != lists || l.Samples[2] != (crossval.SampleRange{From: 2 * of, To: 3 * of}) || l.Names[2] != "3" {
			t.Fatalf("%+v %v", l, err)
		}
		dealt, err := crossval.Random(lists, folds, seed)
		if err != nil {
			t.Fatal(err)
		}
		o := selection.Options{Name: "sel", By: "gradient", MaxOrder: minetest.At(3)}
		o.Gradient.MinCount, o.Gradient.Keep, o.Gradient.Iterations = minetest.At(uint32(1)), gradient.KeepFeatures, 2
		minetest.Change(t, fs, func(w *store.Writer) error {
			_, _, err := selection.RunPerFold(ctx, w, o, crossval.Options{Folds: dealt, Samples: l.Samples, By: "hand"})
			return err
		})
		whole := minetest.OpenStore(t, fs)
		for fold := range folds {
			without := map[int]bool{}
			for sample := range of * lists {
				without[sample] = dealt[sample/of] == fold
			}
			alone := storeOf(seed, without)
			if _, err := minetest.SelectIn(t, alone, o); err != nil {
				t.Fatal(err)
			}
			want, got := sortedEntries(t, minetest.OpenStore(t, alone), "sel"), sortedEntries(t, whole, crossval.FoldName("sel", fold))
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

// A run with fewer folds removes the selections of all folds of an earlier run. Options that make no sense
// are refused.
func TestSelectPerFoldAgain(t *testing.T) {
	fs, s := storeWithout(t, index.Constituency, 1, nil, false)
	l, err := crossval.ReadLabelled(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	o := selection.Options{Name: "sel", Space: s.Meta().Spaces[0].ID, By: "support", Overwrite: true}
	for _, k := range []int{4, 2} {
		folds, err := crossval.Random(len(l.ID), k, 1)
		if err != nil {
			t.Fatal(err)
		}
		minetest.Change(t, fs, func(w *store.Writer) error {
			_, _, err := selection.RunPerFold(context.Background(), w, o, crossval.Options{Folds: folds, Samples: l.Samples(), By: ""})
			return err
		})
		if n := len(minetest.OpenStore(t, fs).Meta().Selections); n != k+1 {
			t.Errorf("%d selections of %d folds", n, k)
		}
		if problems := minetest.Verify(t, minetest.OpenStore(t, fs), 0); len(problems) > 0 {
			t.Error(problems)
		}
		for _, bad := range []func(*selection.Options, *crossval.Options){
			func(o *selection.Options, _ *crossval.Options) { o.Overwrite = false },
			func(_ *selection.Options, f *crossval.Options) { f.Folds = f.Folds[1:] },
		} {
			o, f := o, crossval.Options{Folds: folds, Samples: l.Samples(), By: ""}
			bad(&o, &f)
			err := minetest.ChangeStore(t, fs, func(w *store.Writer) error {
				_, _, err := selection.RunPerFold(context.Background(), w, o, f)
				return err
			})
			if err == nil {
				t.Errorf("no error of %+v", o)
			}
		}
	}
}

// In classification by gradient, the selection of a fold is the same as that from a store without the samples
// of the fold.
func TestGradientPerFold(t *testing.T) {
	found := 0
	for seed := range uint64(3) {
		fs, s := storeWithout(t, index.Constituency, seed, nil, true)
		l, err := crossval.ReadLabelled(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		folds, err := crossval.Random(len(l.ID), 2, seed)
		if err != nil {
			t.Fatal(err)
		}
		o := selection.Options{Name: "sel", By: "gradient", Space: "stk", Gradient: selection.GradientOptions{MinCount: minetest.At(uint32(0)), Iterations: 2}}
		minetest.Change(t, fs, func(w *store.Writer) error {
			_, _, err := selection.RunPerFold(context.Background(), w, o, crossval.Options{Folds: folds, Samples: l.Samples(), By: "hand"})
			return err
		})
		whole := minetest.OpenStore(t, fs)
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
			if _, err := minetest.SelectIn(t, otherFS, o); err != nil {
				t.Fatal(err)
			}
			want, got := sortedEntries(t, minetest.OpenStore(t, otherFS), "sel"), sortedEntries(t, whole, crossval.FoldName("sel", fold))
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
