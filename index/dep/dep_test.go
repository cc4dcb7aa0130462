package dep

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/brute"
	"fstore/index/internal/spacetest"
)

// options has a space, and its options in the form that brute force reads.
type options struct {
	brute.ArcOptions
	space *Space
}

func newSpace(t testing.TB, text string) options {
	t.Helper()
	o := options{ArcOptions: brute.ArcOptions{Siblings: "any", MaxSpan: 20, Ordered: true, Templates: []string{defaultTemplate}}}
	values := map[string][]string{}
	for kv := range strings.SplitSeq(text, ",") {
		if k, v, ok := strings.Cut(kv, "="); ok {
			values[k] = append(values[k], v)
		}
	}
	if v := values["siblings"]; v != nil {
		if o.Siblings = v[0]; v[0] != "any" {
			o.MaxSpan = 0
		}
	}
	if v := values["max-span"]; v != nil {
		o.MaxSpan, _ = strconv.Atoi(v[0])
	}
	o.Ordered = values["ordered"] == nil
	o.RootArcs = values["root-arcs"] != nil
	if v := values["template"]; v != nil {
		o.Templates = v
	}
	if v := values["words"]; v != nil {
		o.Words = v[0]
	}
	s, err := New(spacetest.Options(text))
	if err != nil {
		t.Fatal(err)
	}
	o.space = s
	return o
}

var variants = func() (all []string) {
	for _, rule := range []string{"siblings=adjacent", "siblings=side", "siblings=any", "siblings=any,ordered=false"} {
		for _, rest := range []string{
			"",
			",template=rel+h.upos+m.upos",
			",template=rel+h.upos+m.upos,root-arcs=true",
			",template=h.upos+m.upos",
			",template=rel+h.form+h.upos+m.form+m.upos+dir",
			",template=h.upos+m.upos+dir,root-arcs=true",
			",template=rel,template=h.upos+m.upos",
			",words=lemma",
			",words=form,template=h.upos+m.upos,root-arcs=true",
			",words=lemma,template=rel,template=m.upos",
			",template=rel+h.misc[G]+m.misc[G],template=h.deps+m-1.misc[X]",
			",template=h-1.feats+h+2.xpos,template=h.form+m+1.lemma+dist,template=h.upos+between,root-arcs=true",
		} {
			all = append(all, rule+rest)
		}
	}
	// The random trees are small, so max-span must be small to have an effect.
	for _, rule := range []string{"siblings=adjacent", "siblings=side", "siblings=any", "siblings=any,ordered=false"} {
		for _, rest := range []string{"1", "2,template=rel+h.upos+m.upos", "3,template=m.upos", "4,root-arcs=true,template=h.upos", "3,root-arcs=true,template=m.upos,template=m.lemma", "2,words=form,template=m.upos"} {
			all = append(all, rule+",max-span="+rest)
		}
	}
	return all
}()

func corpus(seed uint64, s *Space, n, size int) ([]*index.Tree, *index.Symbols) {
	r := rand.New(rand.NewPCG(seed, 2))
	syms := index.NewSymbols()
	var trees []*index.Tree
	for range n {
		t := &index.Tree{}
		if s.maxSpan > 0 && s.maxSpan < defaultMaxSpan { // heads with many dependents
			attach(r, syms, t, size+1-r.IntN(3), 1+r.IntN(2))
		} else {
			randomTree(r, syms, t, size)
		}
		s.Prepare(t, syms)
		trees = append(trees, t)
	}
	return trees, syms
}

func eachCorpus(t *testing.T, size int, f func(t *testing.T, o options, trees []*index.Tree, s *index.Symbols)) {
	for _, v := range variants {
		t.Run(v, func(t *testing.T) {
			t.Parallel()
			o := newSpace(t, v)
			// Several features on an arc make more fragments, so the trees are smaller.
			n, seeds := size, uint64(4)
			if k := len(o.Templates); k > 1 {
				n, seeds = n-k, seeds/2
			}
			if o.Words != "" {
				n, seeds = n-2, seeds/2
			}
			for seed := range seeds {
				trees, s := corpus(seed, o.space, 4, n)
				f(t, o, trees, s)
			}
		})
	}
}

