package read

import (
	"errors"
	"fmt"
	"io"

	"fstore/index"
	"fstore/index/treescore"
)

// Compared is a sentence that two systems have parsed.
type Compared struct {
	Sample string // the gold tree's name
	Kind   index.Kind
	A, B   treescore.Counts // of each system against gold
}

// Comparison reads gold trees and the outputs of two systems for the same sentences side by
// side, in constant memory.
type Comparison struct {
	gold, a, b *side
	score      *treescore.Scorer
}

// side is one of the three inputs. Each has symbols of its own, which forget the sentence
// before.
type side struct {
	in   *Inputs
	name string // in messages
	syms *index.Symbols
	tree index.Tree
}

// OpenComparison opens files of gold trees and of what two systems made of them; o says how
// all are read, but for its Symbols. The errors are those of Open.
func OpenComparison(gold, a, b string, o InputOptions, s treescore.Options) (*Comparison, error) {
	c := &Comparison{score: treescore.New(s)}
	var stdin bool
	for _, f := range []struct {
		to   **side
		path string
	}{{&c.gold, gold}, {&c.a, a}, {&c.b, b}} {
		if f.path == "-" && stdin {
			return nil, errors.Join(OptionErrorf("input", `"-" twice: standard input can be read once`), c.Close())
		}
		stdin = stdin || f.path == "-"
		x := &side{syms: ScratchSymbols(), name: f.path}
		o.Symbols = x.syms
		var err error
		if x.in, err = Open([]string{f.path}, o); err != nil {
			return nil, errors.Join(err, c.Close())
		}
		*f.to = x
	}
	return c, nil
}

// Gold is the input of the gold trees, which tells how far reading is.
func (c *Comparison) Gold() *Inputs { return c.gold.in }

// Next compares the next sentence; io.EOF after the last. Where the trees are no trees of
// one sentence, it is an *index.InputError.
func (c *Comparison) Next(x *Compared) error {
	switch err := c.gold.in.Next(&c.gold.tree); err {
	case nil:
	case io.EOF:
		if err := errors.Join(c.a.end(c.gold), c.b.end(c.gold)); err != nil {
			return err
		}
		return io.EOF
	default:
		return err
	}
	gold := &c.gold.tree
	c.score.SetGold(gold, c.gold.syms)
	x.Sample, x.Kind = gold.Name, gold.Kind
	for _, s := range []struct {
		*side
		to *treescore.Counts
	}{{c.a, &x.A}, {c.b, &x.B}} {
		if err := s.next(c.gold); err != nil {
			return err
		}
		*s.to = c.score.Count(&s.tree, s.syms)
	}
	return nil
}

// next reads the sentence of a gold tree.
func (s *side) next(gold *side) error {
	err := s.in.Next(&s.tree)
	file, sentence := gold.in.Where()
	if err == io.EOF {
		return &index.InputError{File: s.name, Msg: fmt.Sprintf(
			"%s, and more in %s: expected as many", index.Plural(sentence-1, "sentence"), file), Fatal: true}
	}
	if err != nil {
		return err
	}
	if s.tree.Kind != gold.tree.Kind || s.tree.OneAlphabet != gold.tree.OneAlphabet {
		return s.bad("a %s tree, and a %s tree in %s: expected the same", s.tree.Kind, gold.tree.Kind, file)
	}
	words := goldComparison{gold: &gold.tree, goldSyms: gold.syms, syms: s.syms}
	if msg := words.words(&s.tree); msg != "" {
		return s.bad("%s (%s, sentence %d): expected the same words", msg, file, sentence)
	}
	return nil
}

// end wants no sentence to follow.
func (s *side) end(gold *side) error {
	err := s.in.Next(&s.tree)
	switch err {
	case io.EOF:
		return nil
	case nil:
		file, sentence := gold.in.Where()
		return s.bad("one more sentence than the %s of %s: expected as many", index.Thousands(sentence), file)
	}
	return err
}

// bad is an error of the sentence read last.
func (s *side) bad(msg string, args ...any) error {
	file, sentence := s.in.Where()
	return &index.InputError{File: file, Line: s.tree.Line, Sentence: sentence, Msg: fmt.Sprintf(msg, args...)}
}

// Close ends reading.
func (c *Comparison) Close() (err error) {
	for _, s := range []*side{c.gold, c.a, c.b} {
		if s != nil {
			err = errors.Join(err, s.in.Close())
		}
	}
	return err
}
