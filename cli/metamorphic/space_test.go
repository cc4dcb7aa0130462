package metamorphic

import (
	"fmt"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/brute"
)

// spaceKind is a space as --space names it, and how its fragments are found by brute force.
type spaceKind struct {
	arg      string
	closable bool
	find     func(t *index.Tree, s *index.Symbols) map[string]*brute.Match
	// `key` turns the text of a fragment into the name that the function `find` uses. If it is nil, the name
	// is the text.
	key func(text string) string
}

// name returns the name of the space.
func (k *spaceKind) name() string {
	name, _, _ := strings.Cut(k.arg, ":")
	return name
}

// keyOf returns the name that the function find uses for a fragment.
func (k *spaceKind) keyOf(text string) string {
	if k.key == nil {
		return text
	}
	return k.key(text)
}

// spaceKinds returns the spaces for samples of a kind.
func spaceKinds(kind index.Kind) []*spaceKind {
	if kind == index.Dependency {
		return slices.Concat(dependencySpaces, []*spaceKind{
			sequences("seq:unit=upos,max-gap=2", "upos", 2, 0), embedded("emb:unit=lemma", "lemma"),
			{arg: "tag:tag=xpos,word=lemma", find: func(t *index.Tree, s *index.Symbols) map[string]*brute.Match {
				var words []brute.TaggedWord
				for i, k := range t.Tokens {
					words = append(words, brute.TaggedWord{Tag: s.Text(index.Words, k.XPOS), Word: s.Text(index.Words, k.Lemma), At: int32(i)})
				}
				return brute.TagRuns(words, 1)
			}},
			{arg: "poly:degree=2", find: arcSets, key: sortedSet},
		})
	}
	return []*spaceKind{
		trees("stk"), trees("st"), trees("sstbow"),
		{arg: "ptk:mu=0.5", find: func(t *index.Tree, s *index.Symbols) map[string]*brute.Match {
			return brute.PartialTrees(0.5, t, s, 1)
		}},
		sequences("seq", "form", 1<<30, 0), sequences("seq:max-gap=1,max-length=3", "form", 1, 3),
		embedded("emb", "form"),
		{arg: "tag", find: func(t *index.Tree, s *index.Symbols) map[string]*brute.Match {
			var words []brute.TaggedWord
			for i := range t.Nodes {
				if n := &t.Nodes[i]; n.Word {
					words = append(words, brute.TaggedWord{Tag: s.Text(index.Labels, t.Nodes[n.Parent].Sym), Word: s.Text(index.Words, n.Sym), At: int32(i)})
				}
			}
			return brute.TagRuns(words, 1)
		}},
	}
}

// trees returns a space whose fragments have complete productions.
func trees(name string) *spaceKind {
	return &spaceKind{arg: name, closable: true, find: func(t *index.Tree, s *index.Symbols) map[string]*brute.Match {
		all := map[string]*brute.Match{}
		for i := range t.Nodes {
			for text, order := range brute.Trees(name, t, s, i) {
				m := all[text]
				if m == nil {
					m = &brute.Match{Order: order}
					all[text] = m
				}
				m.Count++
				m.Where = append(m.Where, fmt.Sprint(i)) // the root of the occurrence
			}
		}
		return all
	}}
}

func sequences(arg, unit string, maxGap, maxLength int) *spaceKind {
	return &spaceKind{arg: arg, find: func(t *index.Tree, s *index.Symbols) map[string]*brute.Match {
		return brute.Subsequences(unit, maxGap, maxLength, t, s, 1)
	}}
}

func embedded(arg, unit string) *spaceKind {
	return &spaceKind{arg: arg, find: func(t *index.Tree, s *index.Symbols) map[string]*brute.Match {
		return brute.EmbeddedTrees(unit, t, s, 1)
	}}
}

