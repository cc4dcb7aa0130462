package visible

import (
	"bytes"
	"testing"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"tea für 茶":            "tea für 茶",
		"a\x1b[31mb":           `a\x1b[31mb`,
		"\x1b]0;t\x07":         `\x1b]0;t\x07`,
		"\u009b31m \x9b31m":    `\x9b31m \x9b31m`,
		"a\x00\x7f\r\n\t":      `a\x00\x7f\r\n\t`,
		"\u202Eabc\u2069":      `\u202eabc\u2069`,
		"\xff\xfe \xc3":        "\xff\xfe \xc3",
		"e\u0301 \U0001F600 é": "e\u0301 \U0001F600 é",
	} {
		if got := Text(text, ""); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Text("a\tb\nc\r", "\n\t"); got != "a\tb\nc\\r" {
		t.Errorf("%q", got)
	}
}

// The output is the same for any division of the text into writes.
func TestWriter(t *testing.T) {
	const text, want = "茶\u009bx\n\u202Eé\x1b\t€", "茶\\x9bx\n\\u202eé\\x1b\t€"
	for n := 1; n <= len(text); n++ {
		var b bytes.Buffer
		w := Writer(&b)
		for rest := text; rest != ""; rest = rest[min(n, len(rest)):] {
			if k, err := w.Write([]byte(rest[:min(n, len(rest))])); err != nil || k != min(n, len(rest)) {
				t.Fatal(k, err)
			}
		}
		if b.String() != want {
			t.Errorf("%d bytes a write: %q", n, b.String())
		}
	}
}
