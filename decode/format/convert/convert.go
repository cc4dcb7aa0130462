// Package convert turns dependency trees into constituency trees, for kernels of constituency trees
// (decode/README.md, "Dependencies as trees"):
//
//	grct  (root (nsubj (NOUN (dogs))) (VERB (bark)))
//	lct   (bark (dogs (NOUN) (nsubj)) (VERB) (root))
//	loct  (bark (dogs))
//
// As in svmtk, words and labels are not told apart, brackets become -LRB- and -RRB-, and white space becomes _.
// Several roots give several trees. Multiword ranges, empty nodes and comments are left out.
package convert

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"fstore/decode/format"
	"fstore/decode/format/internal/conll"
	"fstore/decode/format/svmtk"
	"fstore/index"
)

// Shapes returns the values of Options.Shape.
func Shapes() []string { return []string{"grct", "lct", "loct"} }

// Options say how a word is written in the new tree.
type Options struct {
	// Shape is one of:
	//
	//	grct: relations above tags above words, with the dependents beside the tags
	//	lct:  words, with tag and relation as their last children
	//	loct: words only
	Shape string
	Tag   string // upos or xpos; "" means upos
	Word  string // form or lemma; "" means form
}

// Check returns an error if an option is wrong.
func (o *Options) Check() error {
	for _, c := range []struct {
		what, value string
		legal       []string
	}{
		{"", o.Shape, Shapes()},
		{"-tag", o.Tag, []string{"", "upos", "xpos"}},
		{"-word", o.Word, []string{"", "form", "lemma"}},
	} {
		if !slices.Contains(c.legal, c.value) {
			legal := c.legal
			if legal[0] == "" {
				legal = legal[1:]
			}
			return fmt.Errorf("--as%s: %q is none of %s", c.what, c.value, strings.Join(legal, ", "))
		}
	}
	return nil
}

// Converter converts trees. The given trees use one table of symbols, and the new trees use another.
type Converter struct {
	o    Options
	from *index.Symbols
	b    index.Builder

	dependents index.Dependents
	stack      []openWord
	name       []byte

	changed int
	losses  format.Losses
}

// openWord is a word whose node has been opened and not yet closed.
type openWord struct {
	word   int32
	kids   []int32 // the dependents of the word that are not written yet
	placed bool    // the word itself has been written (grct)
}

// New returns a converter. The options must have been checked.
func New(o Options, from, to *index.Symbols) *Converter {
	return &Converter{o: o, from: from, b: index.Builder{Symbols: to}}
}

// Convert makes dst from t. It reuses the memory of dst.
func (c *Converter) Convert(dst, t *index.Tree) {
	c.b.Start(dst, true)
	dst.Name, dst.Label, dst.Document = t.Name, t.Label, t.Document
	dst.Group, dst.Candidate, dst.Score, dst.Gold = t.Group, t.Candidate, t.Score, t.Gold
	dst.Line = t.Line
	c.losses.Add(format.LossesOf(t))
	c.losses.Pheads += conll.Pheads(t, c.from)
	c.dependents.Fill(t)
	for _, root := range c.dependents.Of(-1) {
		c.tree(t, root)
	}
}

// tree writes the tree of a root. It does not recurse, because a chain of words can be as long as the text.
func (c *Converter) tree(t *index.Tree, root int32) {
	c.stack = c.stack[:0]
	c.push(t, root)
	for len(c.stack) > 0 {
		o := &c.stack[len(c.stack)-1]
		switch {
		case c.o.Shape == "grct" && !o.placed && (len(o.kids) == 0 || o.kids[0] > o.word):
			o.placed = true
			k := &t.Tokens[o.word]
			c.b.Open(c.text(c.tag(k)))
			c.b.Word(c.text(c.word(k)))
			c.b.Close()
		case len(o.kids) > 0:
			kid := o.kids[0]
			o.kids = o.kids[1:]
			c.push(t, kid)
		default:
			if c.o.Shape == "lct" {
				k := &t.Tokens[o.word]
				c.b.Word(c.text(c.tag(k)))
				c.b.Word(c.text(k.Rel))
			}
			c.b.Close()
			c.stack = c.stack[:len(c.stack)-1]
		}
	}
}

// push opens the node of a word and puts the word on the stack of open words.
func (c *Converter) push(t *index.Tree, word int32) {
	k := &t.Tokens[word]
	if c.o.Shape == "grct" {
		c.b.Open(c.text(k.Rel))
	} else {
		c.b.Open(c.text(c.word(k)))
	}
	c.stack = append(c.stack, openWord{word: word, kids: c.dependents.Of(word)})
}

func (c *Converter) tag(k *index.Token) uint32 {
	if c.o.Tag == "xpos" {
		return k.XPOS
	}
	return k.UPOS
}

func (c *Converter) word(k *index.Token) uint32 {
	if c.o.Word == "lemma" {
		return k.Lemma
	}
	return k.Form
}

// text returns a field as a name that can be printed. It is valid until the next call.
func (c *Converter) text(id uint32) []byte {
	field := c.from.Bytes(index.Words, id)
	c.name = svmtk.AppendName(c.name[:0], field)
	if !bytes.Equal(c.name, field) {
		c.changed++
	}
	return c.name
}

// Losses counts the ranges, empty nodes, comments and PHEADs left out so far.
func (c *Converter) Losses() format.Losses { return c.losses }

// Changed returns how many fields were changed because of brackets, white space or marks of svmtk.
func (c *Converter) Changed() int { return c.changed }
