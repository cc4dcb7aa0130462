// Package convert makes constituency trees of dependency trees, for kernels that want
// those (decode/README.md, "Dependencies as trees"):
//
//	grct  (root (nsubj (NOUN (dogs))) (VERB (bark)))
//	lct   (bark (dogs (NOUN) (nsubj)) (VERB) (root))
//	loct  (bark (dogs))
//
// A tree has one alphabet, as those of svmtk; its names are such that they print and
// read back in that format: brackets are -LRB- and -RRB-, white space is _. Several roots
// are several trees. Multiword ranges, empty nodes and comments are left out.
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

// Shapes are the values of Options.Shape.
func Shapes() []string { return []string{"grct", "lct", "loct"} }

// Options say what becomes of a word.
type Options struct {
	// Shape is grct: relations over tags over words, dependents around them; lct: words,
	// with tag and relation as their last children; or loct: words only.
	Shape string
	Tag   string // upos, which "" is, or xpos
	Word  string // form, which "" is, or lemma
}

// Check returns what is wrong with the options.
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

// Converter converts trees over the symbols from to trees over others.
type Converter struct {
	o    Options
	from *index.Symbols
	b    index.Builder

	dependents index.Dependents
	stack      []open
	name       []byte

	changed int
	losses  format.Losses
}

// open is a word whose node is open.
type open struct {
	word   int32
	kids   []int32 // its dependents that are left
	placed bool    // the word itself has been written
}

// New returns a converter. The options must have been checked.
func New(o Options, from, to *index.Symbols) *Converter {
	return &Converter{o: o, from: from, b: index.Builder{Symbols: to}}
}

// Convert sets dst to what t becomes.
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

// tree writes the tree of a root. It keeps a stack of its own: a chain of words may be
// as long as a text.
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

// push opens the node of a word.
func (c *Converter) push(t *index.Tree, word int32) {
	k := &t.Tokens[word]
	if c.o.Shape == "grct" {
		c.b.Open(c.text(k.Rel))
	} else {
		c.b.Open(c.text(c.word(k)))
	}
	c.stack = append(c.stack, open{word: word, kids: c.dependents.Of(word)})
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

// text returns a field as a name, valid until the next call.
func (c *Converter) text(id uint32) []byte {
	field := c.from.Bytes(index.Words, id)
	c.name = svmtk.AppendName(c.name[:0], field)
	if !bytes.Equal(c.name, field) {
		c.changed++
	}
	return c.name
}

// Losses counts the ranges, empty nodes, comments and PHEADs that were left out so far.
func (c *Converter) Losses() format.Losses { return c.losses }

// Changed is how many fields became other names so far: brackets, white space, and what
// is a mark of svmtk.
func (c *Converter) Changed() int { return c.changed }
