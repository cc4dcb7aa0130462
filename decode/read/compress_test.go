package read

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// FuzzDecompress looks for panics in the libraries.
func FuzzDecompress(f *testing.F) {
	for _, s := range []string{
		compress(f, gz, two), compress(f, zst, two), compress(f, xzw, two), bz2, two,
		compress(f, zst, "") + "\x50\x2a\x4d\x18\x02\x00\x00\x00xx",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, done, err := decompress(strings.NewReader(string(data)))
		if err != nil {
			return
		}
		defer done()
		_, _ = io.Copy(io.Discard, io.LimitReader(r, 1<<20))
	})
}

// compress compresses a text.
func compress(t testing.TB, w func(io.Writer) (io.WriteCloser, error), text string) string {
	t.Helper()
	var b bytes.Buffer
	z, err := w(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
