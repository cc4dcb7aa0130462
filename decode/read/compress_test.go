package read

import (
	"io"
	"strings"
	"testing"

	"fstore/decode/internal/readtest"
)

// FuzzDecompress looks for panics in the libraries.
func FuzzDecompress(f *testing.F) {
	for _, s := range []string{
		readtest.Compress(f, gz, two), readtest.Compress(f, zst, two), readtest.Compress(f, xzw, two), bz2, two,
		readtest.Compress(f, zst, "") + "\x50\x2a\x4d\x18\x02\x00\x00\x00xx",
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
