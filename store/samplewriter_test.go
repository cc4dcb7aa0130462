package store

import (
	"testing"

	"fstore/index"
)

// TestCountLists: candidates of a sentence count once, an added gold tree is none.
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

// TestListNames: a store names a list by the number of its sentence, and a run never goes
// on with the list of another.
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
