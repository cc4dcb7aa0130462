package index

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// DecodeTree fills t with the structure that [AppendTree] wrote, and keeps t.Name, t.Label and the like. It
// checks all ids against s. The productions of s must have been checked before. It allocates no more than
// about 80 nodes for each byte of b.
func DecodeTree(b []byte, s *Symbols, t *Tree) error { return decodeTree(b, s, nil, t) }

// decodeTree does the work of DecodeTree. r maps the ids in b to ids of s, and is nil if they are the same.
func decodeTree(b []byte, s *Symbols, r *Renumbering, t *Tree) error {
	t.Nodes, t.Tokens = t.Nodes[:0], t.Tokens[:0]
	t.Lines, t.Comments, t.Vectors, t.Misc = t.Lines[:0], t.Comments[:0], t.Vectors[:0], t.Misc[:0]
	if len(b) == 0 || b[0] > treeFlags {
		return fmt.Errorf("%w: flags", errTreeCode)
	}
	flags := b[0]
	if flags&treeDependency != 0 && flags&treeOneAlphabet != 0 {
		return fmt.Errorf("%w: a dependency tree of one alphabet", errTreeCode)
	}
	d := treeDecoder{b: b[1:], symbols: s, ids: r}
	t.OneAlphabet = flags&treeOneAlphabet != 0
	t.Kind = Constituency
	if flags&treeDependency != 0 {
		t.Kind = Dependency
		d.tokens(t)
	} else {
		d.nodes(t)
	}
	if flags&treeLines != 0 {
		d.lines(t)
	}
	if flags&treeComments != 0 {
		for n := d.count(1); n > 0; n-- {
			t.Comments = append(t.Comments, d.text())
		}
	}
	if flags&treeVectors != 0 {
		d.vectors(t)
	}
	if d.err == nil && len(d.b) > 0 {
		d.fail("trailing bytes")
	}
	return d.err
}

// treeDecoder reads from the front of b; after an error it reads zeros.
type treeDecoder struct {
	b       []byte
	symbols *Symbols
	ids     *Renumbering // for the ids in the bytes; nil: they are ids of symbols
	err     error
}

func (d *treeDecoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", errTreeCode, what)
	}
	d.b = nil
}

