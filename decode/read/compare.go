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
	Sample string // name of the gold tree
	Kind   index.Kind
	A, B   treescore.Counts // counts of each system against the gold tree
}

// Comparison reads gold trees and the outputs of two systems for the same sentences, in constant memory.
type Comparison struct {
	sides [3]side // gold, a, b
	score *treescore.Scorer
}

// side is one of the three inputs. It has its own symbols, and keeps only those of the last sentence.
type side struct {
	in   *Inputs
	name string // name of the input, for messages
	syms *index.Symbols
	tree index.Tree
}

// OpenComparison opens the gold trees and the outputs of two systems, with the options o. The errors are
// those of Open.
func OpenComparison(gold, a, b string, o InputOptions, s treescore.Options) (*Comparison, error) {
	c := &Comparison{score: treescore.New(s)}
	stdin := false
	for i, path := range []string{gold, a, b} {
		if path == "-" && stdin {
			return nil, errors.Join(OptionErrorf("input", `"-" twice: standard input can be read once`), c.Close())
		}
		stdin = stdin || path == "-"
		x := &c.sides[i]
		x.syms, x.name = ScratchSymbols(), path
		o.Symbols = x.syms
		var err error
		if x.in, err = Open([]string{path}, o); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

// Gold returns the input of the gold trees. Callers use it to show progress.
func (c *Comparison) Gold() *Inputs { return c.sides[0].in }

// Next reads the next sentence and compares its trees, or returns io.EOF. If the three trees have different
// words, the error is an *index.InputError.
func (c *Comparison) Next(x *Compared) error {
	gold, a, b := &c.sides[0], &c.sides[1], &c.sides[2]
	err := gold.in.Next(&gold.tree)
	if err == io.EOF {
		err = errors.Join(a.end(gold), b.end(gold))
		if err == nil {
			err = io.EOF
		}
	}
	if err != nil {
		return err
	}
	c.score.SetGold(&gold.tree, gold.syms)
	x.Sample, x.Kind = gold.tree.Name, gold.tree.Kind
	if err := a.next(gold); err != nil {
		return err
	}
	x.A = c.score.Count(&a.tree, a.syms)
	if err := b.next(gold); err != nil {
		return err
	}
	x.B = c.score.Count(&b.tree, b.syms)
	return nil
}

// next reads the next tree of s. The tree must have the same kind and words as the current tree of gold.
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
		return s.errorf("a %s tree, and a %s tree in %s: expected the same", s.tree.Kind, gold.tree.Kind, file)
	}
	words := goldComparison{gold: &gold.tree, goldSyms: gold.syms, syms: s.syms}
	if msg := words.words(&s.tree); msg != "" {
		return s.errorf("%s (%s, sentence %d): expected the same words", msg, file, sentence)
	}
	return nil
}

// end returns an error if the input has more sentences than the gold trees.
func (s *side) end(gold *side) error {
	err := s.in.Next(&s.tree)
	switch err {
	case io.EOF:
		return nil
	case nil:
		file, sentence := gold.in.Where()
		return s.errorf("one more sentence than the %s of %s: expected as many", index.Thousands(sentence), file)
	}
	return err
}

// errorf returns an error about the sentence read last.
func (s *side) errorf(msg string, args ...any) error {
	file, sentence := s.in.Where()
	return &index.InputError{File: file, Line: s.tree.Line, Sentence: sentence, Msg: fmt.Sprintf(msg, args...)}
}

// Close closes the three inputs.
func (c *Comparison) Close() (err error) {
	for i := range c.sides {
		if in := c.sides[i].in; in != nil {
			err = errors.Join(err, in.Close())
		}
	}
	return err
}
