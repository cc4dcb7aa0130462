package read

import (
	"testing"
)

func TestSpelling(t *testing.T) {
	s := newSpelling()
	s.know([]string{"+1", "2", "x"})
	for _, c := range [][2]string{
		{"1", "+1"},
		{"+1", "+1"},
		{"01", "+1"},
		{"1e0", "+1"},
		{"1.0", "+1"},
		{"2.0", "2"},
		{"-1.0", "-1.0"},
		{"-1", "-1.0"},
		{"", ""},
		{"x", "x"},
		{"X1", "X1"},
		{"0x1", "0x1"},
		{"inf", "inf"},
		{"0", "0"},
		{"-0", "0"},
		{"1.5", "1.5"},
		{"3,1,03", "3,+1"},
		{"1,01", "+1"},
		{"x,y2", "x,y2"},
	} {
		for range 2 { // the second time from memory
			if got := s.spell(c[0]); got != c[1] {
				t.Errorf("%s becomes %s, want %s", c[0], got, c[1])
			}
		}
	}
	const want = "label 1 is +1, label 01 is +1, label 1e0 is +1, label 1.0 is +1, label 2.0 is 2, label -1 is -1.0, label -0 is 0, " +
		"label 03 is 3: labels that are the same number are one"
	if got := s.message(); got != want {
		t.Errorf("said: %s", got)
	}
}

// TestSpellingOfTwo: if a store has two labels that are the same number, both stay.
func TestSpellingOfTwo(t *testing.T) {
	s := newSpelling()
	s.know([]string{"+1", "1"})
	if s.spell("1") != "1" || s.spell("+1") != "+1" || s.spell("01") != "+1" {
		t.Errorf("%s %s %s", s.spell("1"), s.spell("+1"), s.spell("01"))
	}
}
