package vector

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"

	"fstore/store/runfile"
)

// archive writes NumPy arrays into a zip archive, as numpy.savez does. After an error it writes nothing more.
type archive struct {
	z       *zip.Writer
	scratch *runfile.Dir
	buf     []byte
	err     error
}

func newArchive(w io.Writer, s *runfile.Dir) *archive {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestSpeed)
	})
	return &archive{z: z, scratch: s}
}

func (a *archive) close() error { return errors.Join(a.err, a.z.Close()) }

// length returns the shape of an array with one dimension and n elements.
func length(n uint64) string { return fmt.Sprintf("%d,", n) }

// add adds an array in version 1.0 of NumPy's format. The element type dtype is in NumPy's notation. The
// shape is a tuple of lengths without brackets.
func (a *archive) add(name string, method uint16, dtype, shape string, fill func(io.Writer) error) {
	if a.err != nil {
		return
	}
	const magic, align = "\x93NUMPY\x01\x00", 64
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", dtype, shape)
	// The header ends with a line break, and the elements start at a multiple of 64 bytes.
	size := len(magic) + 2 + len(text) + 1
	text += strings.Repeat(" ", (align-size%align)%align) + "\n"
	head := binary.LittleEndian.AppendUint16([]byte(magic), uint16(len(text)))
	w, err := a.z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: method})
	if err == nil {
		_, err = w.Write(append(head, text...))
	}
	if err == nil {
		err = fill(w)
	}
	a.err = err
}

// array writes an array whose elements are in memory.
func (a *archive) array(name, dtype, shape string, elements []byte) {
	a.column(dtype, shape, &column{name: name, end: elements})
}

// column writes a column as an array.
func (a *archive) column(dtype, shape string, c *column) {
	a.add(c.name, zip.Store, dtype, shape, func(w io.Writer) error { return c.copyTo(w, a.scratch) })
}

// texts writes the n texts that appendText put into a column. No text has more than `width` characters.
func (a *archive) texts(width int, shape string, n uint64, c *column) {
	width = max(width, 1) // NumPy uses width 1 for empty texts
	a.add(c.name, zip.Deflate, fmt.Sprintf("<U%d", width), shape, func(w io.Writer) error {
		return c.read(a.scratch, func(r io.Reader) error { return a.fill(w, width, n, bufio.NewReaderSize(r, flushAt)) })
	})
}

// fill writes texts in NumPy's form: four bytes for each character, and zeros up to width characters.
func (a *archive) fill(w io.Writer, width int, n uint64, r *bufio.Reader) error {
	var text []byte
	a.buf = a.buf[:0]
	for range n {
		size, err := binary.ReadUvarint(r)
		if err != nil {
			return err
		}
		text = append(text[:0], make([]byte, size)...)
		if _, err := io.ReadFull(r, text); err != nil {
			return err
		}
		from := len(a.buf)
		for _, char := range string(text) {
			a.buf = binary.LittleEndian.AppendUint32(a.buf, uint32(char))
		}
		a.buf = append(a.buf, make([]byte, 4*width-(len(a.buf)-from))...)
		if len(a.buf) >= flushAt {
			if _, err := w.Write(a.buf); err != nil {
				return err
			}
			a.buf = a.buf[:0]
		}
	}
	_, err := w.Write(a.buf)
	return err
}
