package index

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestCheckJSON(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`"a\\ud800 \"b\n é \ud83d\ude00 \uFFFD` + "�\"", ""},
		{`"a\ud800"`, `\ud800 at column 3 is half of a surrogate pair, and no character`},
		{`"a\ud83dx"`, `\ud83d at column 3 is half of a surrogate pair, and no character`},
		{`"\ud83d\ud83d\ude00"`, `\ud83d at column 2 is half of a surrogate pair, and no character`},
		{`"\\\uDE00"`, `\uDE00 at column 4 is half of a surrogate pair, and no character`},
		{`"\udce9"`, `\udce9 at column 2 is half of a surrogate pair, and no character: Python has it for the byte 0xe9, which is no UTF-8`},
		{"\"caf\xe9\"", "invalid UTF-8 at column 5: expected UTF-8 text"},
		{"\"é\xed\xa0\x80\"", "invalid UTF-8 at column 4: expected UTF-8 text"},
		{`"\u12"`, ""},
		{`\`, ""},
	} {
		got := ""
		if err := CheckJSON([]byte(c.text)); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

// CheckJSON accepts a text only if no character of it is replaced when it is read.
func FuzzCheckJSON(f *testing.F) {
	for _, text := range []string{`"\ud83d\ude00"`, `"\ud800"`, `"\\ud800"`, "\"\xe9\"", `"�"`, `{"a\udc00":1}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s string
		if json.Unmarshal(text, &s) != nil {
			return
		}
		replaced := strings.Count(s, "�") - strings.Count(string(text), "�") - strings.Count(strings.ToLower(string(text)), `\ufffd`)
		if err := CheckJSON(text); (err == nil) != (replaced <= 0) && !strings.Contains(string(text), `\\u`) {
			t.Errorf("%q is read as %q: %v", text, s, fmt.Sprint(err))
		}
	})
}
