package dep

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/spacetest"
)

// checkCode reports whether a code passes Check. If it does, its text must read back, and its parts must be
// codes.
func checkCode(t testing.TB, o options, c index.Code, trees []*index.Tree, s *index.Symbols) (ok bool) {
	t.Helper()
	if o.space.Check(c, s) != nil {
		return false
	}
	text := string(o.space.AppendText(nil, c, s))
	back, err := o.space.ParseText(text, s)
	if err != nil || !bytes.Equal(back, c) {
		t.Fatalf("%x: %s reads back as %x, %v", []byte(c), text, []byte(back), err)
	}
	for _, p := range o.space.Parts(nil, c, s) {
		if err := o.space.Check(p, s); err != nil || p.Len() != c.Len()-1 {
			t.Fatalf("%s, without an arc: %x, %v", text, []byte(p), err)
		}
	}
	for _, tree := range trees {
		o.space.Locate(tree, c, s)
	}
	return true
}

// hostileCode returns random steps, sometimes with a random byte.
func hostileCode(r *rand.Rand, s *index.Symbols) (c index.Code) {
	for i := range 1 + r.IntN(5) {
		st := index.Step{Off: uint32(r.IntN(i + 1 + r.IntN(2))), Sym: 1 + r.Uint32N(uint32(s.Len(index.Features))+1)}
		c = index.AppendStep(c, st)
	}
	if r.IntN(8) == 0 {
		c[r.IntN(len(c))] = byte(r.Uint32())
	}
	return c
}

