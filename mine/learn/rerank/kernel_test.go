package rerank

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/svm"
)

// vectorSpace is a space whose kernel is the dot product of known vectors. Each tree has one token, whose
// head is the number of the tree's vector.
type vectorSpace struct {
	index.Space
	of [][features + 1]float64
}

func (v vectorSpace) NewKernel(*index.Symbols, float64) index.Kernel { return vectorKernel(v) }

type vectorKernel vectorSpace

func (v vectorKernel) Prepare(t *index.Tree) (any, error) { return int(t.Tokens[0].Head), nil }

func (v vectorKernel) Eval(a, b any) index.Number {
	return index.NumberOf(product(v.of[a.(int)], v.of[b.(int)]))
}

// kernelCase returns random lists, their vectors, and the space and options for training by these vectors.
func kernelCase(seed uint64, n int) (*Lists, *Vectors, vectorSpace, KernelOptions) {
	l, v, all := random(seed, n, false)
	var space vectorSpace
	first := make([]int, n)
	for i, trees := range all {
		first[i] = len(space.of)
		for _, t := range trees {
			space.of = append(space.of, dense(t))
		}
	}
	o := KernelOptions{
		Options: Options{Epochs: 2, Seed: seed}, Config: svm.Config{Space: space, Lambda: 1},
		Chunks: 1, Betas: []float64{0.5},
		Read: func(i int) (trees []*index.Tree, err error) {
			for t := range l.List[i].Trees {
				trees = append(trees, &index.Tree{Tokens: []index.Token{{Head: int32(first[i] + t)}}})
			}
			return trees, nil
		},
	}
	return l, v, space, o
}

