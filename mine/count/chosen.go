package count

import (
	"slices"

	"fstore/index"
	"fstore/index/pattern"
)

// Chosen returns patterns made of chosen words of a tree, the most general first. Words have numbers from 1.
// If a word cannot be chosen, the error is an *index.UsageError.
//
// For dependencies, a pattern is the smallest connected piece of the tree with the words. The patterns name:
//   - only relations
//   - also UPOS
//   - also the lemma of the head
//   - also all lemmas
//   - forms instead of lemmas
//
// For brackets, a pattern is the smallest constituent with the words. The patterns name:
//   - only labels, and allow further children
//   - only labels
//   - also the words, and allow further children
//   - also the words
func (x *Trees) Chosen(t *index.Tree, words []int) ([]string, error) {
	n := t.Words()
	for _, w := range words {
		if w < 1 || w > n {
			return nil, index.Usagef("sample %s has no word %d: it has %s", t.Name, w, index.Plural(n, "word"))
		}
	}
	if len(words) == 0 {
		return nil, index.Usagef("no words: name some by their numbers, from 1")
	}
	c := &chosen{t: t, syms: x.syms, is: map[int32]bool{}, in: map[int32]bool{}}
	if t.Kind == index.Dependency {
		return c.arcs(words)
	}
	return c.brackets(words)
}

// chosen makes patterns that contain chosen nodes.
type chosen struct {
	t    *index.Tree
	syms *index.Symbols
	is   map[int32]bool // whether the node was chosen
	in   map[int32]bool // whether the node is in the pattern
	top  int32

	field, headField pattern.Field // the fields that name words, headField for top; Relation: words are not named
	tags             bool
	all, leaves      bool
}

// parent returns the parent of a node, or -1 if the node has no parent.
func (c *chosen) parent(i int32) int32 {
	if c.t.Kind == index.Dependency {
		return c.t.Tokens[i].Head - 1
	}
	return c.t.Nodes[i].Parent
}

// join finds the smallest connected piece of the tree that contains the nodes. It sets c.top and c.in.
func (c *chosen) join(nodes []int32) error {
	path := func(i int32) (all []int32) {
		for ; i >= 0 && len(all) <= len(c.t.Tokens)+len(c.t.Nodes); i = c.parent(i) {
			all = append(all, i)
		}
		slices.Reverse(all)
		return all
	}
	shared := path(nodes[0])
	for _, i := range nodes[1:] {
		p := path(i)
		k := 0
		for k < len(p) && k < len(shared) && p[k] == shared[k] {
			k++
		}
		shared = shared[:k]
	}
	if len(shared) == 0 {
		return index.Usagef("the words of sample %s have no node in common above them", c.t.Name)
	}
	c.top = shared[len(shared)-1]
	for _, i := range nodes {
		for ; i != c.top; i = c.parent(i) {
			c.in[i] = true
		}
	}
	c.in[c.top] = true
	return nil
}

func (c *chosen) arcs(words []int) (all []string, err error) {
	if c.t.Unparsed() {
		return nil, index.Usagef("sample %s has no heads", c.t.Name)
	}
	var nodes []int32
	for _, w := range words {
		nodes = append(nodes, int32(w-1))
		c.is[int32(w-1)] = true
	}
	if err := c.join(nodes); err != nil {
		return nil, err
	}
	const none = pattern.Relation
	for _, level := range []struct {
		tags              bool
		field, headFields pattern.Field
	}{
		{false, none, none}, {true, none, none}, {true, none, pattern.Lemma}, {true, pattern.Lemma, pattern.Lemma}, {true, pattern.Form, pattern.Form},
	} {
		c.tags, c.field, c.headField = level.tags, level.field, level.headFields
		if text := string(c.arc(nil, c.top)); !slices.Contains(all, text) && text != "_" {
			all = append(all, text)
		}
	}
	return all, nil
}

