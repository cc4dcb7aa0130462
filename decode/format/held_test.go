package format_test

import (
	"strings"
	"testing"

	"fstore/decode/format"
)

// Comments of documents and paragraphs hold for the samples after the one that has them.
func TestHeld(t *testing.T) {
	var h format.Held
	for i, c := range []struct{ lines, genre, speaker, extra string }{
		{"# newdoc id = a|# genre = talk|# newpar|# speaker = x|# sent_id = 1|# extra = one", "talk", "x", "one"},
		{"# sent_id = 2", "talk", "x", ""},
		{"# newpar|# sent_id = 3|# speaker = own", "talk", "own", ""},
		{"# sent_id = 4|# meta::speaker = m|# genre = other", "other", "", ""},
		{"# newdoc|# sent_id = 5", "", "", ""},
		{"# sent_id = 6|# genre = a|# genre = b", "a,b", "", ""},
	} {
		h.Next(strings.Split(c.lines, "|"))
		for key, want := range map[string]string{"genre": c.genre, "speaker": c.speaker, "extra": c.extra} {
			if got := strings.Join(h.Comment(key), ","); got != want {
				t.Errorf("sample %d: %s is %q, want %q", i+1, key, got, want)
			}
		}
	}
	h = format.Held{}
	if h.Next([]string{"# sent_id = 7"}); len(h.Comment("genre")) > 0 {
		t.Error("a comment of another input")
	}
}
