package read

import (
	"cmp"
	"fmt"
	"slices"

	"fstore/decode/format/convert"
	"fstore/index"
)

// tokenColumns are the columns that a space can read.
var tokenColumns = [...]struct {
	index.Column
	twin int // in this table: the column that people may have instead
}{
	{index.Form, 1},
	{index.Lemma, 0},
	{index.UPOS, 3},
	{index.XPOS, 2},
	{index.Feats, 4},
	{index.Rel, 5},
	{index.Deps, 6},
}

// columns finds the columns that spaces read and no word has a value in: without a word, all of
// their fragments would have _ there.
type columns struct {
	wanted [len(tokenColumns)]bool
	seen   [len(tokenColumns)]bool
	told   bool // what is wanted is known; it can be after the first tree
	words  bool // there are dependency trees
	full   bool // all that are wanted were seen
}

// want sets the columns that are wanted.
func (c *columns) want(names []string) {
	for i := range tokenColumns {
		c.wanted[i] = slices.Contains(names, tokenColumns[i].String())
	}
	c.told, c.full = true, len(c.empty()) == 0
}

// convertedColumns are the columns that trees are made of.
func convertedColumns(o *convert.Options) []string {
	read := []string{cmp.Or(o.Word, "form")}
	if o.Shape != "loct" { // which has words only
		read = append(read, cmp.Or(o.Tag, "upos"), "rel")
	}
	return read
}

// add looks at the words of t, which is over s.
func (c *columns) add(t *index.Tree, s *index.Symbols) {
	if c.full || c.words && !c.told {
		return
	}
	for k := range t.Tokens {
		for i := range tokenColumns {
			c.seen[i] = c.seen[i] || string(s.Bytes(index.Words, tokenColumns[i].Of(&t.Tokens[k]))) != "_"
		}
	}
	c.words = c.words || len(t.Tokens) > 0
	c.full = c.told && len(c.empty()) == 0
}

// empty are the columns that are wanted and not seen.
func (c *columns) empty() (all []int) {
	for i := range tokenColumns {
		if c.wanted[i] && !c.seen[i] {
			all = append(all, i)
		}
	}
	return all
}

// missing says which columns no word has a value in.
func (c *columns) missing() (lines []string) {
	if !c.words || !c.told || c.full {
		return nil
	}
	for _, i := range c.empty() {
		x := &tokenColumns[i]
		line := fmt.Sprintf("no word has a value in the column %s: %s is _ throughout", x.Column, x.Column)
		if c.seen[x.twin] && x.twin != i {
			line += fmt.Sprintf("; %s has values", tokenColumns[x.twin].Column)
		}
		lines = append(lines, line)
	}
	return lines
}
