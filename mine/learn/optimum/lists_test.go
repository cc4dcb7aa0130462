package optimum_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/gradient"
	"fstore/mine/grow"
	"fstore/mine/internal/minetest"
	"fstore/mine/learn/optimum"
	"fstore/store"
)

// listed is a source that divides the trees of another source into lists of up to four trees. Most lists have
// a gold tree.
type listed struct {
	index.Source
	rand             *rand.Rand
	list, left, gold int
}

func (l *listed) Next(t *index.Tree) error {
	err := l.Source.Next(t)
	if l.left == 0 {
		l.list++
		l.left = 1 + l.rand.IntN(4)
		l.gold = l.rand.IntN(l.left + 1)
	}
	l.left--
	t.Group, t.Candidate, t.Score = fmt.Sprint(l.list), 5-l.left, float64(l.rand.IntN(5))/4
	if l.left == l.gold {
		t.Gold = index.GoldFound
	}
	return err
}

func listStore(t *testing.T, kind index.Kind, seed uint64, arg string) *store.Store {
	o := minetest.Options(t, vfs.NewMem(), 0, 0, arg)
	o.Source = func(s *index.Symbols) (index.Source, error) {
		const n = 24
		from := int(seed) * n
		var trees index.Source = &minetest.DependencySource{S: s, At: from, End: from + n}
		if kind == index.Constituency {
			trees = minetest.NewSource(s, seed, 0, n)
		}
		return &listed{Source: trees, rand: rand.New(rand.NewPCG(seed, 4))}, nil
	}
	return minetest.Build(t, o.FS, o)
}

// The objective of K-best lists is the least objective over an explicit table of all fragments, which the
// simplex method finds. The bound is at most this objective.
func TestOptimumOfLists(t *testing.T) {
	for seed := range uint64(4) {
		for _, kind := range []index.Kind{index.Constituency, index.Dependency} {
			for _, arg := range minetest.SpacesOf(t, kind, "min-support=1,max-order=0") {
				s := listStore(t, kind, seed, arg)
				defer s.Close()
				fragments := minetest.AllFragments(t, s, &s.Meta().Spaces[0])
				for _, o := range []optimum.Options{{C: 1}, {C: 1.0 / 3}, {C: 0.4, Base: 0.5, Values: 3}, {C: 2, MaxOrder: 2}, {C: 1, MinSupport: 3}} {
					o.Lists, o.Gap = true, 1e-7
					checkLists(t, s, fragments, o)
				}
			}
		}
	}
}

func checkLists(t *testing.T, s *store.Store, fragments []minetest.Whole, o optimum.Options) {
	t.Helper()
	path := run(t, s, o)
	name := fmt.Sprintf("%s, %+v", s.Meta().Spaces[0].ID, o)
	space, err := grow.SpaceOf(s.Dir(), &s.Meta().Spaces[0])
	if err != nil {
		t.Fatal(err)
	}
	p, err := gradient.NewLists(t.Context(), s, space, o.Base, nil)
	if err != nil {
		t.Fatal(err)
	}
	var within []minetest.Whole
	for _, f := range fragments {
		n := 0
		for _, l := range p.Lists {
			n += len(slices.DeleteFunc(slices.Clone(f.Samples), func(x uint32) bool { return x < l.From || x >= l.To }))
		}
		if n >= int(o.MinSupport) && (o.MaxOrder == 0 || f.Order <= o.MaxOrder) {
			within = append(within, f)
		}
	}
	end := path.Points[0][len(path.Points[0])-1]
	want := leastOfLists(p, within, o.C)
	if !end.Converged || end.Gap() > o.Gap {
		t.Errorf("%s: not converged: %+v", name, end)
	}
	if f := listObjective(path, p, fragments, o.C); math.Abs(f-end.Objective) > 1e-9*(1+f) {
		t.Errorf("%s: the weights have objective %v, it says %v", name, f, end.Objective)
	}
	if end.Bound > want+1e-9*(1+want) || math.Abs(end.Objective-want) > 1e-6*want+1e-12 {
		t.Errorf("%s: objective %v, bound %v; listed %v", name, end.Objective, end.Bound, want)
	}
}

// differences calls f with each candidate. The third argument is the candidate's base score less gold's base
// score, plus 1 if the candidate has another structure than gold.
func differences(p *gradient.Problem, f func(l *gradient.List, y uint32, ahead float64)) {
	for i := range p.Lists {
		l := &p.Lists[i]
		for y := l.From; y < l.To; y++ {
			ahead := 0.0
			if !p.Same[y] {
				ahead = 1
			}
			if p.Base != nil {
				ahead += p.Base[y] - p.Base[l.Gold]
			}
			f(l, y, ahead)
		}
	}
}

// listObjective returns the objective of a path's weights, computed in the obvious way.
func listObjective(path *optimum.Path, p *gradient.Problem, fragments []minetest.Whole, c float64) (f float64) {
	scores := make([]float64, p.Samples)
	for i := range path.Entries {
		w := path.Weights[0][1+i]
		f += math.Abs(w)
		at := slices.IndexFunc(fragments, func(x minetest.Whole) bool { return slices.Equal(x.Code, path.Entries[i].Code) })
		for _, s := range fragments[at].Samples {
			scores[s] += w
		}
	}
	most := map[*gradient.List]float64{}
	differences(p, func(l *gradient.List, y uint32, ahead float64) {
		most[l] = max(most[l], ahead+scores[y]-scores[l.Gold])
	})
	for i := range p.Lists {
		f += c * most[&p.Lists[i]]
	}
	return f
}

