package dep

import (
	"math/rand/v2"
	"slices"
	"strings"

	"fstore/index"
)

// randomTree builds a random dependency tree or forest of at most size words over
// few symbols, so that features recur. Most are not projective.
func randomTree(r *rand.Rand, s *index.Symbols, t *index.Tree, size int) {
	attach(r, s, t, 1+r.IntN(size), 3)
}

// attach makes a random tree of n words. At most `heads` words have dependents.
func attach(r *rand.Rand, s *index.Symbols, t *index.Tree, n, heads int) {
	t.Reset()
	t.Kind = index.Dependency
	word := func(choices string) uint32 {
		return s.Intern(index.Words, []byte{choices[r.IntN(len(choices))]})
	}
	// Attach words in a random order to the root or to one attached before.
	order := r.Perm(n)
	head := make([]int32, n)
	for i, w := range order {
		if i == 0 || r.IntN(8) == 0 {
			continue
		}
		head[w] = int32(order[r.IntN(min(i, heads))]) + 1
	}
	for w := range n {
		t.Tokens = append(t.Tokens, index.Token{
			Form: word("ab^<"), Lemma: word("ab"), UPOS: word("NV"), XPOS: word("xy"), Feats: word("_+"),
			Rel: word("rst"), Head: head[w],
		})
		k := &t.Tokens[w]
		k.Deps = k.Rel
		k.Misc = s.Intern(index.Words, []byte([...]string{"_", "G=a", "X=b|G=b", "G=a|X=c"}[k.Form%4]))
	}
}

// codeKey is the key of a code, read as the package comment describes it.
func codeKey(o options, c index.Code, s *index.Symbols) string {
	steps, ok := c.Steps(nil)
	if !ok {
		return "no code"
	}
	type node struct {
		name, word string
		kids       []*node
	}
	root := &node{}
	path := []*node{root}
	for _, st := range steps {
		kinds, kind := 1, 0 // of steps at a depth
		if o.Siblings == "side" {
			kinds = 2
		}
		if o.Words != "" {
			kinds++
		}
		depth, mark := int(st.Off)/kinds, ""
		kind = int(st.Off) % kinds
		if o.Words != "" {
			if kind--; kind < 0 {
				path[depth].word = "/" + wordText(o, st.Sym, s) + " "
				continue
			}
		}
		if o.Siblings == "side" {
			mark = string("<>"[kind])
		}
		n := &node{name: mark + featureText(o, st.Sym, s)}
		path = path[:depth+1]
		path[depth].kids = append(path[depth].kids, n)
		path = append(path, n)
	}
	var print func(n *node) string
	print = func(n *node) string {
		var kids []string
		for _, k := range n.kids {
			kids = append(kids, print(k))
		}
		if !o.Ordered {
			slices.Sort(kids)
		}
		return n.name + "(" + n.word + strings.Join(kids, " ") + ")"
	}
	return print(root)
}

func wordText(o options, sym uint32, s *index.Symbols) string {
	word, ok := o.space.decodeWord(sym, s)
	if !ok {
		return "no word"
	}
	return string(index.AppendEscapedWith(nil, s.Bytes(index.Words, word), "^<+"))
}

func featureText(o options, sym uint32, s *index.Symbols) string {
	var all []string
	t, values := o.space.decode(sym, s, nil)
	for i, f := range t.fields {
		all = append(all, f.String()+"="+string(f.appendValue(nil, values[i], "<>+", s)))
	}
	return strings.Join(all, "+")
}
