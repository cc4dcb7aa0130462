package index

// Column is a column of a dependency tree's tokens, as spaces, patterns and readers name it.
type Column uint8

const (
	Form Column = iota
	Lemma
	UPOS
	XPOS
	Feats
	Rel
	Deps
	Misc
)

// ColumnNames are the names of the columns, as options and patterns spell them.
var ColumnNames = [...]string{"form", "lemma", "upos", "xpos", "feats", "rel", "deps", "misc"}

// String is the column's name.
func (c Column) String() string { return ColumnNames[c] }

// Of returns the column of a token: an id of Words.
func (c Column) Of(t *Token) uint32 {
	switch c {
	case Form:
		return t.Form
	case Lemma:
		return t.Lemma
	case UPOS:
		return t.UPOS
	case XPOS:
		return t.XPOS
	case Feats:
		return t.Feats
	case Rel:
		return t.Rel
	case Deps:
		return t.Deps
	}
	return t.Misc
}
