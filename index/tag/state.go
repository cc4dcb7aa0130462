package tag

import (
	"fmt"

	"fstore/index"
	"fstore/index/internal/pair"
)

// state is a tag and a word: ids in the classes of the alphabet. The tag 0 is no tag. The word 0 leaves the
// word open.
type state struct{ tag, word uint32 }

// alphabet has the classes of the two ids in a state. All samples of a store have the same alphabet.
type alphabet struct {
	tags, words index.Class
	// name is the name of the symbols' kind. A symbol is a pair (package pair): a tag, and a word or 0.
	name string
	id   uint32 // id of the name; 0 if the symbols do not have it
}

var alphabets = [...]alphabet{
	{tags: index.Labels, words: index.Words, name: "\x00state label word"},
	{tags: index.Labels, words: index.Labels, name: "\x00state label"}, // svmtk, klp
	{tags: index.Words, words: index.Words, name: "\x00state word"},    // dependency trees
}

// alphabetOf returns the alphabet of the states of t. Its id is not set.
func alphabetOf(t *index.Tree) alphabet {
	switch {
	case t.Kind == index.Dependency:
		return alphabets[2]
	case t.OneAlphabet:
		return alphabets[1]
	}
	return alphabets[0]
}

// alphabetIn returns the alphabet whose name is a symbol in syms. If none is, it returns the first alphabet.
func alphabetIn(syms *index.Symbols) alphabet {
	for _, a := range alphabets {
		if a.id = syms.Lookup(index.Features, []byte(a.name)); a.id != 0 {
			return a
		}
	}
	return alphabets[0]
}

// appendKey appends the key that a state's symbol is interned under.
func (a *alphabet) appendKey(dst []byte, st state) []byte {
	return pair.AppendKey(dst, a.id, st.tag, st.word)
}

// decode returns the state of a symbol. ok is false if the symbol is not a state.
func (a *alphabet) decode(sym uint32, syms *index.Symbols) (st state, ok bool) {
	st.tag, st.word, ok = pair.Decode(sym, a.id, syms)
	ok = ok && st.tag != 0 && uint64(st.tag) <= uint64(syms.Len(a.tags)) && uint64(st.word) <= uint64(syms.Len(a.words))
	return st, ok
}

// each calls f for every state of t in surface order, with the index of the state's node or token. A state
// without a tag separates two sequences.
func (s Space) each(t *index.Tree, f func(at int, st state)) {
	if t.Kind == index.Dependency {
		for i := range t.Tokens {
			f(i, s.ofToken(&t.Tokens[i]))
		}
		return
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch {
		case n.Parent < 0:
			if i > 0 {
				f(i, state{})
			}
		case t.IsWord(i):
			f(i, state{t.Nodes[n.Parent].Sym, n.Sym})
		}
	}
}

func (s Space) ofToken(t *index.Token) state {
	st := state{t.UPOS, t.Form}
	if s.xpos {
		st.tag = t.XPOS
	}
	if s.lemma {
		st.word = t.Lemma
	}
	return st
}

// Prepare interns the states of t, with and without words.
func (s Space) Prepare(t *index.Tree, syms *index.Symbols) {
	a := alphabetOf(t)
	a.id = syms.Intern(index.Features, []byte(a.name))
	var key []byte
	s.each(t, func(_ int, st state) {
		for _, x := range st.both() {
			if x.tag != 0 {
				key = a.appendKey(key[:0], x)
				syms.Intern(index.Features, key)
			}
		}
	})
}

// both returns the tag of st without the word, and st itself. A state with the tag 0 stands for none.
func (st state) both() [2]state {
	if st.tag == 0 || st.word == 0 {
		return [2]state{{st.tag, 0}, {}}
	}
	return [2]state{{st.tag, 0}, st}
}

// Check implements index.Space.
func (Space) Check(c index.Code, syms *index.Symbols) error {
	steps, ok := c.Steps(nil)
	if !ok || len(steps) == 0 {
		return fmt.Errorf("code %x: not a run of states", []byte(c))
	}
	a := alphabetIn(syms)
	for _, st := range steps {
		if _, ok := a.decode(st.Sym, syms); !ok || st.Off != 0 {
			return fmt.Errorf("code %x: %d is no state", []byte(c), st.Sym)
		}
	}
	return nil
}
