package format

import (
	"strings"

	"fstore/index"
)

// Losses count what a format has no place for, and its writer changed or left out.
type Losses struct {
	Names   int // labels and words that were changed
	Spaces  int // fields whose spaces were changed
	Vectors int // vectors that were left out
	Tops    int // samples of no tree or of several, which got a node TOP

	Ranges     int // multiword ranges that were left out
	Empties    int // empty nodes
	Comments   int // comments, or strings of a line
	Deps       int // words whose enhanced dependencies (DEPS) were left out
	Misc       int // words whose MISC was left out
	Pheads     int // words whose PHEAD and PDEPREL were left out
	Labels     int // samples whose label was left out
	IDs        int // samples whose own name was left out
	Notes      int // notes of ptb beside a tree, other than its ID
	Unlabelled int // samples without a label, for which the format writes one
	Guessed    int // words whose PLEMMA or PFEAT was left out, as they have LEMMA or FEAT
	Documents  int // samples whose document was left out
	Scores     int // candidates whose list and score were left out
}

// loss is one of the counts.
type loss struct {
	n    *int
	what string // what was left out; "" where LeftOut says nothing of it
}

// all returns the counts, in the order of LeftOut: an array, as Add runs for every tree.
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

// Add adds o to l.
func (l *Losses) Add(o Losses) {
	more := o.all()
	for i, c := range l.all() {
		*c.n += *more[i].n
	}
}

// LeftOut says what was left out, but for vectors: "1 range, 2 comments"; "" for nothing.
func (l *Losses) LeftOut() string {
	var parts []string
	for _, c := range l.all() {
		if *c.n > 0 && c.what != "" {
			parts = append(parts, index.Plural(*c.n, c.what))
		}
	}
	return strings.Join(parts, ", ")
}

// LossesOf counts the lines and comments of t, for a format that has no place for them.
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
