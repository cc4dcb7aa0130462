package svm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/learn/classes"
	"fstore/store"
)

// grow adds a random subtree of few symbols.
func grow(r *rand.Rand, b *index.Builder, size *int, depth int) {
	*size--
	b.Open([]byte{"ABC"[r.IntN(3)]})
	for kids := r.IntN(3); kids > 0 && *size > 0 && depth < 4; kids-- {
		if r.IntN(3) == 0 {
			b.Word([]byte{"uv"[r.IntN(2)]})
			continue
		}
		grow(r, b, size, depth+1)
	}
	b.Close()
}

// open makes a store in memory of n random trees, each with one of the labels.
func open(t testing.TB, seed uint64, n int, labels ...string) *store.Store {
	t.Helper()
	fs := vfs.NewMem()
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}})
	if err != nil {
		t.Fatal(err)
	}
	samples, err := w.Samples()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	b := &index.Builder{Symbols: w.Symbols()}
	for i := range n {
		var tree index.Tree
		b.Start(&tree, false)
		size := 2 + r.IntN(10)
		grow(r, b, &size, 0)
		tree.Name, tree.Label = fmt.Sprint(i), labels[r.IntN(len(labels))]
		if _, err := samples.Add(&tree); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(samples.Close(), w.Commit()); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func kernelOf(t testing.TB, space string, lambda float64, normalize bool) Config {
	t.Helper()
	r, err := spaces.Parse(space)
	if err != nil {
		t.Fatal(err)
	}
	return Config{Space: r.Space, Lambda: lambda, Normalize: normalize}
}

// matrix returns the kernel matrix of samples, evaluated pair by pair.
func matrix(s *samples) [][]float64 {
	k := s.trees.New(s.trees.syms)
	m := make([][]float64, len(s.id))
	for i := range m {
		for j := range m {
			v := k.Eval(s.trees.prepared[i], s.trees.prepared[j])
			x := v.Float()
			if s.trees.Normalize {
				x = index.Normalized(v, s.trees.self[i], s.trees.self[j])
			}
			m[i] = append(m[i], x)
		}
	}
	return m
}

func near(a, b, within float64) bool {
	return math.Abs(a-b) <= within*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// descend solves the dual in the obvious way and returns its objective. It changes every pair of variables in
// turn, until nothing moves.
func descend(k [][]float64, y, c []float64) (dual float64) {
	n := len(y)
	alpha := make([]float64, n)
	for range 20_000 {
		moved := 0.0
		for i := range n {
			for j := range n {
				if i == j {
					continue
				}
				gradient := func(t int) float64 {
					g := -1.0
					for s := range n {
						g += y[t] * y[s] * k[t][s] * alpha[s]
					}
					return g
				}
				a := max(k[i][i]+k[j][j]-2*k[i][j], leastCurvature)
				d := (y[j]*gradient(j) - y[i]*gradient(i)) / a // y·α of i grows by d
				for _, v := range []struct {
					t    int
					sign float64
				}{{i, y[i]}, {j, -y[j]}} {
					if s := v.sign * d; s > 0 {
						d = math.Copysign(min(s, c[v.t]-alpha[v.t]), d)
					} else {
						d = math.Copysign(min(-s, alpha[v.t]), d)
					}
				}
				alpha[i] += y[i] * d
				alpha[j] -= y[j] * d
				moved = max(moved, math.Abs(d))
			}
		}
		if moved < 1e-12 {
			break
		}
	}
	for i := range n {
		dual += alpha[i]
		for j := range n {
			dual -= alpha[i] * alpha[j] * y[i] * y[j] * k[i][j] / 2
		}
	}
	return dual
}

func TestSolve(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(20) {
		st := open(t, seed, 12, "+1", "-1")
		for _, c := range []float64{0.1, 10} {
			s, err := readSamples(ctx, st, kernelOf(t, "stk", 0.4, true), 1, index.NoProgress{})
			if err != nil {
				t.Fatal(err)
			}
			if len(classes.Names(s.labels)) < 2 {
				continue
			}
			y := classes.Signs(s.labels, "+1")
			o := Options{C: c, ClassWeight: map[string]float64{"+1": 2}}
			p := &problem{rows: newRows(s.trees, 1, 0), y: y, c: classes.Prices(y, []string{"+1", "-1"}, 0, o.C, o.ClassWeight), epsilon: 1e-9}
			got, err := p.solve(ctx)
			if err != nil {
				t.Fatal(err)
			}
			k := matrix(s)
			if want := descend(k, y, p.c); !near(got.dual, want, 1e-6) {
				t.Errorf("seed %d, C %v: dual %v, want %v", seed, c, got.dual, want)
			}
			if got.primal < got.dual-1e-7 || !near(got.primal, got.dual, 1e-6) {
				t.Errorf("seed %d, C %v: primal %v, dual %v", seed, c, got.primal, got.dual)
			}
			checkOptimal(t, k, p, got)
		}
	}
}

// Three tests of shrinking: (1) samples that were put aside come back if they violate the conditions; (2) a
// sample that is not allowed a weight gets a score; (3) the result does not depend on the memory for rows.
func TestShrinking(t *testing.T) {
	for seed := range uint64(6) {
		st := open(t, seed, 80, "+1", "-1")
		s, err := readSamples(context.Background(), st, kernelOf(t, "stk", 0.4, true), 1, index.NoProgress{})
		if err != nil {
			t.Fatal(err)
		}
		y, k, held := classes.Signs(s.labels, "+1"), matrix(s), int(seed)
		for _, c := range []float64{0.3, 100} {
			var first *solution
			for _, memory := range []int64{0, 1 << 14, 1 << 30} {
				p := &problem{rows: newRows(s.trees, 1, memory), y: y, c: slices.Repeat([]float64{c}, len(y)), epsilon: 1e-9}
				p.c[held] = 0
				x, err := p.solve(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = x
					checkOptimal(t, k, p, x)
				} else if !reflect.DeepEqual(x, first) {
					t.Errorf("seed %d, C %v, memory %d: another solution", seed, c, memory)
				}
				// The solver continues from a solution for every second sample.
				var some []int
				for i := 0; i < len(y); i += 2 {
					some = append(some, i)
				}
				q := &problem{rows: p.rows, y: y, c: p.c, epsilon: p.epsilon, diagonal: p.diagonal, alpha: make([]float64, len(y)), v: slices.Clone(y)}
				again, err := q.search(context.Background(), q.all().only(some))
				if err != nil {
					t.Fatal(err)
				}
				checkOptimal(t, k, q, again)
				want := x.bias
				for i, a := range x.alpha {
					want += a * y[i] * k[i][held]
				}
				if got := p.score(held, x); !near(got, want, 1e-9) {
					t.Errorf("seed %d, C %v: score %v, want %v", seed, c, got, want)
				}
			}
		}
	}
}

// checkOptimal checks the Karush-Kuhn-Tucker conditions, computed from the matrix only.
func checkOptimal(t *testing.T, k [][]float64, p *problem, s *solution) {
	t.Helper()
	balance := 0.0
	for i := range p.y {
		balance += p.y[i] * s.alpha[i]
		f := s.bias
		for j := range p.y {
			f += s.alpha[j] * p.y[j] * k[i][j]
		}
		margin := p.y[i] * f
		const within = 1e-6
		if s.alpha[i] < 0 || s.alpha[i] > p.c[i] || p.c[i] > 0 && (s.alpha[i] == 0 && margin < 1-within || s.alpha[i] == p.c[i] && margin > 1+within ||
			s.alpha[i] > 0 && s.alpha[i] < p.c[i] && !near(margin, 1, within)) {
			t.Errorf("α[%d] = %v of %v, and the margin is %v", i, s.alpha[i], p.c[i], margin)
		}
	}
	if math.Abs(balance) > 1e-9 {
		t.Errorf("yᵀα = %v", balance)
	}
}

// Scores are sums over the vectors, with and without merging. Models have the same bytes for any workers and
// memory.
func TestTrain(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(4) {
		st := open(t, seed, 40, "x", "y", "z", "x,y", "")
		syms, err := st.Symbols()
		if err != nil {
			t.Fatal(err)
		}
		for _, space := range []string{"stk", "st", "sstbow", "ptk"} {
			for _, normalize := range []bool{false, true} {
				for name, learn := range map[string]func(context.Context, *store.Store, Options) (*Model, *Report, error){
					"svm": Train, "perceptron": TrainPerceptron,
				} {
					o := Options{Config: kernelOf(t, space, 0.4, normalize), C: 3, Epochs: 3, Seed: seed, Workers: 1}
					m, report, err := learn(ctx, st, o)
					if err != nil {
						t.Fatal(err)
					}
					if len(report.Machines) != 3 || report.Samples+report.Unlabelled != 40 {
						t.Errorf("%+v", report)
					}
					o.Workers, o.Memory = 3, 1
					again, _, err := learn(ctx, st, o)
					if err != nil {
						t.Fatal(err)
					}
					b := m.Append(nil)
					if !bytes.Equal(b, again.Append(nil)) {
						t.Errorf("%s %s: other bytes with other workers", space, name)
					}
					if m, err = Decode(b, syms); err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(b, m.Append(nil)) {
						t.Errorf("%s %s: other bytes once read", space, name)
					}
					checkScores(t, st, m)
				}
			}
		}
	}
}

func checkScores(t *testing.T, st *store.Store, m *Model) {
	t.Helper()
	syms, _ := st.Symbols()
	c, err := NewScorer(context.Background(), m, syms, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	w := c.NewWorker()
	got := make([]float64, len(m.Machines))
	k := m.Space.NewKernel(syms, m.Lambda)
	err = st.Samples(0, st.Meta().Samples, func(id uint32, tree *index.Tree) error {
		if err := w.Score(got, tree); err != nil {
			return err
		}
		x, err := k.Prepare(tree)
		if err != nil {
			return err
		}
		for i := range m.Machines {
			want := m.Machines[i].Bias
			for v := range m.Vectors {
				p, err := k.Prepare(&m.Vectors[v].Tree)
				if err != nil {
					return err
				}
				value := k.Eval(x, p)
				f := value.Float()
				if m.Normalize {
					f = index.Normalized(value, k.Eval(x, x), k.Eval(p, p))
				}
				want += m.Vectors[v].Weights[i] * f
			}
			if !near(got[i], want, 1e-9) {
				t.Errorf("%s, sample %d, machine %d: %v, want %v", m.Space.ID(), id, i, got[i], want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A perceptron has the scores that its definition gives, vector by vector.
func TestPerceptron(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(10) {
		st := open(t, seed, 30, "a", "b")
		syms, err := st.Symbols()
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Config: kernelOf(t, "stk", 0.4, true), Epochs: 4, Seed: seed}
		m, _, err := TrainPerceptron(ctx, st, o)
		if err != nil {
			t.Fatal(err)
		}
		s, err := readSamples(ctx, st, o.Config, 1, index.NoProgress{})
		if err != nil {
			t.Fatal(err)
		}
		k, y := matrix(s), classes.Signs(s.labels, "a")
		// All machines that training went through, and their votes.
		type machine struct{ v []float64 }
		var all []machine
		v := make([]float64, len(y))
		votes := []float64{}
		order := shuffled(len(y), seed)
		score := func(v []float64, i int) (f float64) {
			for j := range v {
				f += v[j] * k[j][i]
			}
			return f
		}
		for epoch := range o.Epochs {
			wrong := false
			for _, i := range order(epoch) {
				if y[i]*score(v, i) > 0 {
					votes[len(votes)-1]++
					continue
				}
				wrong = true
				v = append([]float64(nil), v...)
				v[i] += y[i]
				all = append(all, machine{v: v})
				votes = append(votes, 1)
			}
			if !wrong {
				break
			}
		}
		voted, err := NewScorer(ctx, m, syms, true, 1)
		if err != nil {
			t.Fatal(err)
		}
		averaged, err := NewScorer(ctx, m, syms, false, 1)
		if err != nil {
			t.Fatal(err)
		}
		a, b := voted.NewWorker(), averaged.NewWorker()
		err = st.Samples(0, st.Meta().Samples, func(id uint32, tree *index.Tree) error {
			gotVoted, gotAverage := []float64{0}, []float64{0}
			if err := a.Score(gotVoted, tree); err != nil {
				return err
			}
			if err := b.Score(gotAverage, tree); err != nil {
				return err
			}
			sign, mean, sum := 0.0, 0.0, 0.0
			for n, machine := range all {
				f := score(machine.v, int(id))
				mean += votes[n] * f
				if f > 0 {
					sign += votes[n]
				} else if f < 0 {
					sign -= votes[n]
				}
				sum += votes[n]
			}
			if !near(gotVoted[0], sign/sum, 1e-9) || !near(gotAverage[0], mean/sum, 1e-9) {
				t.Errorf("seed %d, sample %d: %v %v, want %v %v", seed, id, gotVoted, gotAverage, sign/sum, mean/sum)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
