package read

import (
	"cmp"
	"fmt"
	"slices"

	"fstore/decode/format/convert"
	"fstore/index"
)

// tokenColumns are the token columns that a space can use.
var tokenColumns = [...]struct {
	index.Column
	twin int // index of the column that may have values instead; its own index if there is none
}{
	{index.Form, 1},
	{index.Lemma, 0},
	{index.UPOS, 3},
	{index.XPOS, 2},
	{index.Feats, 4},
	{index.Rel, 5},
	{index.Deps, 6},
}

// columns finds the columns that a space uses and that have _ in every word, to tell the user.
type columns struct {
	wanted [len(tokenColumns)]bool
	seen   [len(tokenColumns)]bool
	told   bool // the field wanted has been set, which may happen after the first tree
	words  bool // at least one dependency tree has been read
	full   bool // all wanted columns have been seen
}

// want sets the wanted columns, by their names.
func (c *columns) want(names []string) {
	for i := range tokenColumns {
		c.wanted[i] = slices.Contains(names, tokenColumns[i].String())
	}
	c.told, c.full = true, len(c.empty()) == 0
}

// convertedColumns returns the names of the columns that a conversion reads.
func convertedColumns(o *convert.Options) []string {
	read := []string{cmp.Or(o.Word, "form")}
	if o.Shape != "loct" { // loct uses words only
		read = append(read, cmp.Or(o.Tag, "upos"), "rel")
	}
	return read
}

// add records the columns in which a word of the tree t has a value. The symbols of t are in s.
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

// empty returns the wanted columns in which no value was seen.
func (c *columns) empty() (all []int) {
	for i := range tokenColumns {
		if c.wanted[i] && !c.seen[i] {
			all = append(all, i)
		}
	}
	return all
}

// missing returns messages about columns in which no word has a value.
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