// arc appends a token with its dependents in the pattern.
func (c *chosen) arc(dst []byte, i int32) []byte {
	for d := range int32(len(c.t.Tokens)) {
		if c.in[d] && d < i && c.parent(d) == i {
			dst = append(c.group(dst, d), " <"...)
			dst = append(c.word(dst, c.t.Tokens[d].Rel), ' ')
		}
	}
	k := &c.t.Tokens[i]
	if c.tags {
		dst = c.word(dst, k.UPOS)
	} else {
		dst = append(dst, '_')
	}
	field := c.field
	if i == c.top {
		field = c.headField
	}
	if field != pattern.Relation && c.is[i] && c.syms.Text(index.Words, field.Of(k)) != "_" { // _ means no value
		dst = append(append(append(dst, '['), field.String()...), '=')
		dst = append(c.word(dst, field.Of(k)), ']')
	}
	for d := range int32(len(c.t.Tokens)) {
		if c.in[d] && d > i && c.parent(d) == i {
			dst = c.word(append(dst, " >"...), c.t.Tokens[d].Rel)
			dst = c.group(append(dst, ' '), d)
		}
	}
	return dst
}

func (c *chosen) word(dst []byte, id uint32) []byte {
	return pattern.AppendName(dst, []byte(c.syms.Text(index.Words, id)))
}

// group appends a dependent. A dependent that has dependents in the pattern is put in brackets.
func (c *chosen) group(dst []byte, i int32) []byte {
	for d := range int32(len(c.t.Tokens)) {
		if c.in[d] && c.parent(d) == i {
			return append(c.arc(append(dst, '('), i), ')')
		}
	}
	return c.arc(dst, i)
}

func (c *chosen) brackets(words []int) (all []string, err error) {
	var leaves []int32
	for i := range c.t.Nodes {
		if c.t.IsWord(i) {
			leaves = append(leaves, int32(i))
		}
	}
	var nodes []int32
	for _, w := range words {
		leaf := leaves[w-1]
		c.is[leaf] = true
		if c.parent(leaf) < 0 {
			return nil, index.Usagef("word %d of sample %s has no label above it", w, c.t.Name)
		}
		nodes = append(nodes, c.parent(leaf))
	}
	if err := c.join(nodes); err != nil {
		return nil, err
	}
	for _, level := range []struct{ all, leaves bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		c.all, c.leaves = level.all, level.leaves
		if text := string(c.bracket(nil, c.top)); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all, nil
}

// bracket appends a node and its children in the pattern. "..." stands for the node's other children, unless
// c.all is set.
func (c *chosen) bracket(dst []byte, i int32) []byte {
	dst = c.name(append(dst, '('), i)
	if !c.expands(i) {
		return append(dst, ')')
	}
	for k := i + 1; k < i+c.t.Nodes[i].Size; k += c.t.Nodes[k].Size {
		in := c.in[k] || c.is[k] && c.leaves
		if !in && !c.all {
			continue
		}
		if !c.all && c.t.Nodes[i].Size > c.t.Nodes[k].Size+1 {
			dst = append(dst, " ..."...)
		}
		switch dst = append(dst, ' '); {
		case c.in[k]:
			dst = c.bracket(dst, k)
		case in:
			dst = c.name(dst, k)
		case c.t.IsWord(int(k)):
			dst = append(dst, '_')
		default:
			dst = append(c.name(append(dst, '('), k), ')')
		}
	}
	if k := i + 1; !c.all && c.t.Nodes[i].Size > c.t.Nodes[k].Size+1 { // the node has several children
		dst = append(dst, " ..."...)
	}
	return append(dst, ')')
}

// expands reports whether the pattern shows the children of a node.
func (c *chosen) expands(i int32) bool {
	for k := i + 1; k < i+c.t.Nodes[i].Size; k += c.t.Nodes[k].Size {
		if c.in[k] || c.is[k] && c.leaves {
			return true
		}
	}
	return false
}

func (c *chosen) name(dst []byte, i int32) []byte {
	return pattern.AppendName(dst, nodeText(c.t, i, c.syms))
}
