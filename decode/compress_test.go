package decode

import (
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
