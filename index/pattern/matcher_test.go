package pattern

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fstore/index"
)

// A wish is a random pattern, with its text and the conditions of its nodes.
type wish struct {
	text string
	is   func(w *world, i int) bool // a node of the tree may be it
	word bool
	side side
	rel  string // "" is any
	kids []*wish
	gaps []bool // in brackets
	free int    // the last of kids, dependents on either side
	seq  int    // among the kids, as the text has them
}

// world is a tree as the tests see it.
type world struct {
	t    *index.Tree
	syms *index.Symbols
}

func (w *world) text(c index.Class, id uint32) string { return string(w.syms.Bytes(c, id)) }

// parent returns the parent of a node, -1 for none.
func (w *world) parent(i int) int {
	if w.t.Kind == index.Dependency {
		return int(w.t.Tokens[i].Head) - 1
	}
	return int(w.t.Nodes[i].Parent)
}

func (w *world) size() int { return len(w.t.Nodes) + len(w.t.Tokens) }

// rank returns the position of a node among the children of its parent, and the number of these children.
func (w *world) rank(i int) (rank, of int) {
	for k := range w.size() {
		if w.parent(k) == w.parent(i) {
			if of++; k < i {
				rank++
			}
		}
	}
	return rank, of
}

// flat calls f with a pattern node and all nodes below it. The place of a node is its index among the kids of
// its parent.
func (p *wish) flat(parent *wish, place int, f func(p, parent *wish, place int)) {
	f(p, parent, place)
	for k, kid := range p.kids {
		kid.flat(p, k, f)
	}
}

// bruteHits tries every assignment of tree nodes to pattern nodes, and returns those that fit. A row has the
// order of (*wish).flat.
func bruteHits(w *world, root *wish) (rows [][]int) {
	type want struct {
		p, parent *wish
		place     int
	}
	var wants []want
	number := map[*wish]int{}
	root.flat(nil, 0, func(p, parent *wish, place int) {
		number[p] = len(wants)
		wants = append(wants, want{p, parent, place})
	})
	row := make([]int, 0, len(wants))
	var try func()
	try = func() {
		if len(row) == len(wants) {
			rows = append(rows, slices.Clone(row))
			return
		}
		x := wants[len(row)]
		for i := range w.size() {
			if slices.Contains(row, i) || !x.p.is(w, i) {
				continue
			}
			if x.parent != nil && (w.parent(i) != row[number[x.parent]] || !w.stands(x.p, x.parent, x.place, i, row, number)) {
				continue
			}
			row = append(row, i)
			if w.closes(x.p, i) {
				try()
			}
			row = row[:len(row)-1]
		}
	}
	try()
	return rows
}

// stands reports whether node i fits the place of the pattern node p among its siblings.
func (w *world) stands(p, parent *wish, place, i int, row []int, number map[*wish]int) bool {
	head := row[number[parent]]
	if w.t.Kind == index.Dependency {
		if p.rel != "" && p.rel != w.text(index.Words, w.t.Tokens[i].Rel) || p.side == left && i > head || p.side == right && i < head {
			return false
		}
		return place == 0 || place >= len(parent.kids)-parent.free || row[number[parent.kids[place-1]]] < i
	}
	rank, of := w.rank(i)
	before := -1
	if place > 0 {
		before, _ = w.rank(row[number[parent.kids[place-1]]])
	}
	if rank <= before || !parent.gaps[place] && rank != before+1 {
		return false
	}
	return place < len(parent.kids)-1 || parent.gaps[place+1] || rank == of-1
}

// closes reports false if node i has children but the pattern node p allows none.
func (w *world) closes(p *wish, i int) bool {
	if w.t.Kind == index.Dependency || len(p.kids) > 0 || p.gaps[0] {
		return true
	}
	return w.t.Nodes[i].Size == 1
}

func randomBrackets(r *rand.Rand, t *index.Tree, syms *index.Symbols) {
	b := index.Builder{Symbols: syms}
	b.Start(t, false)
	var grow func(depth int)
	grow = func(depth int) {
		b.Open([]byte([]string{"NP", "NX", "VP"}[r.IntN(3)]))
		for range r.IntN(4) {
			if depth == 0 || r.IntN(3) == 0 {
				b.Word([]byte([]string{"a", "A", "b"}[r.IntN(3)]))
			} else {
				grow(depth - 1)
			}
		}
		b.Close()
	}
	grow(3)
}

