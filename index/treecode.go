package index

import (
	"encoding/binary"
	"errors"
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
// A production determines the labels and words of its children. So a constituency tree needs only its
// productions: about one byte a node.
const (
	treeDependency = 1 << iota
	treeOneAlphabet
	treeLines
	treeComments
	treeVectors
	treeFlags = 1<<iota - 1
)

// treeNodesPerByte bounds a decoder's memory: a tree has at most this many nodes for each of its bytes. If a
// tree has more, AppendTree appends zero bytes.
const treeNodesPerByte = 64

// maxTreeNodes keeps node indexes and offsets into productions within int32.
const maxTreeNodes = math.MaxInt32 / 2

var errTreeCode = errors.New("tree: malformed bytes")

// AppendTree appends the bytes of t's structure to dst: nodes or tokens, lines, comments and vectors. Each
// node's Prod must describe its children, as with a [Builder].
func AppendTree(dst []byte, t *Tree) []byte {
	flags := len(dst)
	dst = append(dst, 0)
	if t.Kind == Dependency {
		dst[flags] |= treeDependency
		dst = appendTokens(dst, t.Tokens)
	} else {
		dst = appendNodes(dst, t.Nodes)
	}
	if t.OneAlphabet {
		dst[flags] |= treeOneAlphabet
	}
	if len(t.Lines) > 0 {
		dst[flags] |= treeLines
		dst = binary.AppendUvarint(dst, uint64(len(t.Lines)))
		for _, l := range t.Lines {
			dst = appendText(binary.AppendUvarint(dst, uint64(l.Before)), l.Text)
		}
	}
	if len(t.Comments) > 0 {
		dst[flags] |= treeComments
		dst = binary.AppendUvarint(dst, uint64(len(t.Comments)))
		for _, c := range t.Comments {
			dst = appendText(dst, c)
		}
	}
	if len(t.Vectors) > 0 {
		dst[flags] |= treeVectors
		dst = appendVectors(dst, t.Vectors)
	}
	return dst
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
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
			// Reversed bits are a small number if the value is a small whole number.
			dst = binary.AppendUvarint(dst, bits.ReverseBytes64(math.Float64bits(f.Value)))
			last = int64(f.ID)
		}
	}
	return dst
}
