package dep

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"fstore/index"
)

// fragment is a decoded code: its arcs in preorder, with links between them.
type fragment struct {
	arcs []fragmentArc
	word uint32 // the word of the root, a symbol; 0: none
}

// fragmentArc is one arc of a fragment. Its fields refer to other arcs by index; -1 stands for no arc.
type fragmentArc struct {
	sym          uint32
	parent       int // the arc that leads to its head
	before, next int // the siblings beside it
	first        int // the first arc from its modifier
	right        bool
	word         uint32 // the word of its modifier, a symbol; 0: none
}

// unfold sets f to the arcs of a code and reuses the memory of f; ok is false if c is not a code.
func (f *fragment) unfold(s *Space, c index.Code) (ok bool) {
	var mem [16]int // no allocation: listings unfold millions of codes
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

// add appends an arc as the last one below its head.
func (f *fragment) add(sym uint32, parent, before int, right bool) {
	n := len(f.arcs)
	if before >= 0 {
		f.arcs[before].next = n
	}
	if parent >= 0 && before < 0 {
		f.arcs[parent].first = n
	}
	f.arcs = append(f.arcs, fragmentArc{sym: sym, parent: parent, before: before, next: -1, first: -1, right: right})
}

// setWord adds a word to the root (`depth` 0) or to the last arc of f. It returns false if the word cannot
// stand there.
func (f *fragment) setWord(n int, depth uint32, path int, sym uint32) (ok bool) {
	word := &f.word
	switch {
	case depth == 0 && n != 1, depth > 0 && int(depth) != path:
		return false
	case depth > 0:
		word = &f.arcs[len(f.arcs)-1].word
	}
	if *word != 0 || sym == 0 {
		return false
	}
	*word = sym
	return true
}

// appendSteps appends the steps of arc i, of its later siblings, and of all arcs below, but not of the leaf
// `skipArc`. `depth` is the depth of the head of arc i.
func (s *Space) appendSteps(dst []index.Step, f *fragment, i, depth, skipArc int) []index.Step {
	first := len(dst)
	var ends []int
	for ; i >= 0; i = f.arcs[i].next {
		if i == skipArc {
			continue
		}
		dst = append(dst, index.Step{Off: s.offOf(depth, f.arcs[i].right), Sym: f.arcs[i].sym})
		if f.arcs[i].word != 0 {
			dst = append(dst, s.wordStep(depth+1, f.arcs[i].word))
		}
		dst = s.appendSteps(dst, f, f.arcs[i].first, depth+1, skipArc)
		if s.unordered {
			ends = append(ends, len(dst))
		}
	}
	if len(ends) < 2 {
		return dst
	}
	runs := make([][]index.Step, len(ends))
	from := first
	for k, end := range ends {
		runs[k], from = dst[from:end], end
	}
	slices.SortFunc(runs, func(a, b []index.Step) int { // the greatest first; a prefix is less
		return slices.CompareFunc(b, a, func(x, y index.Step) int { return cmp.Compare(x.Packed(), y.Packed()) })
	})
	return append(dst[:first], slices.Concat(runs...)...)
}

// steps returns what appendSteps appends, with a step for the root's word.
func (s *Space) steps(f *fragment, i int, word uint32, skipArc int) []index.Step {
	steps := s.appendSteps(nil, f, i, 0, skipArc)
	if word != 0 {
		steps = slices.Insert(steps, 1, s.wordStep(0, word))
	}
	return steps
}

func (s *Space) code(f *fragment) index.Code {
	return index.EncodeSteps(nil, s.steps(f, 0, f.word, -1))
}

// Parts appends the fragments that lack one leaf, the root or one word of c. A node with a word cannot be
// left out.
func (s *Space) Parts(dst []index.Code, c index.Code, _ *index.Symbols) []index.Code {
	var f fragment
	if !f.unfold(s, c) {
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

// atEnd says whether the space allows the siblings that remain without arc i.
func (s *Space) atEnd(f *fragment, i int) bool {
	beside := func(k int) bool {
		return k >= 0 && (s.rule != side || f.arcs[k].right == f.arcs[i].right)
	}
	return s.rule == anyChild || !beside(f.arcs[i].before) || !beside(f.arcs[i].next)
}

type feature struct {
	sym    uint32
	t      *template
	values []uint32
}

// Check implements index.Space.
func (s *Space) Check(c index.Code, syms *index.Symbols) error {
	return s.newCodeReader(syms).check(c)
}

// codeReader implements index.CodeReader, and uses its memory again for the next code.
type codeReader struct {
	s        *Space
	labels   *labels
	syms     *index.Symbols
	code     index.Code
	f        *fragment
	features []feature // the features of the arcs; may be longer than there are arcs
	words    []uint32  // the word of the root, then of each arc's modifier; 0: none
	shape    bool      // the text has templates in place of features; labels is then nil
}

// NewCodeReader implements index.Readable.
func (s *Space) NewCodeReader(syms *index.Symbols) index.CodeReader { return s.newCodeReader(syms) }

func (s *Space) newCodeReader(syms *index.Symbols) *codeReader {
	return &codeReader{s: s, labels: s.labels, syms: syms, f: &fragment{}}
}

// read returns a reader that has decoded c, or nil if c is not a code.
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

// take decodes a code into r. It reuses the decoded feature of an arc if the feature has not changed.
func (r *codeReader) take(c index.Code) error {
	if !r.f.unfold(r.s, c) {
		return fmt.Errorf("code %x: not the arcs of a fragment", []byte(c))
	}
	if n := len(r.f.arcs) - len(r.features); n > 0 {
		values := make([]uint32, n*r.s.width)
		for ; n > 0; n-- {
			r.features = append(r.features, feature{values: values[:0:r.s.width]})
			values = values[r.s.width:]
		}
	}
	r.words = r.words[:0]
	ok := r.addWord(r.f.word)
	for i := range r.f.arcs {
		x, a := &r.features[i], &r.f.arcs[i]
		if x.t == nil || x.sym != a.sym {
			x.sym = a.sym
			if x.t, x.values = r.s.decode(a.sym, r.syms, x.values[:0]); x.t == nil || x.t == r.s.word {
				x.t = nil
				return fmt.Errorf("code %x: %d is no feature of the space", []byte(c), a.sym)
			}
		}
		ok = r.addWord(a.word) && ok
	}
	if !ok {
		return fmt.Errorf("code %x: a word of a node is none", []byte(c))
	}
	return nil
}

// addWord appends the word of a node, or 0 if sym is 0. It returns false if sym is neither a word nor 0.
func (r *codeReader) addWord(sym uint32) (ok bool) {
	word := uint32(0)
	if sym != 0 {
		word, ok = r.s.decodeWord(sym, r.syms)
	}
	r.words = append(r.words, word)
	return ok || sym == 0
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
