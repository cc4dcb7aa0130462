package draw

import "fstore/index"

// gap is the space between two subtrees, in cells.
const gap = 2

// topDown draws the tree with its root on top, or returns nil if the picture is wider than maxWidth.
func topDown(t *index.Tree, names []name, root, maxWidth int) *sketch {
	n := int(t.Nodes[root].Size)
	d := &drawing{
		nodes: t.Nodes[root : root+n], names: names[root : root+n],
		width: make([]int, n), kids: make([]int, n), middle: make([]int, n),
	}
	if !d.measure(maxWidth) {
		return nil
	}
	return d.place()
}

// drawing is a tree whose nodes are being placed. The box of a subtree is as wide as the root's label or as
// the children side by side, whichever is wider.
type drawing struct {
	nodes  []index.Node // the nodes of the tree
	names  []name
	width  []int // width of each node's box
	kids   []int // width of each node's children side by side
	middle []int // column in the box over which the node's label is centred
}

// measure sets the sizes, children before parents. It returns false if the tree is wider than maxWidth.
func (d *drawing) measure(maxWidth int) bool {
	for i := len(d.nodes) - 1; i >= 0; i-- {
		label := d.names[i].width
		sum, first, last := -gap, 0, 0
		for k := i + 1; k < i+int(d.nodes[i].Size); k += int(d.nodes[k].Size) {
			last = sum + gap + d.middle[k]
			if sum < 0 {
				first = last
			}
			sum += gap + d.width[k]
		}
		d.kids[i] = max(sum, 0)
		d.width[i] = max(label, d.kids[i])
		if d.width[i] > maxWidth {
			return false
		}
		if d.kids[i] == 0 {
			d.middle[i] = label / 2
			continue
		}
		// If the label is wider than the children, the children are centred in the box.
		d.middle[i] = (d.width[i]-d.kids[i]+1)/2 + (first+last)/2
	}
	return true
}

func (d *drawing) place() *sketch {
	k := &sketch{}
	type at struct{ col, row int }
	boxes := make([]at, len(d.nodes))
	for i := range d.nodes {
		b := boxes[i]
		middle := b.col + d.middle[i]
		start := min(max(middle-d.names[i].width/2, b.col), b.col+d.width[i]-d.names[i].width)
		l := k.label(b.row, start, d.names[i], kindOf(d.nodes[i].Word))
		if start == middle-d.names[i].width/2 {
			k.labels[l].middle = float64(middle) + 0.5
		}
		col := b.col + (d.width[i]-d.kids[i]+1)/2
		first, last := -1, -1
		for c := i + 1; c < i+int(d.nodes[i].Size); c += int(d.nodes[c].Size) {
			boxes[c] = at{col, b.row + 2}
			last = col + d.middle[c]
			if first < 0 {
				first = last
			}
			k.edges = append(k.edges, edge{i, c})
			k.vertical(last, b.row+1, b.row+2)
			col += d.width[c] + gap
		}
		if first >= 0 {
			k.vertical(middle, b.row, b.row+1)
			k.horizontal(b.row+1, first, last, false)
		}
	}
	return k
}
