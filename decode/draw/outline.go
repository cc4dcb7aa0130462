package draw

import (
	"strings"

	"fstore/index"
)

// deepest is the maximum number of levels of an outline. Subtrees below these levels are written in brackets.
const deepest = 40

// outline draws the tree at root with one line for each node, indented by depth. A word that is an only child
// shares the line of its parent.
func outline(t *index.Tree, names []name, root int) *sketch {
	k := &sketch{}
	end := root + int(t.Nodes[root].Size)
	depth := make([]int, end-root)
	row := make([]int, end-root)
	lastRow := make([]int, end-root) // the row of each node's last child
	next := 0
	for i := root; i < end; next++ {
		v := &t.Nodes[i]
		at := i - root
		row[at] = next
		if i > root {
			parent := int(v.Parent) - root
			depth[at] = depth[parent] + 1
			lastRow[parent] = next
			k.horizontal(next, 2*depth[parent], 2*depth[at]-1, false)
		}
		kind, col := kindOf(v.Word), 2*depth[at]
		switch {
		case v.Size > 1 && depth[at] >= deepest:
			k.label(next, col, brackets(t, names, i), kind)
			i += int(v.Size)
		case v.Size == 2:
			k.label(next, col, names[i], kind)
			k.label(next, col+names[i].width+1, names[i+1], kindOf(t.IsWord(i+1)))
			i += 2
		default:
			k.label(next, col, names[i], kind)
			i++
		}
	}
	for i := root; i < end; i++ {
		if at := i - root; lastRow[at] > 0 {
			k.vertical(2*depth[at], row[at], lastRow[at])
		}
	}
	return k
}

// brackets returns a subtree as text in brackets, on one line.
func brackets(t *index.Tree, names []name, root int) name {
	var b strings.Builder
	width := 0
	write := func(s string, w int) {
		b.WriteString(s)
		width += w
	}
	for i := root; i < root+int(t.Nodes[root].Size); i++ {
		v := &t.Nodes[i]
		if i > root {
			write(" ", 1)
		}
		if !v.Word {
			write("(", 1)
		}
		write(names[i].text, names[i].width)
		if v.Size > 1 {
			continue
		}
		if !v.Word {
			write(")", 1)
		}
		for p := int(v.Parent); p >= root && p+int(t.Nodes[p].Size) == i+1; p = int(t.Nodes[p].Parent) {
			write(")", 1)
		}
	}
	return name{text: b.String(), width: width}
}