// row is a fragment as growth reports it.
type row struct {
	Order, Support int
	Occ            map[uint32]int // by sample
	Places         map[uint32]int // by sample: distinct roots
}

func bruteTable(o options, trees []*index.Tree, s *index.Symbols) map[string]row {
	table := map[string]row{}
	for id, t := range trees {
		last := map[string]int{} // the root of the last occurrence: they ascend
		for _, occ := range brute.ArcSets(o.ArcOptions, t, s) {
			r, ok := table[occ.Key]
			if !ok {
				r = row{Order: occ.Order, Occ: map[uint32]int{}, Places: map[uint32]int{}}
			}
			if before, ok := last[occ.Key]; !ok || before != occ.Root {
				r.Places[uint32(id)]++
				last[occ.Key] = occ.Root
			}
			if r.Occ[uint32(id)] == 0 {
				r.Support++
			}
			r.Occ[uint32(id)]++
			table[occ.Key] = r
		}
	}
	return table
}

// recorder checks batches and keeps their rows.
type recorder struct {
	t     *testing.T
	o     options
	s     *index.Symbols
	rows  map[string]row
	codes []index.Code
	w     index.Weights
	none  bool // no samples are wanted
	total int
}

func (r *recorder) Visit(b *index.Batch) error {
	var last index.Code
	for i := range b.Len() {
		c := index.Code(append(bytes.Clone(b.Parent), b.SuffixOf(i)...))
		if bytes.Compare(last, c) >= 0 || !bytes.HasPrefix(c, b.Parent) {
			r.t.Fatalf("%x after %x", []byte(c), []byte(last))
		}
		last = c
		b.Descend[i] = true
		key := codeKey(r.o, c, r.s)
		if _, twice := r.rows[key]; twice {
			r.t.Fatalf("%s grew twice", key)
		}
		x := row{b.OrderOf(i), int(b.Support[i]), map[uint32]int{}, map[uint32]int{}}
		if r.none {
			r.total += int(b.Occ[i])
		} else {
			r.samples(b, i, &x)
		}
		r.rows[key] = x
		r.codes = append(r.codes, c)
	}
	return nil
}

func (r *recorder) samples(b *index.Batch, i int, x *row) {
	sum, pos, neg := 0, 0.0, 0.0
	before := -1
	for k, id := range b.SamplesOf(i) {
		n := int(b.CountsOf(i)[k])
		if n == 0 || int(id) <= before {
			r.t.Fatalf("samples %v, counts %v", b.SamplesOf(i), b.CountsOf(i))
		}
		before = int(id)
		x.Occ[id], x.Places[id] = n, int(b.PlacesOf(i)[k])
		sum += n
		switch {
		case r.w.Class != nil && r.w.Class[id] == 1:
			pos++
		case r.w.Class != nil && r.w.Class[id] == 2:
			neg++
		case r.w.Occ != nil:
			pos += float64(n) * max(r.w.Occ[id], 0)
			neg -= float64(n) * min(r.w.Occ[id], 0)
		}
	}
	if sum != int(b.Occ[i]) {
		r.t.Fatalf("%d occurrences, samples %v, counts %v", b.Occ[i], b.SamplesOf(i), b.CountsOf(i))
	}
	if r.w.Class != nil || r.w.Occ != nil {
		if b.A[i] != pos || b.B[i] != neg {
			r.t.Fatalf("weights %v %v, want %v %v", b.A[i], b.B[i], pos, neg)
		}
	}
}

