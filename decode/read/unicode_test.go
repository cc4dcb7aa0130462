package read

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"fstore/decode/internal/readtest"
)

// TestNFCReader checks that a text in pieces is normalized like the whole text.
func TestNFCReader(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := []string{"e", "\u0301", "\u0323", "é", "\n", "\u1100", "\u1161", "\u11a8", "a", "\xff", "\xcc", "한", "\r\n", strings.Repeat("x", 70_000)}
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "text"), "")
		want := norm.NFC.Bytes([]byte(text))
		readers := map[string]io.Reader{"whole": strings.NewReader(text), "in halves": iotest.HalfReader(strings.NewReader(text))}
		if len(text) < 1000 {
			readers["a byte at a time"] = iotest.OneByteReader(strings.NewReader(text))
		}
		for name, r := range readers {
			got, err := io.ReadAll(&nfcReader{r: r})
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s: %q, %v, want %q", name, got, err, want)
			}
		}
	})
}

// TestNFCReaderGivesLines checks that a line can be read as soon as it has been written.
func TestNFCReaderGivesLines(t *testing.T) {
	r, w := io.Pipe()
	n := &nfcReader{r: r}
	for _, line := range []string{"cafe\u0301\n", "\u0301x\n"} {
		go func() { _, _ = w.Write([]byte(line)) }()
		got := make([]byte, 100)
		var all []byte
		for !bytes.HasSuffix(all, []byte("\n")) {
			k, err := n.Read(got)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, got[:k]...)
		}
		if want := norm.NFC.String(line); string(all) != want {
			t.Errorf("%q, want %q", all, want)
		}
	}
}

// TestTwoForms checks that a word in two forms of Unicode is reported once, no matter where the other form
// is.
func TestTwoForms(t *testing.T) {
	const nfc, nfd = "(N caf\u00e9)\n", "(N cafe\u0301)\n"
	for _, c := range []struct{ name, text, want string }{
		{"nfc first", nfc + nfd + nfd, "x.mrg:2: cafe\u0301 is there as"},
		{"nfd first", nfd + nfc, "x.mrg:2: caf\u00e9 is there as"},
		{"a label", "(e\u0301 a)\n(b (\u00e9 c))\n", "x.mrg:2: \u00e9 is there as"},
		{"one form", nfd + nfd + "(N cafe)\n", ""},
		{"a word and a label", "(e\u0301 a)\n(b \u00e9)\n", ""},
	} {
		for _, form := range []string{"", NormalizeNFC} {
			var said []string
			o := InputOptions{NormalizeUnicode: form, OnWarn: func(line string) { said = append(said, line) }}
			readInputs(t, readtest.Files(t, "x.mrg", c.text), o)
			want := c.want
			if form != "" {
				want = ""
			}
			switch {
			case want == "" && len(said) > 0, want != "" && (len(said) != 1 || !strings.Contains(said[0], want)):
				t.Errorf("%s, %q: said %q, want %q", c.name, form, said, want)
			}
		}
	}
}
