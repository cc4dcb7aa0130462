package gradient

import (
	"bytes"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fstore/index"
	"fstore/index/spaces"
)

// lists are random lists of candidates, whose trees fit one space.
type lists struct {
	Problem
	space index.Space
	syms  *index.Symbols
	trees []*index.Tree // by sample
	has   []map[string]bool
}

// newLists makes n lists of up to most candidates. The candidates of a list share the words of their sentence
// and many arcs. A random candidate is gold, and some others have the same structure as gold.
func newLists(t *testing.T, space string, seed uint64, n, most int, maxOrder int) *lists {
	req, err := spaces.Parse(space)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 5))
	l := &lists{space: req.Space, syms: index.NewSymbols()}
	l.Classes = 1
	for range n {
		first := l.tree(r)
		from := uint32(len(l.trees))
		for range 1 + r.IntN(most) {
			x := first.Clone()
			for range r.IntN(3) {
				l.move(r, x)
			}
			l.trees = append(l.trees, x)
		}
		l.Samples = uint32(len(l.trees))
		gold := from + uint32(r.IntN(int(l.Samples-from)))
		for i := range l.trees[gold].Tokens { // something to learn
			if k := &l.trees[gold].Tokens[i]; r.IntN(3) > 0 {
				k.Rel = k.UPOS
			}
		}
		l.Lists = append(l.Lists, List{from, l.Samples, gold})
		for k := from; k < l.Samples; k++ {
			l.Same = append(l.Same, k == gold || r.IntN(8) == 0)
		}
	}
	for _, x := range l.trees {
		index.Prepare(l.space, x, l.syms)
	}
	for _, x := range l.trees {
		l.has = append(l.has, l.fragments(t, x, maxOrder))
	}
	return l
}

func (l *lists) word(r *rand.Rand, choices string) uint32 {
	return l.syms.Intern(index.Words, []byte{choices[r.IntN(len(choices))]})
}

func (l *lists) tree(r *rand.Rand) *index.Tree {
	x := &index.Tree{Kind: index.Dependency}
	for range 1 + r.IntN(7) {
		x.Tokens = append(x.Tokens, index.Token{Form: l.word(r, "ab"), UPOS: l.word(r, "NV"), Rel: l.word(r, "rs")})
	}
	for range 2 * len(x.Tokens) {
		l.move(r, x)
	}
	return x
}

// move gives a token another head, or another relation.
func (l *lists) move(r *rand.Rand, x *index.Tree) {
	m := r.IntN(len(x.Tokens))
	if r.IntN(4) == 0 {
		x.Tokens[m].Rel = l.word(r, "rs")
		return
	}
	h := int32(r.IntN(len(x.Tokens) + 1))
	for up := h; up > 0; up = x.Tokens[up-1].Head {
		if int(up-1) == m {
			return
		}
	}
	x.Tokens[m].Head = h
}

// everyCode is a visitor that collects the codes of all fragments.
type everyCode struct{ codes map[string]bool }

func (v everyCode) Visit(b *index.Batch) error {
	for i := range b.Len() {
		v.codes[string(b.Parent)+string(b.SuffixOf(i))] = true
		b.Descend[i] = true
	}
	return nil
}

// fragments returns the codes of the fragments of one tree.
func (l *lists) fragments(t *testing.T, x *index.Tree, maxOrder int) map[string]bool {
	items := l.space.NewItems(l.syms)
	limits := index.Limits{MinSupport: 1, MaxOrder: maxOrder}
	items.Add(0, x, index.All, limits)
	items.Seal()
	v := everyCode{map[string]bool{}}
	if _, err := items.Grow(index.All, index.Weights{}, limits, v); err != nil {
		t.Fatal(err)
	}
	return v.codes
}

// brute runs Algorithm 1 by brute force, with maps.
type brute struct {
	*lists
	o    Options
	w    map[string]float64 // by class and code
	now  float64
	from float64

	iterations []Iteration
	s          []map[string][2]uint32 // S of each iteration, with #f⁺ and #f⁻
}

func (l *lists) brute(o Options) *brute {
	b := &brute{lists: l, o: o, w: map[string]float64{}, from: o.Step}
	b.now = b.objective(b.w)
	for t := 1; t <= o.Iterations && b.iterate(t); t++ {
	}
	return b
}

// features returns the features of a candidate. Each is the candidate's class and the code of a fragment.
func (b *brute) features(candidate uint32) (all []string) {
	for code := range b.has[candidate/b.Classes] {
		all = append(all, string(rune('0'+candidate%b.Classes))+code)
	}
	slices.Sort(all)
	return all
}

