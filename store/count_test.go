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
