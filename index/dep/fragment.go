package dep

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"fstore/index"
)

// fragment is a code unfolded: arcs in preorder. The arcs of a head are linked.
type fragment struct {
	arcs []part
	word uint32 // of the root, a symbol; 0: none
}

// part is one arc.
type part struct {
	sym          uint32
	parent       int // the arc of its head, -1 at the root
	before, next int // the siblings beside it, -1
	first        int // the first arc of its modifier, -1
	right        bool
	word         uint32 // of its modifier, a symbol; 0: none
}

// unfold returns the arcs of a code; ok is false where it is none.
func (s *Space) unfold(c index.Code) (f fragment, ok bool) {
	f.arcs = make([]part, 0, 8)
	ok = f.unfold(s, c)
	return f, ok
}

// unfold sets f to the arcs of a code, in the memory that it has; ok is false where it is none.
func (f *fragment) unfold(s *Space, c index.Code) (ok bool) {
	var mem [16]int // listings unfold millions
	path := mem[:0]
	f.arcs, f.word = f.arcs[:0], 0
	for n := 0; len(c) > 0; n++ {
		st, rest, ok := c.Next()
		depth := s.depthOf(st.Off)
		if !ok || uint64(depth) > uint64(len(path)) {
			return false
		}
		c = rest
		if s.isWord(st.Off) {
			if !f.setWord(n, depth, len(path), st.Sym) {
				return false
			}
			continue
		}
		parent, before := -1, -1
		if depth > 0 {
			parent = path[depth-1]
		}
		if int(depth) < len(path) {
			before = path[depth]
		}
		path = append(path[:depth], len(f.arcs))
		f.add(st.Sym, parent, before, s.rightOf(st.Off))
	}
	return len(f.arcs) > 0
}

// add appends an arc, the last of its head; before is the one before it, -1.
func (f *fragment) add(sym uint32, parent, before int, right bool) {
	n := len(f.arcs)
	if before >= 0 {
		f.arcs[before].next = n
	}
	if parent >= 0 && before < 0 {
		f.arcs[parent].first = n
	}
	f.arcs = append(f.arcs, part{sym: sym, parent: parent, before: before, next: -1, first: -1, right: right})
}

// appendSteps appends the steps of arc i and the siblings after it, with all below them. Their head is
// at depth. It leaves out arc skip, a leaf.
func (s *Space) appendSteps(dst []index.Step, f *fragment, i, depth, skip int) []index.Step {
	first := len(dst)
	var ends []int
	for ; i >= 0; i = f.arcs[i].next {
		if i == skip {
			continue
		}
		dst = append(dst, index.Step{Off: s.offOf(depth, f.arcs[i].right), Sym: f.arcs[i].sym})
		if f.arcs[i].word != 0 {
			dst = append(dst, s.wordStep(depth+1, f.arcs[i].word))
		}
		dst = s.appendSteps(dst, f, f.arcs[i].first, depth+1, skip)
		if s.unordered {
			ends = append(ends, len(dst))
		}
	}
	if len(ends) < 2 {
		return dst
	}
	all := slices.Clone(dst[first:])
	runs := make([][]index.Step, len(ends))
	from := 0
	for k, end := range ends {
		runs[k] = all[from : end-first]
		from = end - first
	}
	slices.SortFunc(runs, func(a, b []index.Step) int { return -compareSteps(a, b) })
	dst = dst[:first]
	for _, r := range runs {
		dst = append(dst, r...)
	}
	return dst
}

// compareSteps compares the steps of sibling subtrees: a prefix is less.
func compareSteps(a, b []index.Step) int {
	return slices.CompareFunc(a, b, func(x, y index.Step) int { return cmp.Compare(x.Packed(), y.Packed()) })
}

// code is the canonical code of f.
func (s *Space) code(f *fragment) index.Code {
	return index.EncodeSteps(nil, s.steps(f, 0, f.word, -1))
}

// Parts appends c without one leaf, for each that may go: under the rule any each,
// else the first and the last of a run of siblings; c without the arc from its root to an
// only child; and c without one word. A node goes only without its word.
func (s *Space) Parts(dst []index.Code, c index.Code, _ *index.Symbols) []index.Code {
	f, ok := s.unfold(c)
	if !ok {
		return dst
	}
	first := len(dst)
	add := func(steps []index.Step) {
		dst = index.AppendPart(dst, first, index.EncodeSteps(nil, steps))
	}
	for i := range f.arcs {
		p := &f.arcs[i]
		if word := p.word; word != 0 {
			p.word = 0
			add(s.steps(&f, 0, f.word, -1))
			p.word = word
			continue
		}
		switch {
		case p.first >= 0 || !s.atEnd(&f, i) || len(f.arcs) == 1:
		case i == 0:
			add(s.steps(&f, p.next, f.word, -1))
		default:
			add(s.steps(&f, 0, f.word, i))
		}
	}
	switch first := &f.arcs[0]; {
	case f.word != 0:
		add(s.steps(&f, 0, 0, -1))
	case first.next < 0 && first.first >= 0:
		add(s.steps(&f, first.first, first.word, -1))
	}
	return dst
}

