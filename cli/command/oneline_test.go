package command

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOneLine(t *testing.T) {
	if got, want := OneLine("a\r\nb\tc\x1b[31m"), "a b\tc\\x1b[31m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	got := OneLine("(NN " + strings.Repeat("é", 4_000_000) + ") is absent")
	if len(got) > longestMessage || !utf8.ValidString(got) || !strings.HasPrefix(got, "(NN é") || !strings.HasSuffix(got, "é) is absent") {
		t.Errorf("%d bytes: %.100q", len(got), got)
	}
}
