package glob

import "math"

// The texts that stand for more than themselves in a pattern. A name that is spelt
// like one of them is written with an escape: \x5F, \x2E..
const (
	Wildcard = "_"   // any label, word or value
	Rest     = "..." // any number of further children, none included
)

// Any is the value that every value fits, and Some that every value but 0 fits.
const (
	Any  = math.MaxUint32
	Some = math.MaxUint32 - 1
)

// Pattern is a tree that fragments may fit.
type Pattern struct {
	Root *Node
	// Unordered patterns fit whatever order children come in.
	Unordered bool
	// Embedded patterns have no [Rest]: their kids are, in order and side by side,
	// descendants, and all that is not in between is passed over.
	Embedded bool
	// Wild says that there is a [Wildcard] or a [Rest]: without, a pattern is a fragment.
	Wild bool
	// Prefix begins the code of every fragment that fits at its root.
	Prefix []byte
}

// Node is a node of a pattern.
type Node struct {
	Label []uint32 // [Any] fits any value, [Some] any but 0
	More  bool     // the label of a node that fits may go on
	Left  []*Node  // the children left of it, where sides are told apart, as Kids
	Kids  []*Node  // the children, or the others of them; nil stands for [Rest]
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