func growAll(t *testing.T, rec *recorder, trees []*index.Tree, ranges []index.Range, l index.Limits, restrict bool) (counts index.Counts) {
	t.Helper()
	space := rec.o.space
	rec.t, rec.rows, rec.codes = t, map[string]row{}, nil
	items := func(r index.Range) index.Items {
		it := space.NewItems(rec.s)
		for id, tree := range trees {
			it.Add(uint32(id), tree, r, l)
		}
		it.Seal()
		return it
	}
	whole := items(index.All)
	for _, r := range ranges {
		it := whole
		if restrict {
			it = items(r)
		}
		c, err := it.Grow(r, rec.w, l, rec)
		if err != nil {
			t.Fatal(err)
		}
		counts.Add(c)
	}
	return counts
}

var everything = []index.Range{index.All}

func TestGrowthIsBruteForce(t *testing.T) {
	eachCorpus(t, 8, func(t *testing.T, o options, trees []*index.Tree, s *index.Symbols) {
		table := bruteTable(o, trees, s)
		for _, l := range []index.Limits{
			{}, {MaxOrder: 1}, {MaxOrder: 2}, {MinSupport: 2, MaxOrder: 3},
		} {
			want := map[string]row{}
			for key, r := range table {
				if r.Support >= int(l.MinSupport) && (l.MaxOrder == 0 || r.Order <= l.MaxOrder) {
					want[key] = r
				}
			}
			rec := &recorder{o: o, s: s}
			counts := growAll(t, rec, trees, everything, l, false)
			if d := cmp.Diff(want, rec.rows); d != "" {
				t.Fatalf("%+v: (-want +got)\n%s", l, d)
			}
			sorted := slices.SortedFunc(slices.Values(rec.codes), func(a, b index.Code) int { return bytes.Compare(a, b) })
			// Growth over several ranges gives the same fragments and candidates, from all items or from
			// items that are made for each range.
			var cut []index.Range
			for p := uint64(0); p < 12; p += 3 {
				cut = append(cut, index.Range{Lo: p, Hi: p + 3})
			}
			cut = append(cut, index.Range{Lo: 12, Hi: 1<<32 | 5}, index.Range{Lo: 1<<32 | 5, Hi: math.MaxUint64})
			for _, restrict := range []bool{false, true} {
				again := &recorder{o: o, s: s}
				c := growAll(t, again, trees, cut, l, restrict)
				if d := cmp.Diff(want, again.rows); d != "" {
					t.Fatalf("%+v in ranges (restricted %v): (-want +got)\n%s", l, restrict, d)
				}
				if d := cmp.Diff(counts, c); d != "" {
					t.Fatalf("%+v in ranges (restricted %v): candidates %s", l, restrict, d)
				}
				slices.SortFunc(again.codes, func(a, b index.Code) int { return bytes.Compare(a, b) })
				if d := cmp.Diff(sorted, again.codes); d != "" {
					t.Fatal(d)
				}
			}
		}
	})
}

