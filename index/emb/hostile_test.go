package emb

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"fstore/index"
	"fstore/index/internal/spacetest"
)

// chain is n nodes with one label, each below the one before.
func chain(n int) (*index.Tree, *index.Symbols) {
	s := index.NewSymbols()
	t := &index.Tree{Kind: index.Dependency}
	for i := range n {
		t.Tokens = append(t.Tokens, index.Token{Form: s.Intern(index.Words, []byte("a")), Head: int32(i)})
	}
	return t, s
}

// choose is n over r.
func choose(n, r float64) float64 {
	c := 1.0
	for i := 1.0; i <= r; i++ {
		c *= (n - r + i) / i
	}
	return c
}

// In a chain of sixty equal nodes, fragments have too many embeddings. Growth and matching must end with an
// error, and the kernel must be exact.
func TestChain(t *testing.T) {
	space := newSpace(t, "")
	tree, syms := chain(60)
	it := space.NewItems(syms)
	it.Add(0, tree, index.All, index.Limits{})
	it.Seal()
	var tooMany *index.OccurrenceError
	if _, err := it.Grow(index.All, index.Weights{}, index.Limits{}, spacetest.Everything{}); !errors.As(err, &tooMany) || tooMany.Order != 5 {
		t.Errorf("growth: %v", err)
	}
	var codes []index.Code
	var code index.Code
	for d := range 12 {
		code = index.AppendStep(code, index.Step{Off: uint32(d), Sym: index.Child{Sym: 1, Word: true}.Packed()})
		codes = append(codes, bytes.Clone(code))
	}
	m := space.NewMatcher(spacetest.Index(t, codes), syms, 1)
	if _, err := m.Match(tree, 100_000); err != index.BudgetError(100_000) {
		t.Errorf("matching within a budget: %v", err)
	}
	if _, err := m.Match(tree, 0); !errors.As(err, &tooMany) {
		t.Errorf("matching: %v", err)
	}
	k := space.NewKernel(syms, 1)
	p, err := k.Prepare(tree)
	if err != nil {
		t.Fatal(err)
	}
	want := choose(120, 60) - 1 // Σ C(60,r)² without the empty tree
	if got := k.Eval(p, p).Float(); math.Abs(got/want-1) > 1e-9 {
		t.Errorf("kernel %v, want %v", got, want)
	}
	if n := len(space.Locate(tree, code, syms)); n != index.MaxLocated {
		t.Errorf("%d embeddings located", n)
	}
	// Locate ends soon for a fragment that nearly fits in very many places but occurs nowhere.
	tree.Tokens[59].Form = syms.Intern(index.Words, []byte("b"))
	tree.Tokens[0].Head, tree.Tokens[1].Head = 2, 0
	c, err := space.ParseText("(a (a (a (a (a (a (a (a (a (b (a)))))))))))", syms)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(space.Locate(tree, c, syms)); n != 0 {
		t.Errorf("%d embeddings located", n)
	}
}

// A root with 59 equal leaves has more embeddings of a fragment than 32 bits can count. Growth must return an
// error.
func TestManyLeaves(t *testing.T) {
	space := newSpace(t, "")
	tree, syms := chain(60)
	for i := range tree.Tokens {
		tree.Tokens[i].Head = min(int32(i), 1)
	}
	it := space.NewItems(syms)
	it.Add(0, tree, index.All, index.Limits{})
	it.Seal()
	var tooMany *index.OccurrenceError
	if _, err := it.Grow(index.All, index.Weights{}, index.Limits{}, spacetest.Everything{}); !errors.As(err, &tooMany) || tooMany.Limit != math.MaxUint32 {
		t.Errorf("growth: %v", err)
	}
}

// A root with 1,100 equal leaves has a kernel that does not fit a float64.
func TestKernelOverflows(t *testing.T) {
	tree, syms := chain(1101)
	for i := range tree.Tokens {
		tree.Tokens[i].Head = min(int32(i), 1)
	}
	k := newSpace(t, "").NewKernel(syms, 1)
	p, err := k.Prepare(tree)
	if err != nil {
		t.Fatal(err)
	}
	x := k.Eval(p, p)
	// C(2200, 1100) is about 2^2200 / √(1100π).
	if log := float64(x.Exp) + math.Log2(x.Mant); math.Abs(log-(2200-math.Log2(1100*math.Pi)/2)) > 0.01 {
		t.Errorf("2^%v", log)
	}
}

