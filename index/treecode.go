package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// A tree's bytes, as [AppendTree] writes them:
//
//	flags                                     one byte, see below
//	constituency: uvarint nodes, uvarint roots, then per root a uvarint label,
//	              then in preorder a uvarint production of every nonterminal,
//	              0 where it has no children; zeros up to nodes/treeNodesPerByte bytes
//	dependency:   uvarint tokens, then per token nine uvarints: form, lemma, UPOS,
//	              XPOS, feats, rel, deps, misc, zigzag(head - position)
//	lines:        uvarint count, then per line uvarint before, uvarint length, text
//	comments:     uvarint count, then per comment uvarint length, text
//	vectors:      uvarint count, then per vector uvarint entries, per entry
//	              zigzag(id - id before), uvarint of the value's bits, reversed
//
// A production determines the labels and words of its children, so that a
// constituency tree is its productions and nothing else: about one byte a node.
const (
	treeDependency = 1 << iota
	treeOneAlphabet
	treeLines
	treeComments
	treeVectors
	treeFlags = 1<<iota - 1
)

// treeNodesPerByte bounds what a decoder allocates: a tree's nodes are at most
// this many times its bytes. A flat production of thousands of words would break
// the bound, so AppendTree pads such a tree with zeros.
const treeNodesPerByte = 64

// maxTreeNodes keeps node indexes, and cursors into productions, within int32.
const maxTreeNodes = math.MaxInt32 / 2

var errTreeCode = errors.New("tree: malformed bytes")

// AppendTree appends the bytes of t's structure to dst: nodes or tokens, lines,
// comments and vectors. Name, Label, Document, Group, Candidate, Score, Gold,
// Corrections and Line are no part of it. The trees of a [Builder] and of a dependency reader are
// what it takes: each node's Prod describes its children.
func AppendTree(dst []byte, t *Tree) []byte {
	var flags byte
	if t.Kind == Dependency {
		flags |= treeDependency
	}
	if t.OneAlphabet {
		flags |= treeOneAlphabet
	}
	if len(t.Lines) > 0 {
		flags |= treeLines
	}
	if len(t.Comments) > 0 {
		flags |= treeComments
	}
	if len(t.Vectors) > 0 {
		flags |= treeVectors
	}
	dst = append(dst, flags)
	if t.Kind == Dependency {
		dst = appendTokens(dst, t.Tokens)
	} else {
		dst = appendNodes(dst, t.Nodes)
	}
	if len(t.Lines) > 0 {
		dst = binary.AppendUvarint(dst, uint64(len(t.Lines)))
		for _, l := range t.Lines {
			dst = binary.AppendUvarint(dst, uint64(l.Before))
			dst = binary.AppendUvarint(dst, uint64(len(l.Text)))
			dst = append(dst, l.Text...)
		}
	}
	if len(t.Comments) > 0 {
		dst = binary.AppendUvarint(dst, uint64(len(t.Comments)))
		for _, c := range t.Comments {
			dst = binary.AppendUvarint(dst, uint64(len(c)))
			dst = append(dst, c...)
		}
	}
	if len(t.Vectors) > 0 {
		dst = appendVectors(dst, t.Vectors)
	}
	return dst
}

func appendNodes(dst []byte, nodes []Node) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(nodes)))
	roots := 0
	for i := 0; i < len(nodes); i += int(nodes[i].Size) {
		roots++
	}
	from := len(dst)
	dst = binary.AppendUvarint(dst, uint64(roots))
	for i := 0; i < len(nodes); i += int(nodes[i].Size) {
		dst = binary.AppendUvarint(dst, uint64(nodes[i].Sym))
	}
	for i := range nodes {
		if !nodes[i].Word {
			dst = binary.AppendUvarint(dst, uint64(nodes[i].Prod))
		}
	}
	for len(dst)-from < len(nodes)/treeNodesPerByte {
		dst = append(dst, 0)
	}
	return dst
}

func appendTokens(dst []byte, tokens []Token) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(tokens)))
	for i := range tokens {
		k := &tokens[i]
		for _, id := range [...]uint32{k.Form, k.Lemma, k.UPOS, k.XPOS, k.Feats, k.Rel, k.Deps, k.Misc} {
			dst = binary.AppendUvarint(dst, uint64(id))
		}
		dst = binary.AppendVarint(dst, int64(k.Head)-int64(i))
	}
	return dst
}