func TestHostileCodes(t *testing.T) {
	good := 0
	for _, v := range variants {
		o := newSpace(t, v)
		trees, s := corpus(5, o.space, 4, 6)
		// The symbols also have features of another space, and texts that only look like features.
		other := newSpace(t, "template=h.lemma+dist")
		for _, tree := range trees {
			index.Prepare(other.space, tree, s)
		}
		for _, key := range []string{"\x01", "\x01\x80\x00\x01\x01", "\x02\xff\xff\xff\xff\x0f", "", "\x00no+template", "\x01\x01\x01\x01\x01\x01\x01\x01"} {
			s.Intern(index.Features, []byte(key))
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 1500 {
			if checkCode(t, o, hostileCode(r, s), trees, s) {
				good++
			}
		}
	}
	if good < 2_000 {
		t.Errorf("%d of the codes pass Check: too few to tell", good)
	}
}

func FuzzCode(f *testing.F) {
	type made struct {
		o     options
		trees []*index.Tree
		s     *index.Symbols
	}
	var all []made
	for _, v := range variants {
		o := newSpace(f, v)
		trees, s := corpus(5, o.space, 4, 6)
		all = append(all, made{o, trees, s})
	}
	f.Add(uint(0), []byte{0, 2, 1, 3})
	f.Fuzz(func(t *testing.T, v uint, c []byte) {
		m := all[v%uint(len(all))]
		checkCode(t, m.o, c, m.trees, m.s)
	})
}

func FuzzText(f *testing.F) {
	f.Add(uint(0), "N >r (V >s N) >t V")
	f.Add(uint(2), "V < (N < N > V)")
	f.Add(uint(5), "* >rel=r * <h.upos=N+m.upos=V (* >rel=s *)")
	f.Fuzz(func(t *testing.T, v uint, text string) {
		o := newSpace(t, variants[v%uint(len(variants))])
		trees, s := corpus(5, o.space, 4, 6)
		c, err := o.space.ParseText(text, s)
		if err != nil {
			return
		}
		if !checkCode(t, o, c, trees, s) {
			// If a template has the direction, a text can have left and right in a wrong order.
			if o.space.labels != nil && o.space.labels.dir >= 0 {
				return
			}
			t.Fatalf("%q is %x: %v", text, []byte(c), o.space.Check(c, s))
		}
	})
}

// Matching over an index with a damaged byte must not panic.
func TestMatcherOnDamagedIndex(t *testing.T) {
	for _, v := range []string{"siblings=side,template=rel,template=h.upos+m.upos", "siblings=any,ordered=false"} {
		o := newSpace(t, v)
		trees, s := corpus(6, o.space, 7, 9)
		rec := &recorder{o: o, s: s}
		growAll(t, rec, trees, everything, index.Limits{MaxOrder: 3}, false)
		raw := bytes.Clone(spacetest.Index(t, rec.codes).Raw())
		if len(rec.codes) < 60 {
			t.Fatalf("%d codes are too few for this test", len(rec.codes))
		}
		for i := range raw {
			flip := []byte{1, 0x80, 0xFF}[i%3]
			raw[i] ^= flip
			if y, err := expansion.Parse(bytes.Clone(raw)); err == nil {
				m := o.space.NewMatcher(y, s, 1)
				for _, tree := range trees {
					_, _ = m.Match(tree, 10_000)
				}
			}
			raw[i] ^= flip
		}
	}
}

// flat is a head with n dependents that are all alike, or all different.
func flat(s *index.Symbols, sp *Space, n int, alike bool) *index.Tree {
	t := &index.Tree{Kind: index.Dependency, Name: "flat"}
	word := func(x string) uint32 { return s.Intern(index.Words, []byte(x)) }
	t.Tokens = append(t.Tokens, index.Token{UPOS: word("H"), Rel: word("root")})
	for i := range n {
		rel := "r"
		if !alike {
			rel = fmt.Sprint("r", i)
		}
		t.Tokens = append(t.Tokens, index.Token{UPOS: word("D"), Rel: word(rel), Head: 1})
	}
	sp.Prepare(t, s)
	return t
}

// A node with sixty dependents has 2^60 subtrees if siblings=any. Growth of any order must end with an error.
// A kernel that lists fragments must return an error, and another kernel must be exact.
func TestSixtyDependents(t *testing.T) {
	for _, v := range []string{"siblings=any,max-span=0", "siblings=any,max-span=0,ordered=false"} {
		o := newSpace(t, v)
		grow := func(alike bool, order int) error {
			s := index.NewSymbols()
			l := index.Limits{MaxOrder: order}
			it := o.space.NewItems(s)
			tree := flat(s, o.space, 60, alike)
			it.Add(0, tree, index.All, l)
			it.Seal()
			_, err := it.Grow(index.All, index.Weights{}, l, &spacetest.Limited{Left: 300_000})
			return err
		}
		if err := grow(false, 0); !errors.Is(err, spacetest.ErrLimit) {
			t.Errorf("%s, all different: %v", v, err)
		}
		var often *index.OccurrenceError
		if err := grow(true, 0); !errors.As(err, &often) {
			t.Errorf("%s, all alike: %v", v, err)
		}
		// 60 over 4 is 487,635.
		if err := grow(true, 4); err != nil {
			t.Errorf("%s, all alike, order 4: %v", v, err)
		}
		s := index.NewSymbols()
		tree := flat(s, o.space, 60, true)
		k := o.space.NewKernel(s, 1)
		p, err := k.Prepare(tree)
		if o.Ordered {
			// Σ over n of (60 over n)² - 1 = (120 over 60) - 1
			if got := k.Eval(p, p).Float(); err != nil || got < 9.6614908840363e34 || got > 9.6614908840364e34 {
				t.Errorf("%s: kernel %v, %v", v, got, err)
			}
		} else if err == nil {
			t.Errorf("%s: the kernel listed 2^60 fragments", v)
		}
	}
	// A long chain of heads with two dependents each does not overflow a kernel.
	o := newSpace(t, "siblings=any,max-span=0")
	s := index.NewSymbols()
	tree := &index.Tree{Kind: index.Dependency}
	x := s.Intern(index.Words, []byte("x"))
	for i := range 1500 {
		tree.Tokens = append(tree.Tokens, index.Token{UPOS: x, Rel: x, Head: int32((i + 1) / 2)})
	}
	k := o.space.NewKernel(s, 1)
	p, err := k.Prepare(tree)
	if err != nil {
		t.Fatal(err)
	}
	got := k.Eval(p, p)
	if got.Exp < 1100 || index.Normalized(got, got, got) != 1 {
		t.Errorf("%v", got)
	}
}

// within returns how many sets of k of n dependents lie within `span` neighbouring dependents.
func within(n, span, k int) (sets float64) {
	for rest := range n { // dependents behind the first
		c := 1.0
		for i := range k - 1 {
			c = c * float64(min(rest, span-1)-i) / float64(i+1)
		}
		sets += c
	}
	return sets
}

// With max-span, growth, matching and kernels end soon even for a head with 250 dependents, and count right.
func TestManyDependents(t *testing.T) {
	const order = 3
	for _, v := range []string{"siblings=any", "siblings=any,max-span=8,ordered=false"} {
		for _, n := range []int{60, 250} {
			for _, alike := range []bool{true, false} {
				o := newSpace(t, v)
				s := index.NewSymbols()
				trees := []*index.Tree{flat(s, o.space, n, alike), flat(s, o.space, n, alike)}
				rec := &recorder{o: o, s: s}
				growAll(t, rec, trees, everything, index.Limits{MinSupport: 2, MaxOrder: order}, false)
				var found, want [order + 1]float64
				for _, r := range rec.rows {
					found[r.Order] += float64(r.Occ[0])
				}
				kernel := 0.0
				for k := 1; k <= order; k++ {
					want[k] = within(n, o.MaxSpan, k)
				}
				if found != want {
					t.Errorf("%s, %d dependents, alike %v: occurrences by order %v, want %v", v, n, alike, found, want)
				}
				hits, err := o.space.NewMatcher(spacetest.Index(t, rec.codes), s, 1).Match(trees[1], 20_000_000)
				if err != nil || len(hits) != len(rec.codes) {
					t.Errorf("%s, %d dependents, alike %v: %d hits of %d, %v", v, n, alike, len(hits), len(rec.codes), err)
				}
				for k := 1; k <= o.MaxSpan; k++ {
					if c := within(n, o.MaxSpan, k); alike {
						kernel += c * c
					} else {
						kernel += c
					}
				}
				k := o.space.NewKernel(s, 1)
				p, err := k.Prepare(trees[0])
				if err != nil {
					t.Fatal(err)
				}
				if got := k.Eval(p, p).Float(); math.Abs(got-kernel) > 1e-9*kernel {
					t.Errorf("%s, %d dependents, alike %v: kernel %v, want %v", v, n, alike, got, kernel)
				}
			}
		}
	}
}

// Without order, the kernel lists the fragments of a tree. For a chain of 800 arcs it must return an error,
// whether the arcs are equal or not.
func TestChainWithoutOrder(t *testing.T) {
	o := newSpace(t, "siblings=any,ordered=false,template=rel+h.form+m.form+h.lemma+m.lemma+h.upos+m.upos+h.xpos+m.xpos")
	for _, equal := range []bool{true, false} {
		s := index.NewSymbols()
		tree := &index.Tree{Kind: index.Dependency}
		for i := range 800 {
			word := s.Intern(index.Words, fmt.Append(nil, 1<<14+i))
			if equal {
				word = 1
			}
			tree.Tokens = append(tree.Tokens, index.Token{Head: int32(i), Form: word, Lemma: word, UPOS: word, XPOS: word, Rel: 1})
		}
		_, err := o.space.NewKernel(s, 1).Prepare(tree)
		var often *index.OccurrenceError
		var long *ListError
		if equal && !errors.As(err, &often) || !equal && !errors.As(err, &long) {
			t.Errorf("equal arcs %v: %v", equal, err)
		}
	}
}
