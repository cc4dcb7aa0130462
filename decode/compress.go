package decode

import (
	"bufio"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// compression is a way to compress, known by its first bytes whatever the name.
type compression struct {
	name, suffix string
	magics       []string
	open         func(r *bufio.Reader) (io.Reader, func(), error)
}

func compressions() []compression {
	return []compression{
		{"gzip", ".gz", []string{"\x1f\x8b"}, openGzip},
		{"zstd", ".zst", zstdMagics(), openZstd},
		{"bzip2", ".bz2", bzip2Magics(), openBzip2},
		{"xz", ".xz", []string{"\xfd7zXZ\x00"}, openXz},
	}
}

// zstdMagics: a frame, or one of the skippable frames that some writers put first.
func zstdMagics() []string {
	m := []string{"\x28\xb5\x2f\xfd"}
	for i := range 16 {
		m = append(m, string([]byte{0x50 + byte(i), 0x2a, 0x4d, 0x18}))
	}
	return m
}

// bzip2Magics are more than the first three bytes, which are text: a level, and
// the mark of a block or of the end.
func bzip2Magics() (m []string) {
	for level := '1'; level <= '9'; level++ {
		m = append(m, "BZh"+string(level)+"\x31\x41\x59\x26\x53\x59", "BZh"+string(level)+"\x17\x72\x45\x38\x50\x90")
	}
	return m
}

func openGzip(r *bufio.Reader) (io.Reader, func(), error) {
	z, err := gzip.NewReader(r)
	return z, func() {}, err
}

func openZstd(r *bufio.Reader) (io.Reader, func(), error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, nil, err
	}
	return z, z.Close, nil
}

func openBzip2(r *bufio.Reader) (io.Reader, func(), error) {
	return bzip2.NewReader(r), func() {}, nil
}

func openXz(r *bufio.Reader) (io.Reader, func(), error) {
	x := &xzReader{r: r}
	z, err := xz.NewReader(x)
	x.z = z
	return text{x}, func() {}, err
}

// xzReader passes on compressed data and remembers its end: the library takes data
// that stops between two blocks for whole.
type xzReader struct {
	r    io.Reader
	z    io.Reader
	last [2]byte // but for zeros, which may follow
}

func (x *xzReader) Read(p []byte) (int, error) {
	n, err := x.r.Read(p)
	for _, c := range p[:n] {
		if c != 0 {
			x.last[0], x.last[1] = x.last[1], c
		}
	}
	return n, err
}

// text is the decompressed side of an xzReader.
type text struct{ x *xzReader }

func (t text) Read(p []byte) (int, error) {
	n, err := t.x.z.Read(p)
	if err == io.EOF && string(t.x.last[:]) != "YZ" {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// decompress returns the text of r, and what to call when it is no longer read.
// An error of a decompressor says which.
func decompress(r io.Reader) (io.Reader, func(), error) {
	b := bufio.NewReaderSize(r, 64<<10)
	c := recognise(b)
	if c == nil {
		return b, func() {}, nil
	}
	z, done, err := c.open(b)
	if err != nil {
		return nil, nil, c.broken(err)
	}
	return &decompressor{z, c}, done, nil
}

// recognise looks at the first bytes, at no more than it needs: a stream of text
// must not have to wait.
func recognise(b *bufio.Reader) *compression {
	all := compressions()
	for n := 1; ; n++ {
		head, err := b.Peek(n)
		possible := false
		for i := range all {
			for _, m := range all[i].magics {
				if string(head) == m {
					return &all[i]
				}
				possible = possible || strings.HasPrefix(m, string(head))
			}
		}
		if err != nil || !possible {
			return nil
		}
	}
}

type decompressor struct {
	io.Reader
	c *compression
}

func (d *decompressor) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = d.c.broken(err)
	}
	return n, err
}

func (c *compression) broken(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return fmt.Errorf("the %s data is truncated: expected more", c.name)
	}
	return fmt.Errorf("broken %s data: %w", c.name, err)
}

// plainName is a path without a suffix of compression.
func plainName(file string) string {
	for _, c := range compressions() {
		if path.Ext(file) == c.suffix {
			return file[:len(file)-len(c.suffix)]
		}
	}
	return file
}
