package tag

import (
	"errors"
	"fmt"

	"fstore/index"
	"fstore/index/glob"
)

// Tree implements index.Patterned. The states are the children of a root without a label. The label of a
// state is its tag, followed by its word if it has a word.
func (Space) Tree(t *glob.Tree, c index.Code, syms *index.Symbols) error {
	t.Reset()
	if len(c) == 0 {
		return errors.New("an empty code")
	}
	a := alphabetIn(syms)
	t.Open()
	for rest := c; len(rest) > 0; {
		step, more, ok := rest.Next()
		st, known := a.decode(step.Sym, syms)
		if !ok || !known {
			return fmt.Errorf("code %x: not a run of states", []byte(c))
		}
		rest = more
		if st.word == 0 {
			t.Open(st.tag)
		} else {
			t.Open(st.tag, st.word)
		}
		t.Close()
	}
	t.Close()
	return nil
}

// ParsePattern implements index.Patterned:
//   - `_` is any tag without a word, and `_/_` is any tag with a word
//   - `DT/_` is the tag DT with any word, and `_/the` is any tag with the word "the"
//   - `...` is any number of states
func (Space) ParsePattern(text string, syms *index.Symbols) (*glob.Pattern, error) {
	a := alphabetIn(syms)
	states := stateRows{syms: syms}
	root := &glob.Node{}
	p := &glob.Pattern{Root: root}
	fields := splitStates(text)
	if len(fields) == 0 {
		return nil, errNoState
	}
	name := func(text string, class index.Class) (uint32, error) {
		if text == glob.Wildcard {
			p.Wild = true
			return glob.Any, nil
		}
		id, err := parseName(text, class, syms)
		if err == nil && id == 0 {
			err = index.ErrAbsent
		}
		return id, err
	}
	for _, f := range fields {
		if f == glob.Rest {
			root.Kids, p.Wild = append(root.Kids, nil), true
			continue
		}
		st, err := parseState(f, &a, name)
		if err != nil {
			return nil, err
		}
		root.Kids = append(root.Kids, st.globNode())
		if st.tag == glob.Any || st.word == glob.Any {
			continue
		}
		sym := states.symbol(&a, st)
		if sym == 0 {
			return nil, index.ErrAbsent
		}
		if !p.Wild {
			p.Prefix = index.AppendStep(p.Prefix, index.Step{Sym: sym})
		}
	}
	return p, nil
}

func (st state) globNode() *glob.Node {
	if st.word == 0 {
		return &glob.Node{Label: []uint32{st.tag}}
	}
	return &glob.Node{Label: []uint32{st.tag, st.word}}
}

// Above implements index.Patterned. The pattern is c with more states on both sides.
func (Space) Above(c index.Code, syms *index.Symbols) *glob.Pattern {
	a := alphabetIn(syms)
	kids := []*glob.Node{nil}
	for step := range c.All() {
		st, _ := a.decode(step.Sym, syms)
		kids = append(kids, st.globNode())
	}
	return &glob.Pattern{Root: &glob.Node{Kids: append(kids, nil)}}
}
