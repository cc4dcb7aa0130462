package lists

import (
	"fmt"
	"io"
	"math"

	"fstore/decode/read"
	"fstore/index"
	"fstore/store"
)

// StoredLists returns the K-best lists of a store in order, and their symbols, including those of gold trees.
// It skips samples that are in no list.
func StoredLists(s *store.Store) (read.ListSource, *index.Symbols, error) {
	syms, err := s.Symbols()
	if err != nil {
		return nil, nil, err
	}
	syms = syms.Overlay()
	return &storedLists{src: store.NewSource(s), syms: syms, dir: s.Dir(), kind: s.Meta().Kind, oneAlphabet: s.Meta().OneAlphabet}, syms, nil
}

type storedLists struct {
	src   index.Source
	syms  *index.Symbols
	ahead index.Tree // the first sample of the next list; if its group is "", there is no next list
	next  uint32     // number of samples read so far

	dir         string // the store's directory
	kind        index.Kind
	oneAlphabet bool
}

func (r *storedLists) Release() { r.syms.Rollback() }

func (r *storedLists) NextList(l *read.List) error {
	l.Reset()
	if r.ahead.Group != "" {
		r.take(l, &r.ahead)
	}
	for {
		err := r.src.Next(&r.ahead)
		if err == io.EOF {
			r.ahead.Reset()
			if len(l.Candidates) > 0 {
				return nil
			}
		}
		if err != nil {
			return err
		}
		r.next++
		if l.Used > 0 && !r.ahead.SameSentence(l.Trees[0].Group, l.Trees[0].Document) {
			if len(l.Candidates) > 0 {
				return nil
			}
			l.Reset() // only the gold tree is left, the candidates were lost (maintain.Repair)
		}
		if r.ahead.Group == "" {
			continue
		}
		if err := r.check(l); err != nil {
			return err
		}
		r.take(l, &r.ahead)
	}
}

// check returns an error if the sample r.ahead does not fit the store or the list. With one alphabet, it does
// not compare words: a conversion of dependency trees can change them.
func (r *storedLists) check(l *read.List) error {
	t, msg := &r.ahead, ""
	switch {
	case t.Kind != r.kind || t.OneAlphabet != r.oneAlphabet:
		msg = "it is of another kind than the store's"
	case !(math.Abs(t.Score) <= index.MostScore):
		msg = fmt.Sprintf("a score of %g: expected at most %g", t.Score, index.MostScore)
	case l.Used > 0 && !t.OneAlphabet:
		msg = read.OtherWords(l.Trees[0], t, r.syms)
	}
	if msg == "" {
		return nil
	}
	return &store.Error{Dir: r.dir, Kind: store.ErrDamaged, Detail: fmt.Sprintf("sample %d: %s", r.next-1, msg)}
}

func (r *storedLists) take(l *read.List, t *index.Tree) {
	to := l.Next()
	*to, *t = *t, *to
	t.Group = ""
	if l.Used == 0 {
		l.Place, l.Id = read.Place{File: to.Name}, r.next-1
	}
	l.Add(false)
	if len(to.Corrections) > 0 {
		to.Correct(&l.Corrected, r.syms)
		l.Gold = &l.Corrected
	}
}
