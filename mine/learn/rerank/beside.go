package rerank

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fstore/mine/learn/codec"
)

// Term has the name of a column of the candidates (see Column), and its weight.
type Term struct {
	Name   string
	Weight float64
}

// Part returns the part of the score that the term belongs to: the text of Name before the first colon.
func (t *Term) Part() string {
	part, _, _ := strings.Cut(t.Name, ":")
	return part
}

// Beside has the terms of a candidate's score that do not come from its vector.
type Beside struct {
	Terms       []Term
	Temperature float64 // of a vote, whose chances are in proportion to exp(score/temperature)
}

// Parts returns the parts that the terms belong to (Term.Part), each part once.
func (b *Beside) Parts() (parts []string) {
	for i := range b.Terms {
		if part := b.Terms[i].Part(); !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// ScoreTerm is the name of the term of the parser's score.
const ScoreTerm = "score"

// OfScore returns a Beside that has only one term: the parser's score, with beta as its weight.
func OfScore(beta float64) Beside { return Beside{Terms: []Term{{ScoreTerm, beta}}} }

// Beta returns the weight of the parser's score.
func (b *Beside) Beta() float64 {
	for i := range b.Terms {
		if b.Terms[i].Name == ScoreTerm {
			return b.Terms[i].Weight
		}
	}
	return 0
}

// code writes or reads the bytes: the temperature, the number of terms, and the name and weight of each.
func (b *Beside) code(c *codec.Coder) {
	c.Float(&b.Temperature)
	codec.Slice(c, &b.Terms, 9, func(t *Term) {
		c.Text(&t.Name)
		c.Float(&t.Weight)
	})
}

func (b *Beside) check() error {
	if !(b.Temperature >= 0 && b.Temperature <= math.MaxFloat64) {
		return fmt.Errorf("a temperature of %v", b.Temperature)
	}
	for _, t := range b.Terms {
		if !(math.Abs(t.Weight) <= math.MaxFloat64) {
			return fmt.Errorf("a weight of %s of %v", t.Name, t.Weight)
		}
	}
	return nil
}
