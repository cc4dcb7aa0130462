package store

import (
	"testing"

	"fstore/index"
)

// TestCountLists: the candidates of a sentence count once, and an added gold tree is no candidate.
func TestCountLists(t *testing.T) {
	var c sampleCounter
	for _, s := range []index.Tree{
		{Group: "a", Candidate: 1},
		{Group: "a", Candidate: 2, Gold: index.GoldFound},
		{Group: "b", Candidate: 1},
		{Group: "b", Gold: index.GoldAdded},
		{Name: "no list"},
	} {
		c.add(&s)
	}
	if want := (Lists{Candidates: 3, GoldFound: 1, GoldAdded: 1}); c.lists != want || c.sentences != 3 {
		t.Errorf("%+v, %d sentences", c.lists, c.sentences)
	}
}

// TestListNames: the name of a list in a store is the number of its sentence. A run never goes on with a list
// of another run.
func TestListNames(t *testing.T) {
	var c sampleCounter
	names := ""
	for _, group := range []string{"a", "a", "", "b", "end", "b", "b"} {
		if group == "end" {
			c.endList()
			continue
		}
		s := &index.Tree{Group: group}
		c.add(s)
		names += c.list(s) + " "
	}
	if want := "1 1  3 4 4 "; names != want || c.sentences != 4 {
		t.Errorf("%q, want %q; %d sentences", names, want, c.sentences)
	}
}
