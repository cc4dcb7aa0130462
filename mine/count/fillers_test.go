package count_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/pattern"
	"fstore/mine/count"
	"fstore/mine/internal/minetest"
	"fstore/store"
)

// A value is a text at a node. A cell says how many nodes have it in the construction, and how many
// elsewhere.
type (
	value struct {
		node int
		text string
	}
	cell [2]float64
)

// eachTree calls f for the trees of a store, with the text of symbols.
func eachTree(t *testing.T, s *store.Store, f func(tree *index.Tree, text func(index.Class, uint32) string)) {
	t.Helper()
	syms, err := s.Symbols()
	if err == nil {
		err = s.Samples(0, s.Meta().Samples, func(_ uint32, tree *index.Tree) error {
			f(tree, func(c index.Class, id uint32) string { return string(syms.Bytes(c, id)) })
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// checkFillers compares the fillers of one or two constructions with the tables that follow from the cells in
// `want`.
func checkFillers(t *testing.T, s *store.Store, o count.FillerOptions, want map[value]*cell, texts ...string) {
	t.Helper()
	x, err := count.Open(s, "")
	if err != nil {
		t.Fatal(err)
	}
	x.NoFragments = true
	var all []*count.Construction
	for _, text := range texts {
		k, err := x.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, k)
	}
	var last []count.Filler
	for _, workers := range []int{1, 3} {
		o.Workers = workers
		fillers, err := x.Fillers(context.Background(), all, o)
		if err != nil {
			t.Fatal(err)
		}
		if last != nil && !reflect.DeepEqual(fillers, last) {
			t.Errorf("%s: other rows with other workers", texts)
		}
		last = fillers
	}
	sums := map[int]*cell{}
	for v, c := range want {
		if sums[v.node] == nil {
			sums[v.node] = &cell{}
		}
		sums[v.node][0] += c[0]
		sums[v.node][1] += c[1]
	}
	for _, f := range last {
		v := value{f.Node, f.Value}
		c, ok := want[v]
		if !ok {
			t.Errorf("%s: %+v is no filler", texts, f)
			continue
		}
		if f.O11 != c[0] || f.O12 != c[1] || f.O21 != sums[f.Node][0]-c[0] || f.O22 != sums[f.Node][1]-c[1] {
			t.Errorf("%s: %+v, want %v of %v", texts, f, c, sums[f.Node])
		}
		delete(want, v)
	}
	for v, c := range want {
		if c[0] > 0 || len(texts) > 1 {
			t.Errorf("%s: node %d has no filler %s, which has %v", texts, v.node, v.text, c)
		}
	}
}

// note counts one more node with a value on a side.
func note(m map[value]*cell, node int, text string, side int) {
	v := value{node, text}
	if m[v] == nil {
		m[v] = &cell{}
	}
	m[v][side]++
}

// The fillers of nodes in arcs are compared with loops over tokens.
func TestFillersOfArcs(t *testing.T) {
	fs := vfs.NewMem()
	s := minetest.Build(t, fs, minetest.DepOptions(t, fs, 0, minetest.Samples, "dep"))
	objects, verbs := map[value]*cell{}, map[value]*cell{} // _ >r _, by form; V >r _ with node 1, by UPOS
	distinct := map[value]*cell{}                          // V >r _ and V >s _, by form
	eachTree(t, s, func(tree *index.Tree, text func(index.Class, uint32) string) {
		for i := range tree.Tokens {
			k := &tree.Tokens[i]
			form, upos := text(index.Words, k.Form), text(index.Words, k.UPOS)
			head, heads := false, map[string]bool{} // is i the head of an r on its right?
			for j := i + 1; j < len(tree.Tokens); j++ {
				d := &tree.Tokens[j]
				if int(d.Head) == i+1 {
					heads[text(index.Words, d.Rel)] = true
				}
			}
			head = heads["r"]
			side := map[bool]int{true: 0, false: 1}
			note(objects, 1, form, side[head])
			isDependent := k.Head > 0 && int(k.Head) < i+1
			rel := text(index.Words, k.Rel)
			note(objects, 2, form, side[isDependent && rel == "r"])
			if upos == "V" {
				note(verbs, 1, upos+form, side[head])
			}
			if isDependent && text(index.Words, tree.Tokens[k.Head-1].UPOS) == "V" {
				switch rel {
				case "r":
					note(distinct, 2, form, 0)
				case "s":
					note(distinct, 2, form, 1)
				}
			}
		}
	})
	checkFillers(t, s, count.FillerOptions{By: pattern.Form}, objects, "_ >r _")
	plain := map[value]*cell{}
	for v, c := range verbs {
		plain[value{1, v.text[1:]}] = c
	}
	checkFillers(t, s, count.FillerOptions{By: pattern.Form, Nodes: []int{1}}, plain, "V >r _")
	checkFillers(t, s, count.FillerOptions{By: pattern.Form}, distinct, "V >r _", "V >s _")
}

// The fillers of nodes in brackets are labels, and words below a label.
func TestFillersOfBrackets(t *testing.T) {
	fs := vfs.NewMem()
	s := minetest.Build(t, fs, minetest.Options(t, fs, 0, minetest.Samples, "stk"))
	labels, words := map[value]*cell{}, map[value]*cell{} // (A ... (_) ...) by label, (A ... _ ...) by word
	eachTree(t, s, func(tree *index.Tree, text func(index.Class, uint32) string) {
		for i := range tree.Nodes {
			n := &tree.Nodes[i]
			below := n.Parent >= 0 && text(index.Labels, tree.Nodes[n.Parent].Sym) == "A"
			if n.Word {
				if below {
					note(words, 2, text(index.Words, n.Sym), 0) // every A is in the construction, none elsewhere
				}
				continue
			}
			side := 1
			if below {
				side = 0
			}
			note(labels, 2, text(index.Labels, n.Sym), side)
		}
	})
	checkFillers(t, s, count.FillerOptions{By: pattern.Label}, labels, "(A ... (_) ...)")
	checkFillers(t, s, count.FillerOptions{By: pattern.Label}, words, "(A ... _ ...)")
}

func TestNoSlots(t *testing.T) {
	fs := vfs.NewMem()
	s := minetest.Build(t, fs, minetest.DepOptions(t, fs, 0, 20, "dep"))
	x, err := count.Open(s, "")
	if err != nil {
		t.Fatal(err)
	}
	x.NoFragments = true
	for _, c := range []struct {
		texts []string
		nodes []int
		want  string
	}{
		{[]string{"V >r N"}, nil, "V >r N has no _: write one, or name a node by its number"},
		{[]string{"V >r N"}, []int{3}, "V >r N has no node 3: it has V, N"},
		{[]string{"V >r N"}, []int{0}, "V >r N has no node 0: it has V, N"},
		{[]string{"V >r _", "_ >r _"}, nil, "V >r _ has 1 _, and _ >r _ 2: they are compared in their order"},
	} {
		var all []*count.Construction
		for _, text := range c.texts {
			k, err := x.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, k)
		}
		if _, err := x.Fillers(context.Background(), all, count.FillerOptions{Nodes: c.nodes, By: pattern.Form}); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.texts, err, c.want)
		}
	}
}