func randomArcs(r *rand.Rand, t *index.Tree, syms *index.Symbols) {
	t.Reset()
	t.Kind = index.Dependency
	pick := func(of ...string) uint32 { return syms.Intern(index.Words, []byte(of[r.IntN(len(of))])) }
	n := 1 + r.IntN(8)
	order := r.Perm(n)
	t.Tokens = make([]index.Token, n)
	for k, i := range order {
		t.Tokens[i] = index.Token{
			Form: pick("Give", "give", "to"), Lemma: pick("give", "to"), UPOS: pick("V", "N"), XPOS: pick("VB", "VBD"),
			Feats: pick("_", "Number=Plur", "Case=Nom|Number=Plur"), Rel: pick("obj", "obl", "obl:agent"), Misc: pick("_", "SpaceAfter=No|X"),
		}
		if k > 0 && r.IntN(6) > 0 {
			t.Tokens[i].Head = int32(order[r.IntN(k)]) + 1
		}
	}
}

// randomBracketWish makes a pattern of brackets.
func randomBracketWish(r *rand.Rand, depth int) *wish {
	name, is := randomName(r, []string{"NP", "NX", "VP"})
	p := &wish{is: func(w *world, i int) bool {
		k := &w.t.Nodes[i]
		return !k.Word && is(w.text(index.Labels, k.Sym))
	}}
	if depth == 0 || r.IntN(4) == 0 {
		p.gaps = []bool{true}
		p.text = "(" + name + ")"
		if r.IntN(3) == 0 {
			word, is := randomName(r, []string{"a", "b", "A"})
			p.text, p.word = word, true
			p.is = func(w *world, i int) bool {
				k := &w.t.Nodes[i]
				return k.Word && is(w.text(index.Words, k.Sym))
			}
		}
		return p
	}
	p.text = "(" + name
	for range 1 + r.IntN(3) {
		gap := r.IntN(2) == 0
		if gap {
			p.text += strings.Repeat(" ...", 1+r.IntN(2))
		}
		kid := randomBracketWish(r, depth-1)
		p.gaps, p.kids = append(p.gaps, gap), append(p.kids, kid)
		p.text += " " + kid.text
	}
	last := r.IntN(2) == 0
	if last {
		p.text += " ..."
	}
	p.gaps = append(p.gaps, last)
	p.text += ")"
	return p
}

// randomName returns a random pattern for names, and a function that reports whether a name fits it.
func randomName(r *rand.Rand, all []string) (string, func(string) bool) {
	a, b := all[r.IntN(len(all))], all[r.IntN(len(all))]
	switch r.IntN(6) {
	case 0:
		return "_", func(string) bool { return true }
	case 1:
		return a + "|" + b, func(s string) bool { return s == a || s == b }
	case 2:
		return a[:1] + "*", func(s string) bool { return strings.HasPrefix(s, a[:1]) }
	case 3:
		return "/i/" + strings.ToUpper(a), func(s string) bool { return strings.EqualFold(s, a) }
	}
	return a, func(s string) bool { return s == a }
}

// randomArcWish makes a pattern of arcs.
func randomArcWish(r *rand.Rand, depth int) *wish {
	name, isTag := randomName(r, []string{"V", "N"})
	p := &wish{}
	tests := []func(w *world, t *index.Token) bool{func(w *world, t *index.Token) bool { return isTag(w.text(index.Words, t.UPOS)) }}
	for range r.IntN(3) {
		text, is := randomCondition(r)
		name += text
		tests = append(tests, is)
	}
	p.is = func(w *world, i int) bool {
		return !slices.ContainsFunc(tests, func(is func(w *world, t *index.Token) bool) bool { return !is(w, &w.t.Tokens[i]) })
	}
	var lefts, rights, free []*wish
	var before, after string
	for seq := range r.IntN(3) * min(depth, 1) {
		kid := randomArcWish(r, depth-1)
		kid.seq = seq
		kid.rel = []string{"obj", "obl", "obl:agent", ""}[r.IntN(4)]
		rel, text := kid.rel, kid.text
		if rel == "" {
			rel = "_"
		}
		if strings.Contains(text, " ") {
			text = "(" + text + ")"
		}
		switch kid.side = side(r.IntN(3)); kid.side {
		case left:
			before += text + " <" + rel + " "
			lefts = append(lefts, kid)
		case right:
			after += " >" + rel + " " + text
			rights = append(rights, kid)
		default:
			after += " <>" + rel + " " + text
			free = append(free, kid)
		}
	}
	p.kids, p.free = slices.Concat(lefts, rights, free), len(free)
	p.text = before + name + after
	return p
}