// atEnd says whether the siblings of arc i are what the rule allows without it.
func (s *Space) atEnd(f *fragment, i int) bool {
	beside := func(k int) bool {
		return k >= 0 && (s.rule != side || f.arcs[k].right == f.arcs[i].right)
	}
	return s.rule == anyChild || !beside(f.arcs[i].before) || !beside(f.arcs[i].next)
}

// Check implements index.Space.
func (s *Space) Check(c index.Code, syms *index.Symbols) error {
	return s.newCodeReader(syms).check(c)
}

// codeReader implements index.CodeReader. It takes each code apart once, in the memory of the codes
// before.
type codeReader struct {
	writer
	code index.Code
}

// NewCodeReader implements index.Readable.
func (s *Space) NewCodeReader(syms *index.Symbols) index.CodeReader { return s.newCodeReader(syms) }

func (s *Space) newCodeReader(syms *index.Symbols) *codeReader {
	return &codeReader{writer: writer{s: s, labels: s.labels, f: &fragment{}, syms: syms}}
}

// read returns a reader that has taken c apart; nil where c is no code.
func (s *Space) read(c index.Code, syms *index.Symbols) *codeReader {
	r := s.newCodeReader(syms)
	if r.take(c) != nil {
		return nil
	}
	return r
}

// Read implements index.CodeReader.
func (r *codeReader) Read(c index.Code) error {
	r.code = append(r.code[:0], c...)
	return r.check(r.code)
}

// Code implements index.CodeReader.
func (r *codeReader) Code() index.Code { return r.code }

// Order implements index.CodeReader.
func (r *codeReader) Order() int { return r.code.Len() }

// AppendText implements index.CodeReader.
func (r *codeReader) AppendText(dst []byte) []byte { return r.node(dst, -1, 0) }

// take takes a code apart.
func (r *codeReader) take(c index.Code) error {
	if !r.f.unfold(r.s, c) {
		return fmt.Errorf("code %x: not the arcs of a fragment", []byte(c))
	}
	bad, ok := 0, false
	if r.features, bad = r.s.features(r.features, r.f, r.syms); bad >= 0 {
		return fmt.Errorf("code %x: %d is no feature of the space", []byte(c), r.f.arcs[bad].sym)
	}
	if r.words, ok = r.s.wordsOf(r.words, r.f, r.syms); !ok {
		return fmt.Errorf("code %x: a word of a node is none", []byte(c))
	}
	return nil
}

func (r *codeReader) check(c index.Code) error {
	if err := r.take(c); err != nil {
		return err
	}
	s, f := r.s, r.f
	for i := range f.arcs {
		p := &f.arcs[i]
		if s.rule == side && p.before >= 0 && f.arcs[p.before].right && !p.right {
			return fmt.Errorf("code %x: a dependent left of its head after one right of it", []byte(c))
		}
	}
	if s.unordered && !bytes.Equal(s.code(f), c) {
		return fmt.Errorf("code %x: not canonical", []byte(c))
	}
	if s.labels != nil && !s.labels.agree(s, f, r.features) {
		return fmt.Errorf("code %x: the features of its arcs do not fit together", []byte(c))
	}
	return nil
}

// feature is a feature taken apart.
type feature struct {
	sym    uint32
	t      *template
	values []uint32
}

// features returns the features of the arcs, in the memory of all. A feature in all stays if it has the
// same symbol; features behind those of the arcs stay too. bad is the first arc whose symbol is no
// feature of the space, or -1.
func (s *Space) features(all []feature, f *fragment, syms *index.Symbols) (_ []feature, bad int) {
	if n := len(f.arcs) - len(all); n > 0 {
		values := make([]uint32, n*s.width)
		for ; n > 0; n-- {
			all = append(all, feature{values: values[:0:s.width]})
			values = values[s.width:]
		}
	}
	for i := range f.arcs {
		x, sym := &all[i], f.arcs[i].sym
		if x.t != nil && x.sym == sym {
			continue
		}
		x.sym = sym
		x.t, x.values = s.decode(sym, syms, x.values[:0])
		if x.t == nil || x.t == s.word {
			x.t = nil
			return all, i
		}
	}
	return all, -1
}
