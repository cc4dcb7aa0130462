package glob

import "math"

// Names with a special meaning in a pattern. Other names with this spelling need an escape: \x5F, \x2E..
const (
	Wildcard = "_"   // any label, word or value
	Rest     = "..." // any number of further children, also none
)

// Any fits every value, and Some fits every value but 0.
const (
	Any  = math.MaxUint32
	Some = math.MaxUint32 - 1
)

// Pattern is a tree that is compared with fragments.
type Pattern struct {
	Root *Node
	// Unordered says that children may be in any order.
	Unordered bool
	// Embedded says that children in the pattern match descendants in the tree, in separate subtrees from
	// left to right. Such a pattern has no [Rest].
	Embedded bool
	// Wild says whether the pattern has a [Wildcard] or a [Rest]. If not, the pattern is a fragment.
	Wild bool
	// Prefix is a prefix of the code of every fragment whose root fits the pattern.
	Prefix []byte
}

// Node is a node of a pattern. In a list of children, nil means [Rest].
type Node struct {
	Label []uint32 // [Any] fits any value, [Some] any but 0
	More  bool     // the label of a node that fits may be longer
	Left  []*Node  // like Kids: the children left of the head, if sides are told apart
	Kids  []*Node  // all children, or those not in Left
}

func (p *Node) fitsLabel(label []uint32) bool {
	if len(label) < len(p.Label) || len(label) > len(p.Label) && !p.More {
		return false
	}
	for i, v := range p.Label {
		if v != Any && v != label[i] && (v != Some || label[i] == 0) {
			return false
		}
	}
	return true
}
