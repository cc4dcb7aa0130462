package index

// Kind says how a sample's structure is laid out.
type Kind uint8

const (
	// Constituency samples have Nodes.
	Constituency Kind = iota
	// Dependency samples have Tokens.
	Dependency
)

// String is the kind's name.
func (k Kind) String() string { return [...]string{"constituency", "dependency"}[k] }

// Node is one node of a constituency tree, in preorder.
type Node struct {
	Sym    uint32 // Labels id; Words id if Word is set
	Prod   uint32 // Productions id; 0 for a word and for a node without children
	Size   int32  // nodes in the subtree, this one included: the next sibling is at i+Size
	Parent int32  // index of the parent, -1 at a root
	Word   bool
}

// Child returns the node as a child of a production.
func (n *Node) Child() Child { return Child{Sym: n.Sym, Word: n.Word} }

// Token is one word of a dependency tree. All fields but Head are Words ids. "_" is a string like any other.
type Token struct {
	Form, Lemma, UPOS, XPOS, Feats, Rel, Deps, Misc uint32
	Head                                            int32 // 1-based; 0 is the artificial root, -1 not known (Unparsed)
}

// Line is a line of a dependency sample that is not in the basic tree: a multiword range or an empty node. It
// is printed before Tokens[Before], or at the end if Before is len(Tokens).
type Line struct {
	Before int
	Text   string
}

// Feature is one entry of a sample's own sparse vector (svmtk |BV|).
type Feature struct {
	ID    uint32
	Value float64
}

// Gold says how a sample of a K-best list is related to the list's gold tree. At most one sample of a list
// is GoldFound or GoldAdded.
type Gold uint8

const (
	NotGold Gold = iota
	// GoldFound marks the candidate with the structure of the gold tree, see Tree.Corrections.
	GoldFound
	// GoldAdded marks the gold tree itself, if no candidate has its structure. It is the last sample of its
	// list, without number and score.
	GoldAdded
)

// MiscValues are the values of one key of MISC in the tokens of a sample.
type MiscValues struct {
	Key    string
	Values []string // by token
}

// Field is a field of a node or a token that a Correction may change.
type Field uint8

const (
	LabelField Field = iota // the label of a node that is not a word
	UPOSField
	XPOSField
	RelField
	fields
)

// Correction is one field in which the gold tree differs from the sample with the same structure.
type Correction struct {
	At    int32 // the node or token
	Field Field
	Text  string
}

// Tree is one sample. Source.Next refills it, so its slices are valid until the next call.
//
// Constituency: a forest in preorder. With OneAlphabet set (svmtk, klp), no node has Word set: a word is a
// childless node, and `(N w)` = `(N (w))`.
type Tree struct {
	Kind        Kind
	OneAlphabet bool
	Nodes       []Node
	Tokens      []Token
	Lines       []Line
	Comments    []string // without the line end, with the '#'
	Vectors     [][]Feature

	Name     string // sent_id or ID; "" until the input layer numbers it
	Label    string // verbatim; several are joined by ','
	Document string
	// Group is the name of this candidate's K-best list, or "" if it is in no list. Neighbouring lists have
	// different names. A store uses sentence numbers as names.
	Group     string
	Candidate int
	Score     float64
	Gold      Gold
	// Corrections say where a sample that is GoldFound differs from the gold tree, in fields that package
	// treescore reads. They ascend by At and Field.
	Corrections []Correction

	Line int // the line where the sample starts, 1-based

	// Misc has the values of the MISC keys in Needs. It is empty in stored trees.
	Misc []MiscValues
}

// MostScore is the largest score, and also the largest factor for scores. So sums of their products stay
// finite.
const MostScore = 1e100

// Reset empties t and keeps its memory.
func (t *Tree) Reset() {
	*t = Tree{
		Nodes: t.Nodes[:0], Tokens: t.Tokens[:0], Lines: t.Lines[:0],
		Comments: t.Comments[:0], Vectors: t.Vectors[:0], Corrections: t.Corrections[:0],
		Misc: t.Misc[:0],
	}
}

// Words is the number of words: tokens, or nodes for which IsWord is true.
func (t *Tree) Words() (n int) {
	if t.Kind == Dependency {
		return len(t.Tokens)
	}
	for i := range t.Nodes {
		if t.IsWord(i) {
			n++
		}
	}
	return n
}

// IsWord says whether node i is a terminal: a word or, in a tree with one alphabet, a node without children.
func (t *Tree) IsWord(i int) bool {
	return t.Nodes[i].Word || t.OneAlphabet && t.Nodes[i].Size == 1
}

