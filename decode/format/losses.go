package format

import (
	"strings"

	"fstore/index"
)

// Losses counts what was changed or left out because a format, or a tree, has no place for it.
type Losses struct {
	Names   int // labels and words that were changed
	Spaces  int // fields whose spaces were changed
	Vectors int // vectors that were left out
	Tops    int // samples with no tree or several trees, which got a node TOP

	Ranges     int // multiword ranges that were left out
	Empties    int // empty nodes that were left out
	Comments   int // comments, or strings of a line, that were left out
	Deps       int // words whose enhanced dependencies (DEPS) were left out
	Misc       int // words whose MISC was left out
	Pheads     int // words whose PHEAD and PDEPREL were left out
	Labels     int // samples whose label was left out
	IDs        int // samples whose own name was left out
	Notes      int // ptb's notes beside a tree that were left out, other than its ID
	Unlabelled int // samples without a label, for which one was written
	Guessed    int // words whose PLEMMA or PFEAT was left out, as they have LEMMA or FEAT
	Documents  int // samples whose document was left out
	Scores     int // candidates whose list and score were left out
}

// loss is one of the counts, with its name.
type loss struct {
	n    *int
	what string // the name of what was left out; "" if LeftOut does not mention it
}

// all returns the counts in the order of LeftOut. It returns an array, because Add runs for every tree and
// must not allocate.
func (l *Losses) all() [17]loss {
	return [...]loss{
		{&l.Names, ""},
		{&l.Spaces, ""},
		{&l.Vectors, ""},
		{&l.Tops, ""},
		{&l.Unlabelled, ""},
		{&l.Ranges, "range"},
		{&l.Empties, "empty node"},
		{&l.Comments, "comment"},
		{&l.Deps, "DEPS field"},
		{&l.Misc, "MISC field"},
		{&l.Pheads, "PHEAD"},
		{&l.Labels, "label"},
		{&l.IDs, "ID"},
		{&l.Notes, "note"},
		{&l.Guessed, "PLEMMA or PFEAT field"},
		{&l.Documents, "document"},
		{&l.Scores, "score"},
	}
}

// Add adds the counts of o to those of l.
func (l *Losses) Add(o Losses) {
	more := o.all()
	for i, c := range l.all() {
		*c.n += *more[i].n
	}
}

// LeftOut returns a text about what was left out, except vectors, such as "1 range, 2 comments", or "".
func (l *Losses) LeftOut() string {
	var parts []string
	for _, c := range l.all() {
		if *c.n > 0 && c.what != "" {
			parts = append(parts, index.Plural(*c.n, c.what))
		}
	}
	return strings.Join(parts, ", ")
}

// LossesOf counts the ranges, empty nodes and comments of t, for a format that has no place for them.
func LossesOf(t *index.Tree) (l Losses) {
	l.Comments = len(t.Comments)
	for i := range t.Lines {
		id, _, _ := strings.Cut(t.Lines[i].Text, "\t")
		if strings.Contains(id, "-") {
			l.Ranges++
		} else {
			l.Empties++
		}
	}
	return l
}
