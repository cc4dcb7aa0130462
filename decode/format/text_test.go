package format

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestFirstInvalid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runes := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "é", "€", "𝕏", "\xff", "\xc3", "\x80", "\xed\xa0\x80"}), 0, 8)
		pad := rapid.SampledFrom([]int{0, 4090, 4094, 4095, 4096, 8190}).Draw(t, "pad")
		b := []byte(strings.Repeat("x", pad) + strings.Join(runes.Draw(t, "runes"), ""))
		want := -1
		for i := 0; i < len(b); {
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				want = i
				break
			}
			i += n
		}
		if got := FirstInvalid(b); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
	if got := FirstInvalid([]byte(strings.Repeat("\x80", 10_000))); got != 0 {
		t.Errorf("%d", got)
	}
}

func TestPartialRune(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "a": 0, "é": 0, "\xc3": 1, "a\xe2\x82": 2, "\xf0\x9d\x95": 3, "𝕏": 0, "\xff": 0, "\x80\x80": 0, "a\x80": 0,
	} {
		if got := PartialRune([]byte(s)); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"a": `"a"`, "\xff\t": `"\xff\t"`,
		strings.Repeat("x", 40): `"` + strings.Repeat("x", 40) + `"`,
		strings.Repeat("x", 41): `"` + strings.Repeat("x", 40) + `…"`,
		strings.Repeat("€", 41): `"` + strings.Repeat("€", 13) + `…"`,
	} {
		if got := Quote([]byte(s)); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 70)
	input := "\ufeffa\r\n\nb\r\r\n" + long + "\nc\xff\n\ufeffd\x00\n" + strings.Repeat("y", 3*chunk) + "\ne"
	tooLong := "the line has more than 60 bytes of text: expected less"
	want := []string{
		"a", "", "b", tooLong, "invalid UTF-8 at column 2: expected UTF-8 text",
		"a NUL byte at column 5: expected text", tooLong, "e",
	}
	for name, r := range map[string]io.Reader{
		"whole": strings.NewReader(input), "bytes": iotest.OneByteReader(strings.NewReader(input)),
		"errors": iotest.DataErrReader(strings.NewReader(input)),
	} {
		l := NewLines(r, 60)
		var got []string
		for {
			line, err := l.Next()
			if err == io.EOF {
				break
			}
			switch err.(type) {
			case nil:
				got = append(got, string(line))
			case *LineError:
				got = append(got, err.Error())
			default:
				t.Fatal(err)
			}
			if l.Number != len(got) {
				t.Errorf("line %d is number %d", len(got), l.Number)
			}
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: %q", name, got)
		}
	}
	l := NewLines(iotest.TimeoutReader(strings.NewReader("a\nb")), 10)
	if _, err := l.Next(); err != nil {
		t.Error(err)
	}
	if _, err := l.Next(); err != iotest.ErrTimeout {
		t.Error(err)
	}
}

// TestSkipBlank skips blank lines before each line, and checks that the other lines stay the same, with their
// numbers.
func TestSkipBlank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := []string{"\n", "\r", " ", "\t", "\n\n\n", "\r\n", "a", "\ufeff", "\x00", "          "}
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "text"), "")
		read := func(r io.Reader, skip bool) (got []string) {
			l := NewLines(r, 8)
			for {
				if skip {
					l.SkipBlank()
				}
				line, err := l.Next()
				if err == io.EOF {
					return got
				}
				if err != nil || len(bytes.TrimLeft(line, " \t")) > 0 {
					got = append(got, fmt.Sprintf("%d %q %v", l.Number, line, err))
				}
			}
		}
		want := read(strings.NewReader(text), false)
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			if got := read(r, true); !slices.Equal(got, want) {
				t.Fatalf("%q: %q, want %q", text, got, want)
			}
		}
	})
}

// Decimal reads the text that Shortest writes.
func TestShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		if y, ok := Decimal([]byte(Shortest(x))); math.Float64bits(y) != math.Float64bits(x) || !ok {
			t.Fatalf("%v is written %s, and read %v", x, Shortest(x), y)
		}
	})
}
