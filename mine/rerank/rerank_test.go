package rerank

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fstore/index"
	"fstore/mine/crossval"
	"fstore/mine/linear"
	"fstore/mine/treescore"
	"fstore/store/scratchdir"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
)

const features = 12

// random is lists with the vectors of their trees, which share some features.
func random(seed uint64, n int, ones bool) (*Lists, *Vectors, [][]Vector) {
	r := rand.New(rand.NewPCG(seed, 2))
	l := &Lists{Kind: index.Dependency}
	v := NewVectors(features, Scratch{Dir: scratchdir.Dir{FS: vfs.NewMem(), Path: "vectors"}, Memory: int64(seed % 3 * 100)})
	var all [][]Vector
	var blocks Blocks
	for range n {
		size := 1 + r.IntN(5)
		added := size > 1 && r.IntN(2) == 0
		x := List{Name: string(rune('a' + len(all)%26)), Document: string(rune('a' + len(all)%3))}
		gold := r.IntN(size)
		if added {
			gold = size - 1
		}
		trees := make([]Vector, size)
		for t := range trees {
			right := uint64(r.IntN(4))
			if t == gold {
				right = 5
			}
			x.Trees = append(x.Trees, Tree{
				Base: float64(r.IntN(4)), Added: added && t == size-1,
				Counts: treescore.Counts{Gold: 5, Predicted: 5, Unlabelled: right, Labelled: right / 2},
			})
			for id := uint32(1); id <= features; id++ {
				if r.IntN(3) == 0 {
					continue
				}
				value := 1.0
				if !ones {
					value = float64(1 + r.IntN(2))
				}
				trees[t].ID, trees[t].Value = append(trees[t].ID, id), append(trees[t].Value, value)
			}
		}
		if err := l.Add(x, gold); err != nil {
			panic(err)
		}
		collected := NewListVectors(len(trees), &blocks)
		collected.AddTrees(trees)
		place, err := v.Put(collected)
		if err != nil {
			panic(err)
		}
		blocks.Free()
		v.Add(place)
		all = append(all, trees)
	}
	if err := v.Seal(); err != nil {
		panic(err)
	}
	return l, v, all
}

// dense is a vector by feature id.
func dense(v Vector) (d [features + 1]float64) {
	for i, id := range v.ID {
		d[id] = v.Value[i]
	}
	return d
}

func product(w, x [features + 1]float64) (sum float64) {
	for j := range w {
		sum += w[j] * x[j]
	}
	return sum
}