func (d *treeDecoder) uvarint() uint64 {
	if len(d.b) > 0 && d.b[0] < 0x80 {
		v := uint64(d.b[0])
		d.b = d.b[1:]
		return v
	}
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail("truncated number")
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *treeDecoder) varint() int64 {
	u := d.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// count reads the length of a list. Each element takes at least `size` bytes.
func (d *treeDecoder) count(size int) int {
	n := d.uvarint()
	if n > uint64(len(d.b)/size) {
		d.fail("count beyond the bytes")
		return 0
	}
	return int(n)
}

func (d *treeDecoder) text() string {
	n := d.count(1)
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

// head reads the numbers of nodes and of roots, and skips the root labels. `labels` is the input from the
// first label on, and `behind` is how many bytes come after the number of nodes.
func (d *treeDecoder) head() (nodes, roots int, labels []byte, behind int) {
	total := d.uvarint()
	if total > maxTreeNodes || total/treeNodesPerByte > uint64(len(d.b)) {
		d.fail("more nodes than bytes allow")
		return 0, 0, nil, 0
	}
	behind = len(d.b)
	roots = d.count(1)
	labels = d.b
	for range roots {
		d.uvarint()
	}
	return int(total), roots, labels, behind
}

func (d *treeDecoder) nodes(t *Tree) {
	n, roots, labels, from := d.head()
	if d.err != nil {
		return
	}
	if cap(t.Nodes) < n {
		t.Nodes = make([]Node, 0, n+n/4)
	}
	nodes := t.Nodes[:n]
	s := d.symbols
	lenLabels := uint64(s.Len(Labels))
	w := treeNodes{prods: &s.tables[Productions], in: d.b, nodes: nodes}
	if d.ids != nil {
		w.ids = d.ids[Productions]
	}
	for range roots {
		label, k := binary.Uvarint(labels)
		labels = labels[k:]
		if d.ids != nil {
			label = d.ids.of(Labels, label)
		}
		if label == 0 || label > lenLabels {
			d.fail("root label unknown")
			return
		}
		if wrong := w.root(uint32(label)); wrong != "" {
			d.fail(wrong)
			return
		}
	}
	in := w.in
	if w.at != n {
		d.fail("fewer nodes than announced")
		return
	}
	for pad := n/treeNodesPerByte - (from - len(in)); pad > 0; pad-- {
		if len(in) == 0 || in[0] != 0 {
			d.fail("padding")
			return
		}
		in = in[1:]
	}
	t.Nodes, d.b = nodes, in
}

type treeNodes struct {
	prods *Table
	ids   []uint32 // for each id in the field in: the id in prods; nil: the ids are the same
	in    []byte   // the productions still to read
	nodes []Node
	at    int // number of nodes written
}

// root writes the nodes of the next root. It returns a message if the bytes are wrong, and else "".
func (w *treeNodes) root(label uint32) (wrong string) {
	prods, nodes, in, at, most := w.prods, w.nodes, w.in, w.at, w.mostProduction()
	open, sym, word := int32(-1), label, false // open is the innermost node that can have children left
	children := make([][]byte, 0, 32)          // for each open node: children still to come; most trees are no deeper
	for {
		if at >= len(nodes) {
			return "more nodes than announced"
		}
		nodes[at] = Node{Sym: sym, Size: 1, Parent: open, Word: word}
		if !word {
			var p uint64
			if len(in) > 0 && in[0] < 0x80 {
				p, in = uint64(in[0]), in[1:]
			} else {
				v, k := binary.Uvarint(in)
				if k <= 0 {
					return "truncated productions"
				}
				p, in = v, in[k:]
			}
			if p > most {
				return "production unknown"
			}
			if w.ids != nil {
				p = uint64(w.ids[p])
			}
			if p != 0 {
				b := prods.Bytes(uint32(p))
				lhs, k := uint64(0), 1
				if len(b) > 0 && b[0] < 0x80 {
					lhs = uint64(b[0])
				} else {
					lhs, k = binary.Uvarint(b)
				}
				if lhs != uint64(sym) {
					return "production of another label"
				}
				nodes[at].Prod = uint32(p)
				open, children = int32(at), append(children, b[k:])
			}
		}
		at++
		for open >= 0 && len(children[len(children)-1]) == 0 { // no child of the innermost open node is left
			children = children[:len(children)-1]
			nodes[open].Size = int32(at) - open
			open = nodes[open].Parent
		}
		if open < 0 {
			w.in, w.at = in, at
			return ""
		}
		rest := children[len(children)-1]
		v, k := uint64(rest[0]), 1
		if v >= 0x80 {
			v, k = binary.Uvarint(rest)
		}
		children[len(children)-1] = rest[k:]
		sym, word = uint32(v>>1), v&1 == 1
	}
}

func (d *treeDecoder) tokens(t *Tree) {
	n := d.count(9)
	if cap(t.Tokens) < n {
		t.Tokens = make([]Token, 0, n+n/4)
	}
	words := uint64(d.symbols.Len(Words))
	for i := range n {
		var id [8]uint32
		for j := range id {
			v := d.uvarint()
			if d.ids != nil {
				v = d.ids.of(Words, v)
			}
			if v > words {
				d.fail("word unknown")
				return
			}
			id[j] = uint32(v)
		}
		head := d.varint() + int64(i)
		if head < -1 || head > int64(n) || i > 0 && head < 0 != t.Unparsed() {
			d.fail("head outside the sentence")
			return
		}
		t.Tokens = append(t.Tokens, Token{
			Form: id[0], Lemma: id[1], UPOS: id[2], XPOS: id[3],
			Feats: id[4], Rel: id[5], Deps: id[6], Misc: id[7], Head: int32(head),
		})
	}
}

func (d *treeDecoder) lines(t *Tree) {
	for n := d.count(2); n > 0; n-- {
		before := d.uvarint()
		if before > uint64(len(t.Tokens)) {
			d.fail("line outside the sentence")
			return
		}
		t.Lines = append(t.Lines, Line{Before: int(before), Text: d.text()})
	}
}

func (d *treeDecoder) vectors(t *Tree) {
	for n := d.count(1); n > 0; n-- {
		k := d.count(2)
		var v []Feature
		if len(t.Vectors) < cap(t.Vectors) { // the memory of the tree before
			v = t.Vectors[:len(t.Vectors)+1][len(t.Vectors)][:0]
		}
		id := int64(0)
		for range k {
			id += d.varint()
			value := math.Float64frombits(bits.ReverseBytes64(d.uvarint()))
			if id < 0 || id > math.MaxUint32 {
				d.fail("vector index")
				return
			}
			v = append(v, Feature{ID: uint32(id), Value: value})
		}
		t.Vectors = append(t.Vectors, v)
	}
}

// mostProduction is the largest id of a production that a tree may have.
func (w *treeNodes) mostProduction() uint64 {
	if w.ids != nil {
		return uint64(len(w.ids)) - 1
	}
	return uint64(w.prods.Len())
}