func appendVectors(dst []byte, vectors [][]Feature) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(vectors)))
	for _, v := range vectors {
		dst = binary.AppendUvarint(dst, uint64(len(v)))
		last := int64(0)
		for _, f := range v {
			dst = binary.AppendVarint(dst, int64(f.ID)-last)
			// Small whole numbers have their bits at the top.
			dst = binary.AppendUvarint(dst, bits.ReverseBytes64(math.Float64bits(f.Value)))
			last = int64(f.ID)
		}
	}
	return dst
}

// DecodeTree reads what [AppendTree] wrote into the structure of t, reusing its
// memory; the fields that are no part of the structure stay as they are. All ids
// are checked against s, whose productions must have been checked, and
// every byte must be used. It allocates at most some 64 nodes for each byte of b,
// whatever the bytes are, and nothing once t is large enough.
func DecodeTree(b []byte, s *Symbols, t *Tree) error {
	t.Nodes, t.Tokens = t.Nodes[:0], t.Tokens[:0]
	t.Lines, t.Comments, t.Vectors, t.Misc = t.Lines[:0], t.Comments[:0], t.Vectors[:0], t.Misc[:0]
	if len(b) == 0 || b[0] > treeFlags {
		return fmt.Errorf("%w: flags", errTreeCode)
	}
	flags := b[0]
	if flags&treeDependency != 0 && flags&treeOneAlphabet != 0 {
		return fmt.Errorf("%w: a dependency tree of one alphabet", errTreeCode)
	}
	d := treeDecoder{b: b[1:], symbols: s}
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

// count reads a number of things that take at least size bytes each.
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

// nodes rebuilds the nodes from the productions. The open nodes are a stack
// through Parent, and an open node's Size is its cursor into the bytes of its
// production: no recursion, no memory beyond the nodes themselves.
func (d *treeDecoder) nodes(t *Tree) {
	total := d.uvarint()
	if total > maxTreeNodes || total/treeNodesPerByte > uint64(len(d.b)) {
		d.fail("more nodes than bytes allow")
		return
	}
	from := len(d.b)
	n := int(total)
	if cap(t.Nodes) < n {
		t.Nodes = make([]Node, 0, n+n/4)
	}
	nodes := t.Nodes[:n]
	roots := d.count(1)
	labels := d.b // the roots' labels; the productions follow
	for range roots {
		d.uvarint()
	}
	s := d.symbols
	prods := &s.tables[Productions]
	lenLabels, lenProds := uint64(s.Len(Labels)), uint64(prods.Len())
	if d.err != nil {
		return
	}
	in := d.b
	at := 0 // nodes written
	for range roots {
		label, k := binary.Uvarint(labels)
		labels = labels[k:]
		if label == 0 || label > lenLabels {
			d.fail("root label unknown")
			return
		}
		open := int32(-1)
		sym, word := uint32(label), false
		for {
			// Node at has the symbol sym and the parent open.
			if at >= n {
				d.fail("more nodes than announced")
				return
			}
			nodes[at] = Node{Sym: sym, Size: 1, Parent: open, Word: word}
			if !word {
				var p uint64
				if len(in) > 0 && in[0] < 0x80 {
					p, in = uint64(in[0]), in[1:]
				} else {
					var k int
					if p, k = binary.Uvarint(in); k <= 0 {
						d.fail("truncated productions")
						return
					}
					in = in[k:]
				}
				if p != 0 {
					if p > lenProds {
						d.fail("production unknown")
						return
					}
					lhs, k := binary.Uvarint(prods.Bytes(uint32(p)))
					if lhs != uint64(sym) {
						d.fail("production of another label")
						return
					}
					nodes[at].Prod = uint32(p)
					nodes[at].Size = int32(k)
					open = int32(at)
				}
			}
			at++
			// Next child of the innermost open node that has one left.
			more := false
			for open >= 0 {
				o := &nodes[open]
				rest := prods.Bytes(o.Prod)[o.Size:]
				if len(rest) > 0 {
					v, k := uint64(rest[0]), 1
					if v >= 0x80 {
						v, k = binary.Uvarint(rest)
					}
					o.Size += int32(k)
					sym, word = uint32(v>>1), v&1 == 1
					more = true
					break
				}
				o.Size = int32(at) - open
				open = o.Parent
			}
			if !more {
				break
			}
		}
	}
	if at != n {
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