// TestVectors: products differ from tree to tree as those of the vectors do, and so do vectors,
// held or in a file; and of trees that are alike nothing is kept.
func TestVectors(t *testing.T) {
	for seed := range uint64(40) {
		_, v, all := random(seed, 5, seed%2 == 0)
		var w [features + 1]float64
		for j := range w {
			w[j] = float64(j * j % 7)
		}
		r := v.reader()
		for i, trees := range all {
			got := make([]float64, len(trees))
			if err := r.scores(got, i, w[:]); err != nil {
				t.Fatal(err)
			}
			for k := range trees {
				if d, want := got[k]-got[0], product(w, dense(trees[k]))-product(w, dense(trees[0])); d != want {
					t.Fatalf("seed %d, list %d, tree %d: %v, want %v", seed, i, k, d, want)
				}
				var d [features + 1]float64
				err := r.difference(i, k, 0, func(ids []uint32, x float64) {
					for _, id := range ids {
						d[id] += x
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				a, b := dense(trees[k]), dense(trees[0])
				for j := range a {
					if d[j] != a[j]-b[j] {
						t.Fatalf("seed %d, list %d, tree %d, feature %d: %v, want %v", seed, i, k, j, d[j], a[j]-b[j])
					}
				}
			}
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		if names, err := v.scratch.FS.List(""); err != nil || len(names) > 0 {
			t.Fatalf("left: %v %v", names, err)
		}
	}
	x := NewListVectors(2, &Blocks{})
	x.AddTrees([]Vector{{[]uint32{1, 7}, []float64{1, 3}}, {[]uint32{1, 7}, []float64{1, 3}}})
	if n := x.size(); n > 0 {
		t.Fatalf("%d bytes of two trees that are alike", n)
	}
}

// TestLargeList: of a list whose ids are more than is read at a time, or than a slab has, and
// far apart.
func TestLargeList(t *testing.T) {
	const largest = 1 << 27
	for _, memory := range []int64{0, 1 << 30} {
		v := NewVectors(largest, Scratch{Dir: scratchdir.Dir{FS: vfs.NewMem(), Path: "vectors"}, Memory: memory})
		var blocks Blocks
		var want [2][4]uint64 // by list and mask, a sum over ids
		for list := range want {
			blocks.Free()
			x := NewListVectors(2, &blocks)
			r := rand.New(rand.NewPCG(uint64(list), 3))
			last := uint32(1)
			for range 600_000 {
				id, mask := r.Uint32N(largest)+1, 1+r.Uint64N(3)
				if r.IntN(3) > 0 { // near the one before, too
					id = min(largest, last+r.Uint32N(9))
				}
				last = id
				x.Add(id, 0, mask, float64(mask))
				want[list][mask] += uint64(id)
			}
			place, err := v.Put(x)
			if err != nil {
				t.Fatal(err)
			}
			v.Add(place)
		}
		if err := v.Seal(); err != nil {
			t.Fatal(err)
		}
		r := v.reader()
		for list := range want {
			// Those of tree 0 alone, and those of tree 1 alone; others make no difference.
			var got [4]uint64
			err := r.difference(list, 0, 1, func(ids []uint32, x float64) {
				mask := 1
				if x < 0 {
					mask = 2
				}
				for _, id := range ids {
					got[mask] += uint64(id)
				}
			})
			if want[list][3] = 0; err != nil || got != want[list] {
				t.Fatalf("memory %d, list %d: %v, want %v, %v", memory, list, got, want[list], err)
			}
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestManyTrees: of more trees than a mask has bits.
func TestManyTrees(t *testing.T) {
	const n = 2*index.MaxPack + 5
	trees := make([]Vector, n)
	for k := range trees {
		trees[k] = Vector{[]uint32{uint32(k%3 + 1), 9}, []float64{1, 0.5}}
	}
	x := NewListVectors(n, &Blocks{})
	x.AddTrees(trees)
	v := NewVectors(9, Scratch{Memory: 1 << 20})
	place, err := v.Put(x)
	if err != nil {
		t.Fatal(err)
	}
	v.Add(place)
	scores := make([]float64, n)
	if err := v.reader().scores(scores, 0, []float64{9: 8, 1: 1, 2: 2, 3: 3}); err != nil {
		t.Fatal(err)
	}
	for k, s := range scores {
		if s != float64(k%3+1)+4 {
			t.Fatalf("tree %d: %v", k, s)
		}
	}
}

// Whatever the bytes of a scratch file are, reading them ends, and not in a panic.
func FuzzVectors(f *testing.F) {
	x := NewListVectors(3, &Blocks{})
	x.AddTrees([]Vector{{[]uint32{1, 7, 400}, []float64{1, 3, 1}}, {[]uint32{7}, []float64{3}}, {}})
	v := NewVectors(500, Scratch{Memory: 1 << 20})
	place, err := v.Put(x)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(place.held)
	f.Fuzz(func(t *testing.T, b []byte) {
		v := NewVectors(500, Scratch{Memory: 1 << 20})
		v.Add(Place{held: b})
		r := v.reader()
		if err := r.scores(make([]float64, 3), 0, make([]float64, 501)); err != nil && err != errScratch {
			t.Fatal(err)
		}
		if err := r.difference(0, 0, 2, func([]uint32, float64) {}); err != nil && err != errScratch {
			t.Fatal(err)
		}
	})
}

// meanOf is the mean of what was learned so far.
func meanOf(a *average) []float64 {
	clone := &average{slices.Clone(a.w), slices.Clone(a.late), a.steps}
	return clone.mean()
}

// TestPerceptron compares with the mean of all weight vectors there were, over dense vectors.
func TestPerceptron(t *testing.T) {
	for seed := range uint64(60) {
		l, v, all := random(seed, 8, seed%2 == 0)
		lists := []int{0, 1, 2, 3, 4, 6, 7}
		o := Options{Epochs: 3, Seed: seed, Augment: float64(seed%3) / 2, Target: []Target{TargetGold, TargetOracle}[seed/3%2]}
		var want [][]float64
		var wrong []int
		var w, sum [features + 1]float64
		steps := 0.0
		for epoch := range o.Epochs {
			mistakes := 0
			for _, i := range shuffled(lists, o.Seed, epoch) {
				x := &l.List[i]
				target, among := x.gold, len(x.Trees)
				if o.Target == TargetOracle {
					among = x.candidates()
					target = 0
					for k := range among {
						if x.Trees[k].Counts.Unlabelled > x.Trees[target].Counts.Unlabelled {
							target = k
						}
					}
				}
				score := func(k int) float64 {
					return product(w, dense(all[i][k])) + o.Augment*float64(5-x.Trees[k].Counts.Unlabelled)
				}
				first := -1
				for k := range among {
					if x.Trees[k].Counts.Unlabelled < x.Trees[target].Counts.Unlabelled && (first < 0 || score(k) > score(first)) {
						first = k
					}
				}
				if first >= 0 && (score(first) > score(target) || score(first) == score(target) && o.Augment == 0) {
					mistakes++
					a, b := dense(all[i][target]), dense(all[i][first])
					for j := range w {
						w[j] += a[j] - b[j]
					}
				}
				steps++
				for j := range sum {
					sum[j] += w[j]
				}
			}
			mean := make([]float64, features+1)
			for j := range mean {
				mean[j] = sum[j] / steps
			}
			want, wrong = append(want, mean), append(wrong, mistakes)
			if mistakes == 0 {
				break
			}
		}
		n := 0
		err := perceptron(context.Background(), l, v, lists, o, func(epoch int, a *average, mistakes int) error {
			mean := meanOf(a)
			if epoch != n || mistakes != wrong[n] {
				t.Fatalf("seed %d: epoch %d with %d mistakes, want %d with %d", seed, epoch, mistakes, n, wrong[n])
			}
			for j := range mean {
				if math.Abs(mean[j]-want[n][j]) > 1e-9 {
					t.Fatalf("seed %d, epoch %d, feature %d: %g, want %g", seed, epoch, j, mean[j], want[n][j])
				}
			}
			n++
			return nil
		})
		if err != nil || n != len(want) {
			t.Fatalf("%d epochs, want %d: %v", n, len(want), err)
		}
	}
}

// TestOutOfFold compares with training on all but a fold, and choosing the obvious way.
func TestOutOfFold(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(10) {
		l, v, all := random(seed, 12, true)
		var documents []string
		for _, x := range l.List {
			documents = append(documents, x.Document)
		}
		folds, err := crossval.Grouped(documents, 3, seed)
		if err != nil {
			t.Fatal(err)
		}
		betas := []float64{0, 0.5, 3}
		o := Options{Epochs: 4, Seed: seed}
		byEpoch, err := OutOfFold(ctx, l, v, folds, o)
		got := TrialsByEpoch(l, byEpoch, betas)
		if err != nil {
			t.Fatal(err)
		}
		var want []Trial
		for epochs := 1; epochs <= o.Epochs; epochs++ {
			for _, beta := range betas {
				trial := Trial{Epochs: epochs, Beta: beta}
				for fold := range 3 {
					outside, inside := folds.Split(fold)
					p := o
					p.setDefaults()
					p.Epochs = epochs
					var learned *average
					if err := perceptron(ctx, l, v, outside, p, func(_ int, a *average, _ int) error { learned = a; return nil }); err != nil {
						t.Fatal(err)
					}
					for _, i := range inside {
						x := &l.List[i]
						at, most := 0, math.Inf(-1)
						for k := range x.candidates() {
							// In integers but for one division, so that the order of adding does not matter.
							tree := dense(all[i][k])
							score := product([features + 1]float64(learned.w), tree) - product([features + 1]float64(learned.late), tree)/learned.steps
							if s := beta*x.Trees[k].Base + score; s > most {
								at, most = k, s
							}
						}
						trial.Counts.Add(x.Trees[at].Counts)
					}
				}
				want = append(want, trial)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		for _, workers := range []int{1, 3} {
			o.Workers = workers
			again, err := OutOfFold(ctx, l, v, folds, o)
			if diff := cmp.Diff(byEpoch, again); err != nil || diff != "" {
				t.Fatalf("%d workers: %v %s", workers, err, diff)
			}
		}
		again, err := OutOfEachFold(ctx, l, func(int) (*Vectors, error) {
			_, own, _ := random(seed, 12, true)
			return own, nil
		}, folds, o)
		if diff := cmp.Diff(byEpoch, again); err != nil || diff != "" {
			t.Fatalf("vectors for each fold: %v %s", err, diff)
		}
		// The grid: 0, and as many steps either way of a spread that is as large.
		s := newScores(l)
		for i := range s {
			for k := range s[i] {
				s[i][k] = 2 * l.List[i].Trees[k].Base
			}
		}
		grid := s.grid(l)
		if len(grid) != 2*gridSteps+2 || grid[0] != 0 || math.Abs(grid[gridSteps+1]-2) > 1e-12 || math.Abs(grid[gridSteps+3]-4) > 1e-12 {
			t.Fatalf("grid %v", grid)
		}
		if grid := newScores(l).grid(l); !cmp.Equal(grid, []float64{0}) {
			t.Fatalf("grid of nothing %v", grid)
		}
	}
}

func TestChosen(t *testing.T) {
	l := &Lists{Kind: index.Dependency}
	counts := func(right uint64) treescore.Counts {
		return treescore.Counts{Gold: 9, Predicted: 9, Unlabelled: right}
	}
	err := l.Add(List{Trees: []Tree{
		{Base: 1, Counts: counts(3)}, {Base: 2, Counts: counts(1)}, {Base: 2, Counts: counts(8)}, {Base: 0, Counts: counts(8)}, {Base: 7, Counts: counts(9), Added: true},
	}}, 4)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Chosen(Base); got != counts(1) {
		t.Errorf("base %+v", got)
	}
	if got := l.Chosen(Oracle); got != counts(8) {
		t.Errorf("oracle %+v", got)
	}
	for _, bad := range []List{{}, {Trees: []Tree{{Added: true}}}} {
		if l.Add(bad, 0) == nil {
			t.Errorf("no error of %+v", bad)
		}
	}
}

// trained is a model of random lists.
func trained(t testing.TB) *Model {
	l, v, _ := random(1, 12, true)
	m, mistakes, err := Train(context.Background(), l, v, Options{Epochs: 2})
	if err != nil || len(mistakes) == 0 {
		t.Fatal(mistakes, err)
	}
	m.Beta, m.Tags = 0.25, "own"
	m.Linear.Vectors = linear.Vectors{Space: "stk", Weight: "binary", Normalize: "none", Lambda: 0.4}
	return m
}

func TestCodec(t *testing.T) {
	m := trained(t)
	if m.Linear.NonZero(0) == 0 {
		t.Fatal("nothing was learned")
	}
	got, err := Decode(m.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, got); diff != "" {
		t.Error(diff)
	}
	m.Beta = math.NaN()
	if _, err := Decode(m.Append(nil)); err == nil {
		t.Error("no error of β = NaN")
	}
}

func FuzzDecode(f *testing.F) {
	m := trained(f)
	f.Add(m.Append(nil))
	f.Add([]byte{codecVersion})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Decode(m.Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(m, again); diff != "" {
			t.Fatal(diff)
		}
	})
}
