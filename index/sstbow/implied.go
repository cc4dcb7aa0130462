package sstbow

import "fstore/index"

// Implied implements index.Implying. Where words and labels have one alphabet, a fragment that is
// a word has no children, which a pattern cannot say.
func (Space) Implied() (index.Implied, bool) { return index.Implied{Complete: true}, true }