// A candidate is a fragment whose code without the last step has enough support.
func TestCandidates(t *testing.T) {
	eachCorpus(t, 7, func(t *testing.T, o options, trees []*index.Tree, s *index.Symbols) {
		all := &recorder{o: o, s: s}
		growAll(t, all, trees, everything, index.Limits{}, false)
		kept := map[string]bool{"": true}
		for _, c := range all.codes {
			kept[string(c)] = all.rows[codeKey(o, c, s)].Support >= 2
		}
		var want index.Counts
		for _, c := range all.codes {
			steps, _ := c.Steps(nil)
			parent := index.EncodeSteps(nil, steps[:len(steps)-1])
			in, ok := kept[string(parent)]
			if !ok {
				t.Fatalf("%x is a fragment, and its prefix is not", []byte(c))
			}
			if in && len(steps) <= 3 {
				below := uint64(0)
				if !kept[string(c)] {
					below = 1
				}
				want.Count(len(steps), 1, below)
			}
		}
		got := growAll(t, &recorder{o: o, s: s}, trees, everything, index.Limits{MinSupport: 2, MaxOrder: 3}, false)
		// An order without candidates can be missing in `want`.
		for len(got.Candidates) > len(want.Candidates) && got.Candidates[len(got.Candidates)-1] == 0 {
			got.Candidates, got.Below = got.Candidates[:len(got.Candidates)-1], got.Below[:len(got.Below)-1]
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func TestWeightsAndNoSamples(t *testing.T) {
	eachCorpus(t, 6, func(t *testing.T, o options, trees []*index.Tree, s *index.Symbols) {
		l := index.Limits{MaxOrder: 3}
		plain := &recorder{o: o, s: s}
		growAll(t, plain, trees, everything, l, false)
		want := 0
		for _, r := range plain.rows {
			for _, n := range r.Occ {
				want += n
			}
		}
		for _, w := range []index.Weights{{Class: []uint8{1, 2, 0, 2}}, {Occ: []float64{0.5, -2, 0.25, 1}}} {
			growAll(t, &recorder{o: o, s: s, w: w}, trees, everything, l, false)
		}
		l.NoSamples = true
		none := &recorder{o: o, s: s, none: true, w: index.Weights{Class: []uint8{1, 2, 0, 2}}}
		growAll(t, none, trees, everything, l, false)
		if none.total != want || len(none.codes) != len(plain.codes) {
			t.Fatalf("%d occurrences of %d, want %d of %d", none.total, len(none.codes), want, len(plain.codes))
		}
	})
}

// Values and their bounds agree with brute force.
func TestValues(t *testing.T) {
	eachCorpus(t, 6, func(t *testing.T, o options, trees []*index.Tree, s *index.Symbols) {
		all := &recorder{o: o, s: s}
		growAll(t, all, trees, everything, index.Limits{}, false)
		text := map[string]string{}
		for _, c := range all.codes {
			text[codeKey(o, c, s)] = string(o.space.AppendText(nil, c, s))
		}
		c := &spacetest.Case{Space: o.space, Trees: trees, Symbols: s}
		c.Brute = func(tree *index.Tree, lambda float64) map[string]*brute.Match {
			found := map[string]*brute.Match{}
			for key, r := range bruteTable(o, []*index.Tree{tree}, s) {
				found[text[key]] = &brute.Match{Value: float64(r.Occ[0]) * math.Pow(lambda, float64(r.Order)/2)}
			}
			return found
		}
		c.Values(t)
	})
}

func TestCodesTextAndParts(t *testing.T) {
	eachCorpus(t, 8, func(t *testing.T, o options, trees []*index.Tree, s *index.Symbols) {
		space := o.space
		rec := &recorder{o: o, s: s}
		growAll(t, rec, trees, everything, index.Limits{MaxOrder: 5}, false)
		texts := map[string]bool{}
		at := map[string][]index.Occurrence{}
		root := map[string]int{}
		for id, tree := range trees {
			for _, occ := range brute.ArcSets(o.ArcOptions, tree, s) {
				k := fmt.Sprint(id, occ.Key)
				at[k] = append(at[k], occ.Tokens)
				root[fmt.Sprint(k, occ.Tokens)] = occ.Root
			}
		}
		for _, c := range rec.codes {
			key := codeKey(o, c, s)
			text := string(space.AppendText(nil, c, s))
			if texts[text] {
				t.Fatalf("%s is the text of two fragments", text)
			}
			texts[text] = true
			back, err := space.ParseText(text, s)
			if err != nil || !bytes.Equal(back, c) {
				t.Fatalf("%s reads back as %x, %v, and was %x", text, []byte(back), err, []byte(c))
			}
			if err := space.Check(c, s); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if n := c.Len(); n != rec.rows[key].Order {
				t.Fatalf("%s: order %d", text, n)
			}
			for _, p := range space.Parts(nil, c, s) {
				part := codeKey(o, p, s)
				e, ok := rec.rows[part]
				if !ok || e.Order != c.Len()-1 || space.Check(p, s) != nil {
					t.Fatalf("%s is no part of %s", part, text)
				}
				for id := range rec.rows[key].Occ {
					if e.Occ[id] == 0 {
						t.Fatalf("%s, a part of %s, is not in sample %d", part, text, id)
					}
				}
			}
			for id, tree := range trees {
				got := space.Locate(tree, c, s)
				k := fmt.Sprint(id, key)
				want := at[k]
				if d := cmp.Diff(byTokens(want), byTokens(got)); d != "" {
					t.Fatalf("%s in sample %d: (-want +got)\n%s", text, id, d)
				}
				if !slices.IsSortedFunc(got, func(a, b index.Occurrence) int { return root[fmt.Sprint(k, a)] - root[fmt.Sprint(k, b)] }) {
					t.Fatalf("%s in sample %d: %v not by root", text, id, got)
				}
			}
		}
	})
}

func byTokens(all []index.Occurrence) []string {
	texts := []string{}
	for _, o := range all {
		texts = append(texts, fmt.Sprint(o))
	}
	slices.Sort(texts)
	return texts
}

// Parts returns every legal part that has one arc less.
func TestPartsAreAll(t *testing.T) {
	text := map[string][]string{
		"siblings=adjacent":          {"V >r (N >s N) >t N", "V >r N >t N", "V >r (N >s N)", "N >s N"},
		"siblings=side":              {"N <r V >s N", "N <r V", "V >s N"},
		"siblings=any":               {"V >r N >s N >t N", "V >r N >s N", "V >r N >t N", "V >s N >t N"},
		"siblings=any,ordered=false": {"V >r N >r N", "V >r N"},
	}
	for v, all := range text {
		o := newSpace(t, v+",template=rel+h.upos+m.upos")
		s := index.NewSymbols()
		features(o.space, s, "NV", "rst")
		c, err := o.space.ParseText(all[0], s)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range o.space.Parts(nil, c, s) {
			got = append(got, string(o.space.AppendText(nil, p, s)))
		}
		want := slices.Clone(all[1:])
		if v == "siblings=adjacent" {
			// The root has two children, so it cannot be left out. N >s N has two arcs less.
			want = []string{"V >r N >t N", "V >r (N >s N)"}
		}
		slices.Sort(got)
		slices.Sort(want)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", v, d)
		}
	}
}

// features interns the features of a template over some tags and relations.
func features(sp *Space, s *index.Symbols, tags, rels string) {
	t := &index.Tree{Kind: index.Dependency}
	for _, h := range tags {
		for _, m := range tags {
			for _, r := range rels {
				word := func(x rune) uint32 { return s.Intern(index.Words, []byte(string(x))) }
				t.Tokens = []index.Token{{UPOS: word(h)}, {UPOS: word(m), Rel: word(r), Head: 1}}
				sp.Prepare(t, s)
			}
		}
	}
}

// OtherSides turns the arcs of a text to the other side, one by one and then together. A head's left arcs are
// written first.
func TestOtherSides(t *testing.T) {
	s := newSpace(t, "template=rel+h.upos+m.upos+dir,siblings=any").space
	for text, want := range map[string][]string{
		"A >r B":          {"B <r A"},
		"B <r A":          {"A >r B"},
		"_ >_ B":          {"B <_ _"},
		"A >r B ... >q C": {"B <r A ... >q C", "C <q A >r B ...", "B <r C <q A ..."},
		"A >r (B >q C)":   {"(B >q C) <r A", "A >r (C <q B)", "(C <q B) <r A"},
		"A":               nil,
		"A >r":            nil,
	} {
		if got := s.OtherSides(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := newSpace(t, "template=rel+h.upos+m.upos").space.OtherSides("A >r B"); got != nil {
		t.Errorf("a space without sides: %q", got)
	}
	for options, want := range map[string]bool{
		"template=rel+dir":                true,
		"template=rel+dir,template=rel":   false,
		"template=rel+h.upos+m.upos":      false,
		"template=rel+h.upos+m.upos+dir":  false,
		"template=rel+h.upos+m.lemma+dir": true,
	} {
		if got := newSpace(t, options).space.SideFields(); got != want {
			t.Errorf("%s: fields tell the side: %v, want %v", options, got, want)
		}
	}
}