// Prepare refuses a tree whose kernel would take too many steps. A chain or a comb to one side takes few
// steps, but a comb with alternating sides takes too many.
func TestKernelSize(t *testing.T) {
	space := newSpace(t, "")
	tree, syms := chain(1000)
	k := space.NewKernel(syms, 1)
	p, err := k.Prepare(tree)
	if err != nil {
		t.Fatal(err)
	}
	// C(2000, 1000) is about 2^2000 / √(1000π).
	x := k.Eval(p, p)
	if log := float64(x.Exp) + math.Log2(x.Mant); math.Abs(log-(2000-math.Log2(1000*math.Pi)/2)) > 0.01 {
		t.Errorf("2^%v", log)
	}
	var size *SizeError
	tree, _ = chain(maxNodes + 1)
	if _, err := k.Prepare(tree); !errors.As(err, &size) {
		t.Errorf("%d nodes: %v", maxNodes+1, err)
	}
	// Each inner node has a leaf and the next inner node. The leaf is always first, or it is in turn first
	// and last.
	comb := func(n int, turn bool) *index.Tree {
		tree := &index.Tree{Kind: index.Dependency, Tokens: make([]index.Token, 2*n)}
		lo, hi := 0, 2*n-1
		for head := int32(0); lo < hi; {
			at, leaf := lo, lo+1
			lo += 2
			if turn && n%2 == 0 {
				at, leaf = hi, hi-1
				lo, hi = lo-2, hi-2
			}
			n--
			tree.Tokens[at] = index.Token{Form: 1, Head: head}
			tree.Tokens[leaf] = index.Token{Form: 1, Head: int32(at) + 1}
			head = int32(at) + 1
		}
		return tree
	}
	if _, err := k.Prepare(comb(800, false)); err != nil {
		t.Error(err)
	}
	if _, err := k.Prepare(comb(800, true)); !errors.As(err, &size) {
		t.Errorf("in turn: %v", err)
	}
}

// The kernel of two trees stays the same if both trees are mirrored.
func TestKernelMirrored(t *testing.T) {
	trees, syms := spacetest.Corpus(spacetest.Brackets, 1, 8, 30)
	space := newSpace(t, "")
	k := space.NewKernel(syms, 0.4).(*kernel)
	for _, x := range trees {
		for _, y := range trees {
			a, err := k.Prepare(x)
			if err != nil {
				t.Fatal(err)
			}
			b, err := k.Prepare(y)
			if err != nil {
				t.Fatal(err)
			}
			want := k.Eval(a, b).Float() // fills a and b of k
			for way := range k.a {
				of := func(x float64) index.Float { return index.Float(x) }
				if got := float64(k.float.sum(&k.a[way], &k.b[way], 0.4, of)); math.Abs(got-want) > 1e-12*want {
					t.Errorf("%v, mirrored %v", want, got)
				}
			}
		}
	}
}

func TestOptions(t *testing.T) {
	for options, id := range map[string]string{"": "emb", "unit=form": "emb", "unit=xpos": "emb:unit=xpos"} {
		if got := newSpace(t, options).ID(); got != id {
			t.Errorf("%s is %s", options, got)
		}
	}
	for _, bad := range []string{"unit=word", "unit=form,unit=form"} {
		if _, err := New(spacetest.Options(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestText(t *testing.T) {
	s := index.NewSymbols()
	for _, name := range []string{"S", "NP", "", "(", "A B"} {
		s.Intern(index.Labels, []byte(name))
	}
	for _, name := range []string{"the", ")", ""} {
		s.Intern(index.Words, []byte(name))
	}
	space := newSpace(t, "")
	for _, good := range []string{"(S)", "the", `(S (NP the \)) (\( (A\sB)))`, `(\e \e (\e (S)) \e)`} {
		c, err := space.ParseText(good, s)
		if err != nil {
			t.Errorf("%s: %v", good, err)
		} else if text := string(space.AppendText(nil, c, s)); text != good {
			t.Errorf("%s prints as %s", good, text)
		}
	}
	for _, absent := range []string{"(S (VP))", "(the)", "S"} {
		if _, err := space.ParseText(absent, s); !errors.Is(err, index.ErrAbsent) {
			t.Errorf("%s: %v", absent, err)
		}
	}
	for _, bad := range []string{"", "()", "(S", "(S))", "(S) (S)", "the the", "(S) the", `(S \q)`, "( S)"} {
		if _, err := space.ParseText(bad, s); err == nil || errors.Is(err, index.ErrAbsent) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, bad := range [][]index.Step{
		nil,
		{{Off: 1, Sym: 2}},
		{{Off: 0, Sym: 2}, {Off: 0, Sym: 2}},
		{{Off: 0, Sym: 2}, {Off: 2, Sym: 2}},
		{{Off: 0, Sym: 18}},
		{{Off: 0, Sym: 0}},
		{{Off: 0, Sym: 1}},
		{{Off: 0, Sym: 3}, {Off: 1, Sym: 3}},
	} {
		if err := space.Check(index.EncodeSteps(nil, bad), s); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

// hostile returns a space and a few random trees for a fuzz test, both chosen by the number `v`.
func hostile(t testing.TB, v uint) *spacetest.Case {
	trees, syms := spacetest.Corpus(spacetest.Shape(v/4%3), uint64(v), 3, 7)
	return &spacetest.Case{Space: newSpace(t, variants[v%uint(len(variants))]), Trees: trees, Symbols: syms}
}

func FuzzCode(f *testing.F) {
	f.Add(uint(0), []byte{0, 2, 1, 2, 2, 3, 1, 4})
	f.Add(uint(8), []byte{0, 3, 1, 3, 1, 3})
	f.Fuzz(func(t *testing.T, v uint, c []byte) { hostile(t, v).Code(t, c) })
}

func FuzzText(f *testing.F) {
	f.Add(uint(0), `(A (B a \() b)`)
	f.Fuzz(func(t *testing.T, v uint, text string) { hostile(t, v).Text(t, text) })
}
