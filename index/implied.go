package index

// Implying is implemented by spaces of which a construction (package pattern) implies fragments:
// every tree with a hit has them, so that their posting lists bound where hits can be.
type Implying interface {
	// Implied says which; ok is false where there are none with the space's options.
	Implied() (im Implied, ok bool)
}

// Implied says how the texts of a space's fragments read as patterns of trees.
type Implied struct {
	// Same says that the text of any fragment, read as a pattern, has the fragment's occurrences.
	Same bool

	// Of brackets: a fragment has all children of a node or none (Complete), and those down to
	// the words (Whole); without, it has any of them.
	Complete, Whole bool

	// Of arcs: < and > tell the sides of a head apart (Sides), and a fragment may have any
	// dependents of a head (Siblings), not one only. Spanned says that an option leaves out
	// some of these where heads are wide (index.Spanned).
	Sides, Siblings, Spanned bool
}