// leastOfLists returns the least objective over fragments. It is the largest objective of the dual, which the
// simplex method finds from α = 0.
func leastOfLists(p *gradient.Problem, fragments []minetest.Whole, c float64) float64 {
	var trees []uint32
	var of []*gradient.List
	var gains []float64
	differences(p, func(l *gradient.List, y uint32, ahead float64) {
		if y != l.Gold {
			trees, of, gains = append(trees, y), append(of, l), append(gains, c*ahead)
		}
	})
	var rows [][]float64 // the rows of the table: each is a constraint, with its bound as the last element
	seen := map[string]bool{}
	add := func(at func(k int) float64) {
		row := make([]float64, len(trees)+1)
		for k := range trees {
			row[k] = at(k)
		}
		row[len(trees)] = 1
		if text := fmt.Sprint(row); !seen[text] {
			seen[text] = true
			rows = append(rows, row)
		}
	}
	for i := range p.Lists {
		add(func(k int) float64 {
			if of[k] == &p.Lists[i] {
				return 1
			}
			return 0
		})
	}
	for _, f := range fragments {
		has := func(y uint32) float64 {
			if slices.Contains(f.Samples, y) {
				return c
			}
			return 0
		}
		for _, sign := range []float64{1, -1} {
			add(func(k int) float64 { return sign * (has(trees[k]) - has(of[k].Gold)) })
		}
	}
	return simplex(rows, gains)
}

// simplex returns the largest gains·x with x ≥ 0. The last element of each row is the limit of row·x. It
// always takes the first variable that gains, so that it ends (Bland 1977).
func simplex(rows [][]float64, gains []float64) (value float64) {
	const small = 1e-11
	n := len(gains)
	gains = slices.Clone(gains)
	in, out := make([]int, n), make([]int, len(rows)) // the variable of each column, and of each row
	for k := range in {
		in[k] = k
	}
	for r := range out {
		out[r] = n + r
	}
	for {
		enter, leave := -1, -1
		for k, g := range gains {
			if g > small && (enter < 0 || in[k] < in[enter]) {
				enter = k
			}
		}
		if enter < 0 {
			return value
		}
		for r, row := range rows {
			if row[enter] > small {
				if leave < 0 {
					leave = r
					continue
				}
				d := row[n]/row[enter] - rows[leave][n]/rows[leave][enter]
				if d < -small || d <= small && out[r] < out[leave] {
					leave = r
				}
			}
		}
		pivot := rows[leave]
		x := pivot[enter]
		for k := range pivot {
			pivot[k] /= x
		}
		pivot[enter] = 1 / x
		for r, row := range rows {
			if a := row[enter]; r != leave && a != 0 {
				row[enter] = 0
				for k := range row {
					row[k] -= a * pivot[k]
				}
			}
		}
		g := gains[enter]
		gains[enter] = 0
		for k := range gains {
			gains[k] -= g * pivot[k]
		}
		value += g * pivot[n]
		in[enter], out[leave] = out[leave], in[enter]
	}
}

// The result for lists does not depend on workers, memory or interruptions.
func TestListsSameHowever(t *testing.T) {
	for _, arg := range minetest.SpacesOf(t, index.Dependency, "min-support=1,max-order=1") {
		s := listStore(t, index.Dependency, 2, arg)
		defer s.Close()
		o := optimum.Options{Lists: true, C: 1, Values: 4, Workers: 1}
		first := run(t, s, o)
		same := func(again *optimum.Path) {
			t.Helper()
			if !reflect.DeepEqual(first.Points, again.Points) || !reflect.DeepEqual(first.Entries, again.Entries) || !reflect.DeepEqual(first.Weights, again.Weights) {
				t.Errorf("%s: %d workers, memory %d: %+v, want %+v", arg, o.Workers, o.Memory, again.Points, first.Points)
			}
		}
		for _, o.Workers = range []int{1, 3} {
			for _, o.Memory = range []int64{1, 1 << 12} {
				same(run(t, s, o))
			}
		}
		for after := 1; after < len(first.Prices); after++ {
			o.Progress = nil
			same(resumed(t, s, o, after))
		}
	}
}

// A run ends for any price, and reports correctly whether it reached the gap.
func TestAnyPriceEnds(t *testing.T) {
	lists := listStore(t, index.Dependency, 1, minetest.SpacesOf(t, index.Dependency, "min-support=1,max-order=0")[0])
	defer lists.Close()
	labels := minetest.LabelledStore(t, index.Constituency, 1, "stk:min-support=1,max-order=1")
	defer labels.Close()
	for _, c := range []float64{1e-9, 1e3, 1e9} {
		for _, s := range []*store.Store{lists, labels} {
			o := optimum.Options{Learner: "l1-svm", C: c, Values: 2, MaxOrder: 2, Lists: s == lists}
			for _, points := range run(t, s, o).Points {
				end := points[len(points)-1]
				if end.Bound > end.Objective*(1+1e-9) || end.Converged != (end.Gap() <= optimum.DefaultGap) {
					t.Errorf("C %g, lists %v: %+v", c, o.Lists, end)
				}
			}
		}
	}
}