func randomCondition(r *rand.Rand) (string, func(w *world, t *index.Token) bool) {
	fields := []struct {
		name string
		of   func(t *index.Token) uint32
		all  []string
	}{
		{"form", func(t *index.Token) uint32 { return t.Form }, []string{"give", "to"}},
		{"lemma", func(t *index.Token) uint32 { return t.Lemma }, []string{"give", "to"}},
		{"xpos", func(t *index.Token) uint32 { return t.XPOS }, []string{"VB", "VBD"}},
		{"feats", func(t *index.Token) uint32 { return t.Feats }, []string{"Number=Plur"}},
	}
	if r.IntN(4) == 0 {
		return "[feats~Number=Plur]", func(w *world, t *index.Token) bool {
			return strings.Contains(w.text(index.Words, t.Feats), "Number=Plur")
		}
	}
	f := fields[r.IntN(len(fields))]
	name, is := randomName(r, f.all)
	return "[" + f.name + "=" + name + "]", func(w *world, t *index.Token) bool { return is(w.text(index.Words, f.of(t))) }
}

// The matcher finds the same hits, places and assignments as brute force.
func TestMatcherFindsWhatBruteForceFinds(t *testing.T) {
	found := 0
	for seed := range uint64(12000) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := &world{t: new(index.Tree), syms: index.NewSymbols()}
		kind, p := index.Kind(seed%2), (*wish)(nil)
		if kind == index.Constituency {
			randomBrackets(r, w.t, w.syms)
			p = randomBracketWish(r, 2)
		} else {
			randomArcs(r, w.t, w.syms)
			p = randomArcWish(r, 2)
		}
		parsed, err := Parse(p.text, Options{Kind: kind})
		if err != nil {
			t.Fatalf("%s: %v", p.text, err)
		}
		want := bruteHits(w, p)
		m := NewMatcher(parsed, w.syms)
		hits, places, err := m.Count(w.t)
		roots := map[int]bool{}
		for _, row := range want {
			roots[row[0]] = true
		}
		if err != nil || hits != uint64(len(want)) || places != len(roots) {
			t.Fatalf("seed %d: %s has %d hits at %d places, want %d at %d; %v", seed, p.text, hits, places, len(want), len(roots), err)
		}
		compareRows(t, m, w.t, p, want)
		found += len(want)
	}
	if found < 4000 {
		t.Errorf("%d hits only", found)
	}
}

// compareRows compares the assignments that a matcher finds with those of brute force, in any order.
func compareRows(t *testing.T, m *Matcher, tree *index.Tree, p *wish, want [][]int) {
	t.Helper()
	place := textOrder(p)
	var all, got []string
	for _, row := range want {
		in := make([]int, len(row))
		for i, k := range place {
			in[k] = row[i]
		}
		all = append(all, fmt.Sprint(in))
	}
	m.Each(tree, func(row []int32) bool {
		got = append(got, fmt.Sprint(row))
		return true
	})
	slices.Sort(all)
	slices.Sort(got)
	if !slices.Equal(all, got) {
		t.Fatalf("%s: %v, want %v", p.text, got, all)
	}
	if len(all) > 1 {
		n := 0
		m.Each(tree, func([]int32) bool { n++; return n < 2 })
		if n != 2 {
			t.Fatalf("%s: %d hits before it ends at 2", p.text, n)
		}
	}
}

// textOrder returns the position of each node in the text. The nodes are in the order of (*wish).flat.
func textOrder(root *wish) []int {
	var flat []*wish
	root.flat(nil, 0, func(p, _ *wish, _ int) { flat = append(flat, p) })
	var order []*wish
	var write func(p *wish)
	write = func(p *wish) {
		var after []*wish
		for _, k := range p.kids {
			if k.side == left {
				write(k)
			}
		}
		order = append(order, p)
		for _, k := range p.kids {
			if k.side != left {
				after = append(after, k)
			}
		}
		slices.SortStableFunc(after, func(a, b *wish) int { return a.seq - b.seq })
		for _, k := range after {
			write(k)
		}
	}
	write(root)
	place := make([]int, len(flat))
	for i, p := range flat {
		place[i] = slices.Index(order, p)
	}
	return place
}
