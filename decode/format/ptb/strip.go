package ptb

import (
	"bytes"

	"fstore/index"
)

// cutFunction returns a label without its function tags and indices, for example NP for NP-SBJ=1.
func cutFunction(label []byte) []byte {
	if i := bytes.IndexAny(label, "-="); i > 0 {
		return label[:i]
	}
	return label
}

// stripper removes empty elements and nodes that contain only such elements, but never the root. It does not
// intern the names of removed nodes.
type stripper struct {
	stack  []openNode // the open nodes
	labels []byte     // the labels of the open nodes, one after the other
	opened int        // number of nodes that are open in the builder
	none   int        // number of open brackets, counted from the first -NONE-
}

type openNode struct {
	from int  // start of the node's label in labels
	lost bool // something below the node was removed
}

func (s *stripper) reset() {
	s.stack, s.labels, s.opened, s.none = s.stack[:0], s.labels[:0], 0, 0
}

func (s *stripper) open(label []byte) {
	if s.none > 0 || len(s.stack) > 0 && string(label) == "-NONE-" {
		s.none++
		return
	}
	s.stack = append(s.stack, openNode{from: len(s.labels)})
	s.labels = append(s.labels, label...)
}

func (s *stripper) word(b *index.Builder, w []byte) {
	top := len(s.stack) - 1
	switch {
	case s.none > 0:
	case isEmptyElement(s.labels[s.stack[top].from:], w):
		s.stack[top].lost = true
	default:
		s.flush(b)
		b.Word(w)
	}
}

func (s *stripper) close(b *index.Builder) {
	if s.none > 0 {
		if s.none--; s.none == 0 {
			s.stack[len(s.stack)-1].lost = true
		}
		return
	}
	top := len(s.stack) - 1
	switch {
	case s.opened > top:
		b.Close()
		s.opened--
	case s.stack[top].lost && top > 0:
		s.stack[top-1].lost = true
	default: // the node never had a child, or it is the root
		s.flush(b)
		b.Close()
		s.opened--
	}
	s.labels = s.labels[:s.stack[top].from]
	s.stack = s.stack[:top]
}

// flush opens the nodes of the stack that the builder has not opened yet.
func (s *stripper) flush(b *index.Builder) {
	for ; s.opened < len(s.stack); s.opened++ {
		to := len(s.labels)
		if s.opened+1 < len(s.stack) {
			to = s.stack[s.opened+1].from
		}
		b.Open(s.labels[s.stack[s.opened].from:to])
	}
}

// isEmptyElement says whether a word below label is an empty element:
//   - any word below -NONE-
//   - a word such as *T*-1, *-1 or *pro*, but not * or *sigh*
//   - the word 0 as a complementizer or a wh-phrase, as in (C 0), (WNP-1 0)
func isEmptyElement(label, w []byte) bool {
	if string(label) == "-NONE-" {
		return true
	}
	if string(w) == "0" {
		return isSilent(label)
	}
	if len(w) < 3 || w[0] != '*' {
		return false
	}
	if w[1] == '-' {
		return isNumber(w[2:])
	}
	n := bytes.IndexByte(w[1:], '*')
	if n <= 0 {
		return false
	}
	name, rest := w[1:1+n], w[2+n:]
	return isEmptyName(name) && (len(rest) == 0 || rest[0] == '-' && len(rest) > 1)
}

// isEmptyName says whether a name between stars is that of an empty element.
func isEmptyName(name []byte) bool {
	switch string(name) {
	case "pro", "con", "exp", "arb":
		return true
	}
	for _, c := range name {
		if (c < 'A' || c > 'Z') && c != '?' {
			return false
		}
	}
	return true
}

func isSilent(label []byte) bool {
	l := cutFunction(label)
	return string(l) == "C" || len(l) >= 3 && l[0] == 'W' && l[len(l)-1] == 'P'
}

func isNumber(w []byte) bool { return len(w) > 0 && len(bytes.Trim(w, "0123456789")) == 0 }
