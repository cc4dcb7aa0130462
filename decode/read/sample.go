package read

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"fstore/decode/format"
	"fstore/decode/format/foreign"
	"fstore/index"
)

func (in *files) sample(t *index.Tree) (Place, error) {
	for {
		if in.cur == nil {
			if err := in.open(); err != nil {
				return in.last, err
			}
		}
		c := in.cur
		in.undo.Symbols = in.syms
		in.undo.Start(&in.refused, false)
		before := countSymbols(in.syms)
		err := c.source.Next(t)
		if err == nil {
			own := t.Name
			if err = in.finish(t); err == nil {
				if in.o.As.Shape == "" {
					in.forms.look(in.syms, before, c.name, t.Line)
				}
				c.refused = nil
				return in.place(own), nil
			}
			if c.leaver != nil {
				c.leaver.LeaveOut()
			}
			in.undo.Undo()
		}
		bad := format.BadSample(err)
		switch {
		case err == io.EOF:
			if err := in.endFile(); err != nil {
				return Place{File: c.name}, err
			}
		case bad != nil:
			if edge := in.atCut(c, bad, false); edge != nil {
				return Place{File: c.name}, in.breakOff(edge)
			}
			c.refused = bad
			c.sentence++
			c.record.Refused++
			in.nameRefused(t, bad)
			return in.place(""), err
		default:
			return Place{File: c.name}, in.breakOff(err)
		}
	}
}

func (in *files) place(own string) Place {
	c := in.cur
	p := Place{File: c.name, sentence: c.sentence, own: own, record: c.record}
	if c.lists != nil {
		p.sentence = c.lists.InList()
		p.list = in.lists + p.sentence
	}
	return p
}

// finish gives a sample its name, label and document, and counts it.
func (in *files) finish(t *index.Tree) error {
	c := in.cur
	id := t.Name
	if id == "" {
		t.Name = c.numberedName(c.sentence + 1)
	}
	c.numberList(t)
	msg := in.wrong(t)
	if msg == "" {
		msg = in.label.apply(t, id, c.comments, true)
	}
	if msg != "" {
		return &index.InputError{File: c.name, Line: t.Line, Sentence: c.next(), Msg: msg}
	}
	if err := in.label.listed.twice; err != nil {
		return err
	}
	c.sentence++
	c.record.Samples++
	return nil
}

// wrong returns a message if a sample is wrong although its reader accepts it, else "".
func (in *files) wrong(t *index.Tree) (msg string) {
	if n := mostChildren(t); n > MaxChildren {
		return fmt.Sprintf("%s children below one node: expected at most %s", index.Thousands(n), index.Thousands(MaxChildren))
	}
	if t.Kind == index.Constituency && (in.o.Format == "" || in.o.Format == "jsonl") {
		msg = foreign.Numbered(words(t, in.syms))
	}
	if msg == "" && in.o.Gold == "" { // otherwise words are compared with gold trees
		msg = in.candidates.differs(t, in.syms)
	}
	return msg
}

// nameRefused sets the fields of a refused sample that do not depend on its text.
func (in *files) nameRefused(t *index.Tree, bad *index.InputError) {
	t.Reset()
	t.Line = bad.Line
	t.Name = in.cur.numberedName(in.cur.sentence)
	if in.label.apply(t, "", nil, false) != "" {
		t.Label = ""
	}
}

// numberedName returns the name of a sample that has no name of its own.
func (c *input) numberedName(sentence int) string {
	c.nameBuf = append(c.nameBuf[:0], c.base...)
	c.nameBuf = append(c.nameBuf, '#')
	c.nameBuf = strconv.AppendInt(c.nameBuf, int64(sentence), 10)
	return string(c.nameBuf)
}

// MaxChildren is the maximum number of children of a node, or of dependents of a token, in a sample. Places
// among siblings are counted in steps of 255 (package expansion). So a child far from the left of its parent
// costs many steps whenever it is stored or looked up.
const MaxChildren = 1 << 18

// mostChildren returns the largest number of children of a node or token, or 0 for a tree too small to exceed
// MaxChildren.
func mostChildren(t *index.Tree) (most int) {
	if max(len(t.Nodes), len(t.Tokens)) <= MaxChildren {
		return 0
	}
	count := make([]int, 1+max(len(t.Nodes), len(t.Tokens))) // the count of node i is at i+1
	for i := range t.Nodes {
		count[t.Nodes[i].Parent+1]++
	}
	for i := range t.Tokens {
		count[max(0, t.Tokens[i].Head)]++
	}
	return slices.Max(count)
}
