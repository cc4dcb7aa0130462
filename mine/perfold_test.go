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
	"fstore/mine/query"
	"fstore/store"
)

// some passes over samples, by number.
type some struct {
	index.Source
	without map[int]bool
	n       int
}

func (s *some) Next(t *index.Tree) error {
	for {
		err := s.Source.Next(t)
		s.n++
		if err != nil || !s.without[s.n-1] {
			return err
		}
	}
}

// storeWithout is the store of random labelled trees, but for some of them.
func storeWithout(t *testing.T, kind index.Kind, seed uint64, without map[int]bool) (vfs.FS, *store.Store) {
	o := options(t, vfs.NewMem(), 0, 0, spacesOf(t, kind, "min-support=1,max-order=2")...)
	o.Source = func(s *index.Symbols) (index.Source, error) {
		var trees index.Source = newSource(s, seed, 0, 12)
		if kind == index.Dependency {
			from := int(seed) * 12
			trees = &dependencySource{s: s, next: from, end: from + 12}
		}
		return &some{&labelled{trees, rand.New(rand.NewPCG(seed, 3))}, without, 0}, nil
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
			fs, s := storeWithout(t, kind, seed, nil)
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
				otherFS, other := storeWithout(t, kind, seed, without)
				if labels, err := other.Labels(); err == nil && len(labels) == 3 {
					alone[fold] = otherFS
				}
			}
			for i := range s.Meta().Spaces {
				o.Space = s.Meta().Spaces[i].ID
				o.Overwrite = i > 0
				change(t, fs, func(w *store.Writer) error {
					_, each, err := SelectPerFold(context.Background(), w, o, FoldOptions{folds, l, "hand"})
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
					want, got := sortedEntries(t, openStore(t, otherFS), "sel"), sortedEntries(t, whole, FoldSelection("sel", fold))
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

// Fewer folds leave none of an earlier run behind; what cannot be meant is refused.
func TestSelectPerFoldAgain(t *testing.T) {
	fs, s := storeWithout(t, index.Constituency, 1, nil)
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
			_, _, err := SelectPerFold(context.Background(), w, o, FoldOptions{folds, l, ""})
			return err
		})
		if n := len(openStore(t, fs).Meta().Selections); n != k+1 {
			t.Errorf("%d selections of %d folds", n, k)
		}
		if problems := verify(t, openStore(t, fs), 0); len(problems) > 0 {
			t.Error(problems)
		}
		for _, bad := range []func(*SelectOptions, *FoldOptions){
			func(o *SelectOptions, _ *FoldOptions) { o.By = "relevance" },
			func(o *SelectOptions, _ *FoldOptions) { o.Overwrite = false },
			func(_ *SelectOptions, f *FoldOptions) { f.Folds = f.Folds[1:] },
		} {
			o, f := o, FoldOptions{folds, l, ""}
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
