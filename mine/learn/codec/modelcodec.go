// Package codec reads and writes what the bytes of models are made of: integers are
// uvarints, floats eight little-endian bytes, and strings their length and bytes. It
// imports nothing of the project.
package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// AppendFloat appends a float.
func AppendFloat(dst []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
}

// AppendBool appends a truth value.
func AppendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// AppendString appends a string, or bytes.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// errShort says that the bytes of a model are not all there.
var errShort = errors.New("its bytes end too early")

// Reader reads values off the bytes of a model. After an error, which is kept in Err,
// they are zeros.
type Reader struct {
	Err error

	rest []byte
}

// NewReader returns a reader of bytes.
func NewReader(b []byte) *Reader { return &Reader{rest: b} }

// Version reads the version of the bytes, which must be this one.
func (r *Reader) Version(want byte) error {
	if v := r.Byte(); v != want && r.Err == nil {
		return fmt.Errorf("model of version %d, and this program reads %d", v, want)
	}
	return nil
}

// End sets Err where bytes are left.
func (r *Reader) End() {
	if r.Err == nil && len(r.rest) > 0 {
		r.Err = fmt.Errorf("%d bytes after the end", len(r.rest))
	}
}

func (r *Reader) take(n uint64) []byte {
	if r.Err == nil && n > uint64(len(r.rest)) {
		r.Err = errShort
	}
	if r.Err != nil {
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

// Byte reads a byte.
func (r *Reader) Byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// Bool reads a truth value.
func (r *Reader) Bool() bool { return r.Byte() != 0 }

// Float reads a float.
func (r *Reader) Float() float64 {
	if b := r.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

// Uvarint reads an integer.
func (r *Reader) Uvarint() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 && r.Err == nil {
		r.Err = errShort
	}
	if r.Err != nil {
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// Bytes reads a string; what it returns is of the bytes that are read.
func (r *Reader) Bytes() []byte { return r.take(r.Uvarint()) }

// Text reads a string.
func (r *Reader) Text() string { return string(r.Bytes()) }

// Count reads how many things follow, of at least this many bytes each.
func (r *Reader) Count(each int) int {
	n := r.Uvarint()
	if r.Err == nil && n > uint64(len(r.rest)/each) {
		r.Err = errShort
	}
	if r.Err != nil {
		return 0
	}
	return int(n)
}
