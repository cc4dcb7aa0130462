package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzAppend reads back what was written. It must be the text with each invalid byte replaced.
func FuzzAppend(f *testing.F) {
	for _, seed := range []string{"", `say "hi" \ no`, "a\tb\nc\rd\x00\x1b\x7f", "日本語 é", "\xff\xc3", "(S (NP) (. .))", "\u2028"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := Append([]byte("x"), text)
		if got[0] != 'x' {
			t.Fatal("what was there is gone")
		}
		var back string
		if err := json.Unmarshal(got[1:], &back); err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		if want := strings.Join(splitInvalid(string(text)), ""); back != want {
			t.Errorf("%q, want %q", back, want)
		}
	})
}

// splitInvalid returns the runes of text, with one U+FFFD for each byte that belongs to no rune.
func splitInvalid(text string) (runes []string) {
	for _, r := range text {
		runes = append(runes, string(r))
	}
	return runes
}
