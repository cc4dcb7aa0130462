package ptk

import "fstore/index"

// A label is the symbol of a node in codes: its id, and whether that is a word's, as
// productions pack their children. In trees of one alphabet there are no words.

// labelOf returns the label of a node.
func labelOf(n *index.Node) uint32 { return packLabel(n.Sym, n.Word) }

func packLabel(id uint32, word bool) uint32 {
	if word {
		return id<<1 | 1
	}
	return id << 1
}

func isWord(label uint32) bool { return label&1 == 1 }

// symbolOf returns the class and the id of a label.
func symbolOf(label uint32) (index.Class, uint32) {
	if isWord(label) {
		return index.Words, label >> 1
	}
	return index.Labels, label >> 1
}