func (b *brute) scoreOf(w map[string]float64, candidate uint32) (sum float64) {
	if b.Base != nil {
		sum = b.Base[candidate]
	}
	for _, x := range b.features(candidate) {
		sum += w[x]
	}
	return sum
}

func (b *brute) bestOf(w map[string]float64, l List) (best uint32, value float64) {
	gold := b.scoreOf(w, l.Gold)
	best, most := l.Gold, gold
	for n := l.From; n < l.To; n++ {
		s := b.scoreOf(w, n)
		if !b.Same[n] {
			s++
		}
		if s > most {
			best, most = n, s
		}
	}
	return best, most - gold
}

func (b *brute) objective(w map[string]float64) (sum float64) {
	for _, code := range slices.Sorted(maps.Keys(w)) {
		sum += float64(b.o.C) * math.Abs(w[code])
	}
	for _, l := range b.Lists {
		_, value := b.bestOf(w, l)
		sum += value
	}
	return sum
}

func (b *brute) iterate(t int) (more bool) {
	i := Iteration{Iteration: t, Before: b.now, Objective: b.now}
	counts := map[string][2]uint32{}
	for _, l := range b.Lists {
		best, _ := b.bestOf(b.w, l)
		if b.Same[best] {
			continue
		}
		i.Wrong++
		for side, sample := range [...]uint32{l.Gold, best} {
			for _, code := range b.features(sample) {
				n := counts[code]
				n[side]++
				counts[code] = n
			}
		}
	}
	s := map[string][2]uint32{}
	for code, n := range counts {
		if max(n[0], n[1]) > b.o.C {
			s[code] = n
		}
	}
	for code, w := range b.w {
		if w != 0 {
			s[code] = counts[code]
		}
	}
	b.s = append(b.s, s)
	moves := false
	for code, n := range s {
		moves = moves || b.o.Update.slope(b.w[code], float64(n[0])-float64(n[1]), float64(b.o.C)) != 0
	}
	for alpha := b.from; moves && i.Tried < halvings; alpha /= 2 {
		i.Tried++
		w := map[string]float64{}
		for code, n := range s {
			d := float64(n[0]) - float64(n[1])
			x := b.w[code]
			if b.o.Update == Literal {
				x += alpha * (d + float64(b.o.C)*sign(x))
			} else if x += alpha * d; math.Abs(x) <= alpha*float64(b.o.C) {
				x = 0
			} else {
				x -= alpha * float64(b.o.C) * sign(x)
			}
			if x != 0 {
				w[code] = x
			}
		}
		now := b.objective(w)
		if b.o.Update == Literal || now < b.now*(1-1e-9) {
			b.w, b.now, b.from = w, now, 2*alpha
			if b.o.Update == Literal {
				b.from = alpha
			}
			i.Step, i.Objective = alpha, now
			break
		}
	}
	i.Weights = uint64(len(b.w))
	b.iterations = append(b.iterations, i)
	return i.Step > 0
}

// orders counts the features of S by order.
func (b *brute) orders(s map[string][2]uint32) (counts []uint64) {
	for code := range s {
		order := index.Code(code[1:]).Len()
		for order > len(counts) {
			counts = append(counts, 0)
		}
		counts[order-1]++
	}
	return counts
}

// kept returns the fragments of a class in code order, as Result.Each gives them.
func (b *brute) kept(class int) (all []Fragment) {
	for x, n := range b.s[len(b.s)-1] {
		code := x[1:]
		if int(x[0]-'0') != class || b.o.Keep == KeepWeights && b.w[x] == 0 {
			continue
		}
		all = append(all, Fragment{0, index.Code(code), index.Code(code).Len(), b.w[x], n[0], n[1]})
	}
	slices.SortFunc(all, func(x, y Fragment) int { return bytes.Compare(x.Code, y.Code) })
	return all
}

// labelled turns the lists into a problem of classification, in which each tree has a label.
func (l *lists) labelled(classes uint32) *lists {
	c := *l
	c.Problem = Problem{Samples: uint32(len(l.trees)), Classes: classes, Same: make([]bool, len(l.trees)*int(classes))}
	for sample, x := range l.trees {
		from := uint32(sample) * classes
		gold := from + (uint32(len(x.Tokens))+x.Tokens[0].UPOS)%classes
		c.Lists = append(c.Lists, List{from, from + classes, gold})
		c.Same[gold] = true
	}
	return &c
}
