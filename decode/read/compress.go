package read

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

// compression is a compression format. It is recognised by the first bytes of a file, not by the file's name.
type compression struct {
	name, suffix string
	magics       []string
	open         func(r *bufio.Reader) (io.Reader, error) // the reader is an io.Closer if it holds resources
}

func compressions() []compression {
	return []compression{
		{"gzip", ".gz", []string{gzipMagic}, openGzip},
		{"zstd", ".zst", zstdMagics(), openZstd},
		{"bzip2", ".bz2", bzip2Magics(), func(r *bufio.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
		{"xz", ".xz", []string{xzMagic}, openXz},
	}
}

// zstdMagics returns the bytes with which zstd data can start: those of a data frame or of a skippable frame.
func zstdMagics() []string {
	m := []string{"\x28\xb5\x2f\xfd"}
	for i := range 16 {
		m = append(m, string([]byte{0x50 + byte(i), 0x2a, 0x4d, 0x18}))
	}
	return m
}

func openZstd(r *bufio.Reader) (io.Reader, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

// bzip2Magics returns the bytes with which bzip2 data can start. Text can start with BZh too.
func bzip2Magics() (m []string) {
	for level := '1'; level <= '9'; level++ {
		m = append(m, "BZh"+string(level)+"\x31\x41\x59\x26\x53\x59", "BZh"+string(level)+"\x17\x72\x45\x38\x50\x90")
	}
	return m
}

const gzipMagic = "\x1f\x8b"

func openGzip(r *bufio.Reader) (io.Reader, error) {
	z := new(gzip.Reader)
	return openMembers(r, gzipMagic, func() (io.Reader, error) {
		err := z.Reset(r)
		z.Multistream(false)
		return z, err
	})
}

// members reads the members of compressed data, one after the other. If a member is followed by other bytes,
// the error is errTrailing.
type members struct {
	io.Reader // the current member
	r         *bufio.Reader
	magic     string
	open      func() (io.Reader, error) // opens the next member
}

func openMembers(r *bufio.Reader, magic string, open func() (io.Reader, error)) (io.Reader, error) {
	z, err := open()
	return &members{z, r, magic, open}, err
}

func (m *members) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if err != io.EOF {
		return n, err
	}
	if err := m.next(); err != nil {
		return n, err
	}
	if m.Reader, err = m.open(); err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

var errTrailing = errors.New("trailing bytes")

// next skips zeros after a member, as gzip does. It returns nil if another member follows.
func (m *members) next() error {
	for {
		c, err := m.r.ReadByte()
		if err != nil {
			return err
		}
		if c != 0 {
			break
		}
	}
	if err := m.r.UnreadByte(); err != nil {
		return err
	}
	start, err := m.r.Peek(len(m.magic))
	if err != nil && err != io.EOF {
		return err
	}
	if !strings.HasPrefix(m.magic, string(start)) {
		return errTrailing
	}
	return nil
}

const xzMagic = "\xfd7zXZ\x00"

func openXz(r *bufio.Reader) (io.Reader, error) {
	return openMembers(r, xzMagic, func() (io.Reader, error) {
		x := &xzStream{r: r}
		z, err := xz.ReaderConfig{SingleStream: true}.NewReader(xzInput{x})
		x.z = z
		return x, err
	})
}

// xzStream reads one xz stream. It checks the end, because the library accepts a stream that is cut between
// two blocks.
type xzStream struct {
	r    *bufio.Reader
	z    *xz.Reader
	last [2]byte
}

func (x *xzStream) Read(p []byte) (int, error) {
	n, err := x.z.Read(p)
	switch {
	case err == io.EOF && string(x.last[:]) != "YZ":
		return n, io.ErrUnexpectedEOF
	case err != nil && err.Error() == "xz: unexpected data after stream": // the library has no variable for this error
		if err := x.r.UnreadByte(); err != nil {
			return n, err
		}
		return n, io.EOF
	}
	return n, err
}

// xzInput keeps the last two bytes of compressed data, which must be YZ at the end of a stream.
type xzInput struct{ *xzStream }

func (x xzInput) Read(p []byte) (int, error) {
	n, err := x.r.Read(p)
	for _, c := range p[max(0, n-len(x.last)):n] {
		x.last[0], x.last[1] = x.last[1], c
	}
	return n, err
}

// decompress returns the text of r, and a function to call when the text is no longer needed. Errors name the
// compression format.
func decompress(r io.Reader) (io.Reader, func(), error) {
	b := bufio.NewReaderSize(r, 64<<10)
	c := recognise(b)
	if c == nil {
		return b, func() {}, nil
	}
	z, err := c.open(b)
	if err != nil {
		return nil, nil, c.broken(err)
	}
	done := func() {}
	if closer, ok := z.(io.Closer); ok {
		done = func() { _ = closer.Close() } // the file was only read
	}
	return &decompressor{z, c}, done, nil
}

// recognise returns the compression format of a stream, or nil. It reads no more bytes than it needs, because
// a pipe can make it wait.
func recognise(b *bufio.Reader) *compression {
	all := compressions()
	for n := 1; ; n++ {
		start, err := b.Peek(n)
		possible := false
		for i := range all {
			for _, m := range all[i].magics {
				if string(start) == m {
					return &all[i]
				}
				possible = possible || strings.HasPrefix(m, string(start))
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
	if err == errTrailing {
		return fmt.Errorf("bytes after the end of the %s data, which are none: expected nothing", c.name)
	}
	return fmt.Errorf("broken %s data: %w", c.name, err)
}

// plainName returns a path without the suffix of a compression format.
func plainName(file string) string {
	for _, c := range compressions() {
		if path.Ext(file) == c.suffix {
			return file[:len(file)-len(c.suffix)]
		}
	}
	return file
}
