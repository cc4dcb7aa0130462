package read

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"fstore/decode/internal/readtest"
)

// TestLongHeads reads inputs with megabytes of text before the first sample. The name of the file or the
// first sample shows the format.
func TestLongHeads(t *testing.T) {
	const (
		million = 1_000_000
		svmtk   = "1 |BT| (N w) |ET|\n"
	)
	comment := "# " + strings.Repeat("x", 1000) + "\n"
	comments := strings.Repeat(comment, 4000)
	const tooMany = "the sentence has more than 8 MiB or 100,000 lines of comments: expected less"
	for _, c := range []struct {
		name, file, text string
		want             string // where the sample's line and file are
	}{
		{"long comment", "x.conllu", "# text = " + strings.Repeat("x", 1_050_000) + "\n" + readtest.Word("w"), "#1|||w"},
		{"comments", "x.conllu", comments + readtest.Word("w"), "#1|||w"},
		{"comments without a name", "x", comments + readtest.Word("w"), "#1|||w"},
		{"comments and blank lines", "x", strings.Repeat(comment+"\n", 4000) + readtest.Word("w"), "#1|||w"},
		{"blank lines", "x.conllu", strings.Repeat("\n", 3*million) + readtest.Word("w"), "#1|||w"},
		{"blank lines, brackets", "x.mrg", strings.Repeat("\r\n", 3*million) + "(A w)\n", "#1|||w"},
		{"blank lines without a name", "x", strings.Repeat(" \n", 9*million) + "(A w)\n", "#1|||w"},
		{"svmtk", "x.svmtk", comments + svmtk, "#1|1||w"},
		{"svmtk without a name", "x", comments + svmtk, "#1|1||w"},
		{"beyond the head", "x.svmtk", strings.Repeat(comments, 5) + svmtk, "#1|1||w"},
		{"beyond the head without a name", "x", strings.Repeat(strings.Repeat(comment, 50)+"\n", 200) + readtest.Word("w"), "#1|||w"},
		{"more comments than are kept", "x", strings.Repeat(comments, 5) + readtest.Word("w"), ":8372: sentence 1: " + tooMany},
		{"more lines than are kept", "x.conllu", strings.Repeat("#\n", 100_001) + readtest.Word("w"), ":100001: sentence 1: " + tooMany},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := readInputs(t, readtest.Files(t, c.file, c.text), InputOptions{})
			check(t, got, c.file+c.want)
			if c.file == "x" || !strings.HasPrefix(c.name, "beyond") {
				got, _ = readInputs(t, []string{"-"}, InputOptions{Stdin: strings.NewReader(c.text)})
				check(t, got, "stdin"+c.want)
			}
		})
	}
	got, _ := readInputs(t, readtest.Files(t, "x", strings.Repeat(comments+"\n", 5)), InputOptions{})
	check(t, got, "x: no trees")
	got, _ = readInputs(t, readtest.Files(t, "x", strings.Repeat("\n", million)+"# x\nhello\n"), InputOptions{})
	check(t, got, "x:1000002: the format is not recognised: expected one of "+formatList()+"; --input-format names it")
}

// TestHead checks that the first line that is neither blank nor a comment is found. The input must be given
// back, except for a byte order mark and the white space in blank lines at its start.
func TestHead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := []string{"\n", "\r\n", " ", "\t", "\v", "# c\n", "#", "(", "x", "\ufeff", "1 x\n"}
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "text"), "")
		want := strings.TrimPrefix(text, "\ufeff")
		line, found := 1, false
		for l := range strings.Lines(want) {
			if l = strings.TrimLeft(l, " \t\r\v\f"); l != "" && l[0] != '#' && l[0] != '\n' {
				found = true
				break
			}
			if strings.HasSuffix(l, "\n") {
				line++
			}
		}
		start := len(want) - len(strings.TrimLeft(want, " \t\r\n"))
		start = strings.LastIndexByte(want[:start], '\n') + 1
		want = strings.Repeat("\n", strings.Count(want[:start], "\n")) + want[start:]

		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			h, err := readHead(r)
			if err != nil {
				t.Fatal(err)
			}
			if h.line != line || h.found != found || h.isEmpty() == found {
				t.Fatalf("%q: line %d, found %v, empty %v; want line %d, found %v", text, h.line, h.found, h.isEmpty(), line, found)
			}
			var all bytes.Buffer
			if _, err := io.Copy(&all, h.reader(r)); err != nil {
				t.Fatal(err)
			}
			if all.String() != want {
				t.Fatalf("%q: %q, want %q", text, all.String(), want)
			}
		}
	})
}
