package rerank

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/codec"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/linear"
	"fstore/store/runfile"
)

const features = 12

// random returns lists with the vectors of their trees, which share some features.
func random(seed uint64, n int, ones bool) (*Lists, *Vectors, [][]Vector) {
	r := rand.New(rand.NewPCG(seed, 2))
	l := &Lists{Kind: index.Dependency}
	v := NewVectors(features, Scratch{Dir: runfile.Dir{FS: vfs.NewMem(), Path: "vectors"}, Memory: int64(seed % 3 * 100)})
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

// dense returns v as an array by feature id.
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

// meanOf returns the mean weights so far.
func meanOf(a *average) []float64 {
	clone := &average{slices.Clone(a.w), slices.Clone(a.late), a.steps}
	return clone.mean()
}

// TestPerceptron compares the mean weights with the mean of all weight vectors that training went through,
// over dense vectors.
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

// TestOutOfFold compares trials with the obvious way: train on all lists but a fold, and choose trees in the
// fold.
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
							// The order of adding does not matter, because all numbers except one quotient
							// are integers.
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
		// The grid has 0, the β for equal spreads, which is 2 here, and gridSteps values on each side of it.
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

// trained returns a model of random lists.
func trained(t testing.TB) *Model {
	l, v, _ := random(1, 12, true)
	m, mistakes, err := Train(context.Background(), l, v, Options{Epochs: 2})
	if err != nil || len(mistakes) == 0 {
		t.Fatal(mistakes, err)
	}
	m.Beside, m.Tags = Beside{[]Term{{"score", 0.25}, {"source:a b:heads", -1}}, 0.5}, "own"
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
	for _, bad := range []Beside{OfScore(math.NaN()), {nil, -1}, {nil, math.Inf(1)}} {
		m.Beside = bad
		if _, err := Decode(m.Append(nil)); err == nil {
			t.Errorf("no error of %v", bad)
		}
	}
}

// TestCodecOfBeta: a model of an older program has a version, β, tags and the linear model.
func TestCodecOfBeta(t *testing.T) {
	m := trained(t)
	b := codec.Append([]byte{1}, func(c *codec.Coder) {
		beta := 0.25
		c.Float(&beta)
		c.Text(&m.Tags)
		c.Nested(m.Linear.Code)
	})
	m.Beside = OfScore(0.25)
	got, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, got); diff != "" {
		t.Error(diff)
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