// TestKernelIsLinear: if the kernel is the dot product, a model of one chunk is the same as the perceptron
// over the vectors.
func TestKernelIsLinear(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(40) {
		l, v, space, o := kernelCase(seed, 9)
		o.Target = []Target{TargetGold, TargetOracle}[seed%2]
		m, r, err := TrainKernel(ctx, l, o)
		if err != nil {
			t.Fatal(err)
		}
		var mean []float64
		var mistakes []int
		p := o.Options
		err = perceptron(ctx, l, v, crossval.UpTo(len(l.List)), p, func(_ int, a *average, n int) error {
			mean, mistakes = meanOf(a), append(mistakes, n)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(mistakes, r.Mistakes[:len(mistakes)]); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		// Steps before the first correction have no votes.
		votes, steps := 0.0, float64(len(l.List)*len(mistakes))
		for _, s := range m.Chunks[0] {
			votes += float64(s.Votes)
		}
		c, err := NewKernelScorer(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range l.List {
			trees, _ := o.Read(i)
			w := c.NewWorker()
			for _, x := range trees {
				if err := w.Add(x); err != nil {
					t.Fatal(err)
				}
			}
			d, err := w.Decide()
			if err != nil {
				t.Fatal(err)
			}
			of := func(k int) float64 {
				return product(space.of[trees[k].Tokens[0].Head], [features + 1]float64(mean))
			}
			for k := range trees {
				got := (d.Averaged[k] - d.Averaged[0]) * votes / steps
				want := of(k) - of(0)
				if math.Abs(got-want) > 1e-9 && len(m.Chunks[0]) > 0 {
					t.Fatalf("seed %d, list %d, tree %d: %g, want %g", seed, i, k, got, want)
				}
			}
		}
		if m.Beta != (Betas{0.5, 0.5}) {
			t.Fatal(m.Beta)
		}
	}
}

// TestDecide compares decisions with those of machines that are built one by one, over explicit vectors.
func TestDecide(t *testing.T) {
	for seed := range uint64(20) {
		_, _, space, o := kernelCase(seed, 6)
		e := newEvaluator(&o.Config, nil)
		at := func(n int) *item { return &item{n % len(space.of), index.NumberOf(1)} }
		chunks := []*machine{
			{steps: []step{{target: at(1), other: at(2), votes: 3}, {target: at(4), other: at(0), votes: 1}}},
			nil,
			{steps: []step{{target: at(3), other: at(1), votes: 2}}},
		}
		trees := []item{*at(2), *at(3), *at(5)}
		got, err := e.decide(trees, chunks)
		if err != nil {
			t.Fatal(err)
		}
		want := Decision{make([]float64, 3), make([]float64, 3)}
		for _, steps := range [][]step{chunks[0].steps, chunks[2].steps} {
			var w, mean [features + 1]float64
			votes := 0.0
			for _, s := range steps {
				for j := range w {
					w[j] += space.of[s.target.prepared.(int)][j] - space.of[s.other.prepared.(int)][j]
					mean[j] += w[j] * float64(s.votes)
				}
				votes += float64(s.votes)
				want.Voted[best(3, func(i int) float64 { return product(w, space.of[trees[i].prepared.(int)]) })] += float64(s.votes) / 6
			}
			for i := range trees {
				want.Averaged[i] += product(mean, space.of[trees[i].prepared.(int)]) / votes / 2
			}
		}
		for i := range trees {
			if math.Abs(got.Voted[i]-want.Voted[i]) > 1e-12 || math.Abs(got.Averaged[i]-want.Averaged[i]) > 1e-9 {
				t.Fatalf("seed %d: %+v, want %+v", seed, got, want)
			}
		}
	}
}

// dependencies returns lists of real dependency trees, and options with a real kernel.
func dependencies(t testing.TB, kernel string) (*Lists, KernelOptions) {
	l, _, _ := random(3, 10, true)
	s := index.NewSymbols()
	id := func(x string) uint32 { return s.Intern(index.Words, []byte(x)) }
	var all [][]*index.Tree
	n := 0
	for i := range l.List {
		var trees []*index.Tree
		for k := range l.List[i].Trees {
			x := &index.Tree{Kind: index.Dependency, Name: fmt.Sprintf("%d.%d", i, k)}
			for w := range int32(4) {
				n++
				head := w // the head is the word before; the first word has no such head
				if w > 1 && n%3 == 0 {
					head = 1
				}
				x.Tokens = append(x.Tokens, index.Token{
					Form: id("w"), Lemma: id("_"), UPOS: id([]string{"N", "V", "A"}[(i+int(w))%3]), XPOS: id("_"),
					Feats: id("_"), Rel: id([]string{"r", "s"}[n%2]), Deps: id("_"), Misc: id("_"), Head: head,
				})
			}
			trees = append(trees, x)
		}
		all = append(all, trees)
	}
	r, err := spaces.Parse(kernel)
	if err != nil {
		t.Fatal(err)
	}
	return l, KernelOptions{
		Config: svm.Config{Space: r.Space, Lambda: 0.4, Normalize: true}, Chunks: 3, HeldOut: 6,
		Read: func(i int) ([]*index.Tree, error) { return all[i], nil }, Symbols: s,
	}
}

// TestKernelModel tests that (1) any number of workers train the same model; (2) a model that was written and
// read decides as before; (3) β is chosen on lists that are held out.
func TestKernelModel(t *testing.T) {
	ctx := context.Background()
	for _, kernel := range []string{"dep:siblings=adjacent,template=rel+h.upos+m.upos", "poly:degree=3"} {
		l, o := dependencies(t, kernel)
		m, r, err := TrainKernel(ctx, l, o)
		if err != nil {
			t.Fatal(err)
		}
		if m.Corrections() == 0 || len(m.Chunks) != 3 || r.HeldOut != 6 || m.Beta.Voted != r.Voted.Beta || r.Voted.Counts.Gold != 30 {
			t.Fatalf("%+v %+v", m, r)
		}
		m.Tags = "majority"
		for _, workers := range []int{1, 4} {
			o.Workers = workers
			again, _, err := TrainKernel(ctx, l, o)
			if err != nil {
				t.Fatal(err)
			}
			again.Tags = m.Tags
			if !bytes.Equal(again.Append(nil), m.Append(nil)) {
				t.Fatalf("%s: %d workers train another model", kernel, workers)
			}
		}
		got, err := DecodeKernel(m.Append(nil), o.Symbols)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decided(t, m, l, o), decided(t, got, l, o)); diff != "" {
			t.Fatalf("%s: %s", kernel, diff)
		}
		b := m.Append(nil)
		for n := range b {
			if _, err := DecodeKernel(b[:n], o.Symbols); err == nil {
				t.Fatalf("the first %d of %d bytes are a model", n, len(b))
			}
		}
	}
}

func decided(t *testing.T, m *KernelModel, l *Lists, o KernelOptions) (all []Decision) {
	t.Helper()
	c, err := NewKernelScorer(m, o.Symbols)
	if err != nil {
		t.Fatal(err)
	}
	w := c.NewWorker()
	for i := range l.List {
		trees, _ := o.Read(i)
		for _, x := range trees {
			if err := w.Add(x); err != nil {
				t.Fatal(err)
			}
		}
		d, err := w.Decide()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

// picky is a space whose kernels refuse trees without words.
type picky struct{ vectorSpace }

func (p picky) NewKernel(*index.Symbols, float64) index.Kernel {
	return pickyKernel{vectorKernel(p.vectorSpace)}
}

type pickyKernel struct{ vectorKernel }

func (k pickyKernel) Prepare(t *index.Tree) (any, error) {
	if len(t.Tokens) == 0 {
		return nil, svm.ErrTooLarge
	}
	return k.vectorKernel.Prepare(t)
}

// TestRefusedTree: after a tree is refused, no tree of its list is counted in the next list.
func TestRefusedTree(t *testing.T) {
	l, _, space, o := kernelCase(2, 9)
	o.Space = picky{space}
	m, _, err := TrainKernel(context.Background(), l, o)
	if err != nil || m.Corrections() == 0 {
		t.Fatal(m, err)
	}
	c, err := NewKernelScorer(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := decided(t, m, l, o)
	w := c.NewWorker()
	for i := range l.List {
		trees, _ := o.Read(i)
		if err := w.Add(trees[0]); err != nil {
			t.Fatal(err)
		}
		if err := w.Add(&index.Tree{}); !errors.Is(err, svm.ErrTooLarge) {
			t.Fatalf("list %d: %v", i, err)
		}
		for _, x := range trees {
			if err := w.Add(x); err != nil {
				t.Fatal(err)
			}
		}
		got, err := w.Decide()
		if diff := cmp.Diff(want[i], got); err != nil || diff != "" {
			t.Fatalf("list %d: %v %s", i, err, diff)
		}
	}
}

func FuzzDecodeKernel(f *testing.F) {
	l, o := dependencies(f, "dep:siblings=adjacent,template=rel+h.upos+m.upos")
	m, _, err := TrainKernel(context.Background(), l, o)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := DecodeKernel(b, o.Symbols)
		if err != nil {
			return
		}
		again, err := DecodeKernel(m.Append(nil), o.Symbols)
		if err != nil || !bytes.Equal(again.Append(nil), m.Append(nil)) {
			t.Fatalf("%+v and then %+v, %v", m, again, err)
		}
	})
}
