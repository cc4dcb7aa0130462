package dep

import (
	"bytes"
	"fmt"

	"fstore/index"
)

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