var dependencySpaces = func() (all []*spaceKind) {
	for arg, o := range map[string]brute.ArcOptions{
		"dep:siblings=adjacent":        {Siblings: "adjacent", Ordered: true},
		"dep:siblings=side,max-span=2": {Siblings: "side", Ordered: true, MaxSpan: 2},
		"dep:max-span=3,ordered=false": {Siblings: "any", MaxSpan: 3},
		"dep:words=form":               {Siblings: "any", Ordered: true, MaxSpan: 20, Words: "form"},
	} {
		arg += ",template=rel+h.upos+m.upos"
		o.Templates = []string{"rel+h.upos+m.upos"}
		all = append(all, &spaceKind{
			arg: arg,
			find: func(t *index.Tree, s *index.Symbols) map[string]*brute.Match {
				all := map[string]*brute.Match{}
				for _, set := range brute.ArcSets(o, t, s) {
					m := all[set.Key]
					if m == nil {
						m = &brute.Match{Order: set.Order}
						all[set.Key] = m
					}
					m.Count++
				}
				return all
			},
			key: func(text string) string {
				_, key := (&arcText{fields: strings.Fields(strings.NewReplacer("(", "( ", ")", " )").Replace(text)), o: o}).node()
				return key
			},
		})
	}
	slices.SortFunc(all, func(a, b *spaceKind) int { return strings.Compare(a.arg, b.arg) })
	return all
}()

// arcText reads the text of a fragment of arcs.
type arcText struct {
	fields []string
	o      brute.ArcOptions
}

// node reads all of the remaining text, which is a node with its arcs. It returns the label of the node, and
// the key of the arcs below it in the form of brute.ArcSet.Key.
func (x *arcText) node() (label, key string) {
	type operand struct{ label, word, key, mark, rel string }
	var all []operand
	mark, rel := "", ""
	for len(x.fields) > 0 {
		f := x.fields[0]
		x.fields = x.fields[1:]
		switch {
		case f[0] == '>':
			mark, rel = ">", f[1:]
			continue
		case f[0] == '<':
			all[len(all)-1].mark, all[len(all)-1].rel = "<", f[1:]
			continue
		}
		o := operand{key: "()", mark: mark, rel: rel}
		if f == "(" {
			inner := x.inner()
			o.label, o.key = (&arcText{fields: inner, o: x.o}).node()
		} else if label, word, ok := strings.Cut(f, "["); ok {
			o.label, o.word = label, "/"+strings.TrimSuffix(word, "]")+" "
			o.key = "(" + o.word + ")"
		} else {
			o.label = label
		}
		all = append(all, o)
		mark, rel = "", ""
	}
	var kids []string
	word := ""
	for _, o := range all {
		if o.mark == "" {
			label, word = o.label, o.word
		}
	}
	for _, o := range all {
		if o.mark == "" {
			continue
		}
		kid := "rel=" + o.rel + "+h.upos=" + label + "+m.upos=" + o.label + o.key
		if x.o.Siblings == "side" {
			kid = o.mark + kid
		}
		kids = append(kids, kid)
	}
	if !x.o.Ordered {
		slices.Sort(kids)
	}
	return label, "(" + word + strings.Join(kids, " ") + ")"
}

// inner returns the contents of a bracket that has just been opened.
func (x *arcText) inner() (all []string) {
	for depth := 1; ; {
		f := x.fields[0]
		x.fields = x.fields[1:]
		switch f {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return all
			}
		}
		all = append(all, f)
	}
}

// arcSets returns the sets of labelled arcs in a tree.
func arcSets(t *index.Tree, s *index.Symbols) map[string]*brute.Match {
	features := brute.ArcFeatures(false, func(s *index.Symbols, head, mod *index.Token) []string {
		return []string{brute.FeatureWord(s, head.UPOS) + " >" + brute.FeatureWord(s, mod.Rel) + " " + brute.FeatureWord(s, mod.UPOS)}
	})(t, s)
	all := map[string]*brute.Match{}
	for text, m := range brute.FeatureSets(features, 2, func(string) int { return 0 }) {
		all[sortedSet(text)] = m
	}
	return all
}

// sortedSet sorts the features of a set.
func sortedSet(text string) string {
	all := strings.Split(strings.Trim(text, "{}"), " & ")
	slices.Sort(all)
	return "{" + strings.Join(all, " & ") + "}"
}