// Unparsed says whether t is a sentence of words and tags without heads: all heads are -1.
func (t *Tree) Unparsed() bool { return len(t.Tokens) > 0 && t.Tokens[0].Head < 0 }

// SameSentence says whether t belongs to the same sentence as the tree before it, which has this group and
// document.
func (t *Tree) SameSentence(group, document string) bool {
	return t.Group != "" && t.Group == group && t.Document == document
}

// Clone returns a copy that shares nothing with t.
func (t *Tree) Clone() *Tree {
	c := *t
	c.Nodes = append([]Node(nil), t.Nodes...)
	c.Tokens = append([]Token(nil), t.Tokens...)
	c.Lines = append([]Line(nil), t.Lines...)
	c.Comments = append([]string(nil), t.Comments...)
	c.Corrections = append([]Correction(nil), t.Corrections...)
	c.Misc = make([]MiscValues, len(t.Misc))
	for i, v := range t.Misc {
		c.Misc[i] = MiscValues{v.Key, append([]string(nil), v.Values...)}
	}
	c.Vectors = make([][]Feature, len(t.Vectors))
	for i, v := range t.Vectors {
		c.Vectors[i] = append([]Feature(nil), v...)
	}
	return &c
}

// Builder writes the nodes of constituency trees in preorder. It interns labels and words immediately, and a
// node's production when the node closes.
type Builder struct {
	Symbols *Symbols
	t       *Tree
	open    []int32
	kids    []Child
	mark    [NumClasses]int // the number of symbols at Start
}

// Start empties t, and makes it the tree under construction.
func (b *Builder) Start(t *Tree, oneAlphabet bool) {
	t.Reset()
	t.OneAlphabet = oneAlphabet
	b.t = t
	b.open = b.open[:0]
	for c := range b.mark {
		b.mark[c] = b.Symbols.Len(Class(c))
	}
}

// Undo empties the tree under construction. It also removes every symbol interned since Start, by any caller.
func (b *Builder) Undo() {
	b.t.Reset()
	b.open = b.open[:0]
	b.Symbols.forget(b.mark)
}

// Depth is the number of open nodes.
func (b *Builder) Depth() int { return len(b.open) }

// Open starts a nonterminal below the innermost open node, or a new root.
func (b *Builder) Open(label []byte) {
	b.open = append(b.open, int32(len(b.t.Nodes)))
	b.add(b.Symbols.Intern(Labels, label), false, -2)
}

// Word adds a terminal below the innermost open node. With one alphabet, a terminal is a label without
// children.
func (b *Builder) Word(w []byte) {
	if b.t.OneAlphabet {
		b.add(b.Symbols.Intern(Labels, w), false, -1)
		return
	}
	b.add(b.Symbols.Intern(Words, w), true, -1)
}

// add appends a node below b.open[len(b.open)+at], or a root if there is no such node.
func (b *Builder) add(sym uint32, word bool, at int) {
	parent := int32(-1)
	if d := len(b.open) + at; d >= 0 {
		parent = b.open[d]
	}
	b.t.Nodes = append(b.t.Nodes, Node{Sym: sym, Size: 1, Parent: parent, Word: word})
}

// Close ends the innermost open node, interns its production and returns the node's index.
func (b *Builder) Close() int {
	i := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	b.seal(i)
	return int(i)
}

// seal sets the size and the production of node i, whose subtree is complete.
func (b *Builder) seal(i int32) {
	nodes := b.t.Nodes
	nodes[i].Size = int32(len(nodes)) - i
	b.kids = b.t.appendKids(b.kids[:0], int(i))
	nodes[i].Prod = 0
	if len(b.kids) > 0 {
		nodes[i].Prod = b.Symbols.InternProduction(nodes[i].Sym, b.kids)
	}
}

func (t *Tree) appendKids(dst []Child, i int) []Child {
	for k := i + 1; k < i+int(t.Nodes[i].Size); k += int(t.Nodes[k].Size) {
		dst = append(dst, t.Nodes[k].Child())
	}
	return dst
}

// Wrap puts one node with this label above all roots of the tree. All nodes must be closed.
func (b *Builder) Wrap(label []byte) {
	t := b.t
	t.Nodes = append(t.Nodes, Node{})
	copy(t.Nodes[1:], t.Nodes)
	for i := 1; i < len(t.Nodes); i++ {
		t.Nodes[i].Parent++ // a root's -1 becomes the new node
	}
	t.Nodes[0] = Node{Sym: b.Symbols.Intern(Labels, label), Parent: -1}
	b.seal(0)
}
