package ptk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/expansion"
)

// buildIndex makes an expansion index, and sorts the codes.
func buildIndex(t testing.TB, codes []index.Code) *expansion.Index {
	t.Helper()
	slices.SortFunc(codes, compare)
	var buf bytes.Buffer
	b := expansion.NewBuilder(&buf)
	for _, c := range codes {
		if err := b.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	p, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	fs := vfs.NewMem()
	f, err := fs.Create("x", vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if err := expansion.Join(f, []expansion.Part{p}, []io.Reader{&buf}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	x, err := expansion.Open(fs, "x")
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-12*math.Abs(want) }

// checkMatch compares the hits of a tree with brute force.
func checkMatch(t *testing.T, space *Space, m index.Matcher, lambda float64, codes []index.Code, tree *index.Tree, treeSyms, s *index.Symbols) {
	t.Helper()
	count, value := map[string]float64{}, map[string]float64{}
	for _, x := range matches(tree, treeSyms) {
		count[x.text]++
		value[x.text] += x.value(space.mu, lambda)
	}
	hits, err := m.Match(tree, 0)
	if err != nil {
		t.Fatal(err)
	}
	last := uint32(0)
	seen := map[string]bool{}
	for _, h := range hits {
		c := codes[h.ID-1]
		text := key(c, s)
		seen[text] = true
		if h.ID <= last || int(h.Order) != space.Order(c) || h.Match.Count != count[text] || !near(h.Match.Weight, value[text]) {
			t.Fatalf("%s: %+v, want %v, %v", text, h, count[text], value[text])
		}
		if h.Match.Count == 1 && h.Match.Weight > space.Weight(c, s, lambda)*(1+1e-12) {
			t.Fatalf("%s: one match is worth %v, and without gaps %v", text, h.Match.Weight, space.Weight(c, s, lambda))
		}
		last = h.ID
	}
	for _, c := range codes {
		if text := key(c, s); count[text] > 0 && !seen[text] {
			t.Fatalf("%s is missing", text)
		}
	}
	if len(hits) > 1 {
		var over index.BudgetError
		if _, err := m.Match(tree, 1); !errors.As(err, &over) {
			t.Fatalf("beyond the budget: %v", err)
		}
	}
}

func TestMatcherIsBruteForce(t *testing.T) {
	for _, v := range []struct {
		mu     string
		lambda float64
	}{{"0.4", 0.4}, {"0.7", 1}} {
		space := newSpace(t, v.mu)
		eachCorpus(t, 9, func(t *testing.T, trees []*index.Tree, s *index.Symbols) {
			rec := &recorder{s: s}
			grow(t, rec, trees[:2], everything, index.Limits{}, false)
			sets := [][]index.Code{slices.Clone(rec.codes)}
			// Any set of patterns must do: prefixes need not be stored.
			r := rand.New(rand.NewPCG(1, uint64(len(rec.codes))))
			for _, oneIn := range []int{2, 8} {
				var some []index.Code
				for _, c := range rec.codes {
					if r.IntN(oneIn) == 0 {
						some = append(some, c)
					}
				}
				sets = append(sets, some)
			}
			for _, codes := range sets {
				if len(codes) == 0 {
					continue
				}
				m := space.NewMatcher(buildIndex(t, codes), s, v.lambda)
				for _, tree := range trees {
					checkMatch(t, space, m, v.lambda, codes, tree, s, s)
				}
			}
		})
	}
}

// Labels that a store does not know match nothing, and their nodes are passed over: new
// trees are read into symbols that are rolled back for each.
func TestUnknownLabels(t *testing.T) {
	space := newSpace(t)
	trees, s := corpus(4, 3, 9)
	rec := &recorder{s: s}
	grow(t, rec, trees, everything, index.Limits{}, false)
	m := space.NewMatcher(buildIndex(t, rec.codes), s, 0.5)
	reader := s.Clone()
	reader.Freeze()
	r := rand.New(rand.NewPCG(8, 8))
	for range 40 {
		reader.Rollback()
		tree := randomTree(r, reader, false, 9)
		for i := range tree.Nodes {
			if n := &tree.Nodes[i]; r.IntN(4) == 0 {
				class := index.Labels
				if n.Word {
					class = index.Words
				}
				n.Sym = reader.Intern(class, []byte{"WXYZ"[r.IntN(4)]})
			}
		}
		checkMatch(t, space, m, 0.5, rec.codes, tree, reader, s)
	}
}

// A tree deeper than an edge of the index can say.
func TestDeepTree(t *testing.T) {
	const depth = 600
	s := index.NewSymbols()
	tree := &index.Tree{}
	b := &index.Builder{Symbols: s}
	b.Start(tree, true)
	for range depth {
		b.Open([]byte("A"))
	}
	b.Word([]byte("b"))
	b.Word([]byte("c"))
	for range depth {
		b.Close()
	}
	space := newSpace(t)
	text := bytes.Repeat([]byte("(A "), depth)
	text = append(text, "(b) (c)"...)
	text = append(text, bytes.Repeat([]byte(")"), depth)...)
	c, err := space.ParseText(string(text), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := space.Check(c, s); err != nil || space.Order(c) != depth+2 {
		t.Fatalf("order %d, %v", space.Order(c), err)
	}
	hits, err := space.NewMatcher(buildIndex(t, []index.Code{c}), s, 1).Match(tree, 0)
	if err != nil || len(hits) != 1 || hits[0].Match.Count != 1 {
		t.Fatalf("%v, %v", hits, err)
	}
}

// A walk over a wide node counts what it cannot list, and says where it cannot count.
func TestWideNode(t *testing.T) {
	s := index.NewSymbols()
	trees := []*index.Tree{wide(s, 20), wide(s, 60), wide(s, 100)}
	var codes []index.Code
	for n := range 21 {
		c := index.AppendStep(nil, index.Step{Sym: packLabel(s.Lookup(index.Labels, []byte("S")), false)})
		for range n {
			c = index.AppendStep(c, index.Step{Off: 1, Sym: packLabel(s.Lookup(index.Labels, []byte("A")), false)})
		}
		codes = append(codes, c)
	}
	m := newSpace(t).NewMatcher(buildIndex(t, codes), s, 1)
	hits, err := m.Match(trees[0], 0)
	if err != nil || len(hits) != 21 || hits[10].Match.Count != 184756 { // C(20,10)
		t.Fatalf("%v, %v", hits, err)
	}
	if hits, err = m.Match(trees[1], 0); err != nil || hits[20].Match.Count != 4191844505805495 { // C(60,20)
		t.Fatalf("%v, %v", hits, err)
	}
	var many *index.OccurrenceError
	if _, err = m.Match(trees[2], 0); !errors.As(err, &many) {
		t.Fatal(err)
	}
	for n, want := range map[int]int{2: 190, 3: 1140, 10: maxLocated} {
		if got := len(newSpace(t).Locate(trees[0], codes[n], s)); got != want {
			t.Errorf("%d children: %d located, want %d", n, got, want)
		}
	}
	// No place for the last child: nothing is tried.
	none := index.AppendStep(codes[20], index.Step{Off: 1, Sym: packLabel(s.Lookup(index.Labels, []byte("S")), false)})
	if got := newSpace(t).Locate(trees[1], none, s); got != nil {
		t.Errorf("%d located", len(got))
	}
}

// A matcher allocates nothing once warm.
func TestMatcherAllocations(t *testing.T) {
	trees, s := corpus(6, 8, 12)
	rec := &recorder{s: s}
	grow(t, rec, trees, everything, index.Limits{MaxOrder: 4}, false)
	m := newSpace(t).NewMatcher(buildIndex(t, rec.codes), s, 0.4)
	run := func() {
		for _, tree := range trees {
			if _, err := m.Match(tree, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	run()
	if n := testing.AllocsPerRun(10, run); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Records that point anywhere give no match, or an error, and no panic.
func TestMatcherOnDamagedIndex(t *testing.T) {
	trees, s := corpus(6, 7, 9)
	rec := &recorder{s: s}
	grow(t, rec, trees, everything, index.Limits{MaxOrder: 3}, false)
	raw := buildIndex(t, rec.codes).Raw()
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		data := bytes.Clone(raw)
		for range 1 + r.IntN(8) {
			data[8+r.IntN(len(data)-8-64)] ^= byte(1 << r.IntN(8))
		}
		x, err := expansion.Parse(data)
		if err != nil {
			continue
		}
		m := newSpace(t).NewMatcher(x, s, 1)
		for _, tree := range trees {
			m.Match(tree, 20_000)
		}
	}
}

func TestKernelIsDotProduct(t *testing.T) {
	eachCorpus(t, 9, func(t *testing.T, trees []*index.Tree, s *index.Symbols) {
		all := make([][]match, len(trees))
		for i, tree := range trees {
			all[i] = matches(tree, s)
		}
		for _, mu := range []string{"0.4", "0.9"} {
			space := newSpace(t, mu)
			for _, lambda := range []float64{1, 0.4} {
				k := space.NewKernel(s, lambda).(*kernel)
				vectors := make([]map[string]float64, len(trees))
				for i := range trees {
					vectors[i] = map[string]float64{}
					for _, m := range all[i] {
						vectors[i][m.text] += m.value(space.mu, lambda)
					}
				}
				for i, a := range trees {
					for j, b := range trees {
						want := 0.0
						for text, x := range vectors[i] {
							want += x * vectors[j][text]
						}
						x, _ := k.Prepare(a)
						y, _ := k.Prepare(b)
						got := k.Eval(x, y).Float()
						if math.Abs(got-want) > 1e-9*want {
							t.Fatalf("μ %s, λ %v: kernel %v, dot product %v", mu, lambda, got, want)
						}
						// The way for what float64 does not hold gives the same.
						if !k.match(x.(*prepared), y.(*prepared)) {
							continue
						}
						if big := k.evalBig(x.(*prepared), y.(*prepared)).Float(); math.Abs(big-want) > 1e-9*want {
							t.Fatalf("μ %s, λ %v: kernel in large numbers %v, dot product %v", mu, lambda, big, want)
						}
					}
				}
			}
		}
	})
}

// What no float64 holds: K of a node with n leaves and itself is
// Σ over k of C(n,k)² = C(2n,n), where μ and λ are 1, and their own pairs beside.
func TestKernelBeyondFloat64(t *testing.T) {
	s := index.NewSymbols()
	tree := &index.Tree{}
	b := &index.Builder{Symbols: s}
	b.Start(tree, true)
	b.Open([]byte("S"))
	for range 1500 {
		b.Word([]byte("a"))
	}
	b.Close()
	space := newSpace(t, "1")
	for _, lambda := range []float64{1, 1e-120} {
		k := space.NewKernel(s, lambda)
		p, _ := k.Prepare(tree)
		n := k.Eval(p, p)
		if got := index.Normalized(n, n, n); n.Mant <= 0 || math.Abs(got-1) > 1e-12 {
			t.Errorf("λ %v: %v, normalized %v", lambda, n, got)
		}
		// Σ C(1500,k)² = C(3000,1500), about 2^2994.
		if lambda == 1 && (n.Exp < 2991 || n.Exp > 2997) {
			t.Errorf("2^%d", n.Exp)
		}
	}
}

func BenchmarkKernel(b *testing.B) {
	for _, size := range []int{20, 60} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			trees, s := corpus(9, 20, size)
			k := newSpace(b).NewKernel(s, 0.4)
			var all []any
			for _, tree := range trees {
				p, _ := k.Prepare(tree)
				all = append(all, p)
			}
			for b.Loop() {
				for _, x := range all {
					k.Eval(x, all[0])
				}
			}
		})
	}
}
