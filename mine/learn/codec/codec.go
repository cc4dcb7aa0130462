// Package codec writes and reads the bytes of models. One function describes a format: it passes all fields
// to a Coder, which either writes or reads them. Integers are uvarints, floats are eight little-endian bytes,
// and a string is its length and its bytes. The package imports nothing of the project.
package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Coder writes values, or reads them. Err keeps the first error. After an error, every value is read as zero.
type Coder struct {
	Err     error
	Reading bool

	b []byte // the output so far, or the input not read yet
}

// Append appends the bytes of a model to dst. It calls the given function `code`, which describes the format.
func Append(dst []byte, code func(*Coder)) []byte {
	c := &Coder{b: dst}
	code(c)
	return c.b
}

// Decode reads a model from b. Bytes after the model are an error. Decode does not panic for any b.
func Decode(b []byte, code func(*Coder)) error {
	c := &Coder{Reading: true, b: b}
	code(c)
	if c.Err == nil && len(c.b) > 0 {
		c.Err = fmt.Errorf("%d bytes after the end", len(c.b))
	}
	return c.Err
}

var errShort = errors.New("its bytes end too early")

// take returns the next n bytes of the input. If there are fewer, it sets Err and returns nil.
func (c *Coder) take(n uint64) []byte {
	if c.Err == nil && n > uint64(len(c.b)) {
		c.Err = errShort
	}
	if c.Err != nil {
		return nil
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

// Version writes the first argument, or reads a version number. It returns the number. A number that is not
// among the arguments is an error.
func (c *Coder) Version(current byte, older ...byte) byte {
	v := current
	if c.Byte(&v); c.Err == nil && v != current && !slices.Contains(older, v) {
		c.Err = fmt.Errorf("version %d, and this program reads version %d", v, current)
	}
	return v
}

// Byte writes or reads *x as one byte.
func (c *Coder) Byte(x *byte) {
	if !c.Reading {
		c.b = append(c.b, *x)
	} else if b := c.take(1); b != nil {
		*x = b[0]
	} else {
		*x = 0
	}
}

// Bool writes or reads *x as the byte 1 or 0.
func (c *Coder) Bool(x *bool) {
	var b byte
	if *x {
		b = 1
	}
	if c.Byte(&b); c.Reading {
		*x = b != 0
	}
}

// Float writes or reads *x as eight bytes.
func (c *Coder) Float(x *float64) {
	if !c.Reading {
		c.b = binary.LittleEndian.AppendUint64(c.b, math.Float64bits(*x))
	} else if b := c.take(8); b != nil {
		*x = math.Float64frombits(binary.LittleEndian.Uint64(b))
	} else {
		*x = 0
	}
}

// Uvarint writes or reads *x as a uvarint.
func (c *Coder) Uvarint(x *uint64) {
	if !c.Reading {
		c.b = binary.AppendUvarint(c.b, *x)
		return
	}
	v, n := binary.Uvarint(c.b)
	if n <= 0 && c.Err == nil {
		c.Err = errShort
	}
	if *x = 0; c.Err == nil {
		*x, c.b = v, c.b[n:]
	}
}

// Uint32 writes or reads *x as a uvarint. A number too large for a uint32 is read as the largest uint32.
func (c *Coder) Uint32(x *uint32) {
	v := uint64(*x)
	if c.Uvarint(&v); c.Reading {
		*x = uint32(min(v, math.MaxUint32))
	}
}

// Text writes or reads the length of *x as a uvarint, and then its bytes.
func (c *Coder) Text(x *string) {
	b := []byte(*x)
	if c.Bytes(&b); c.Reading {
		*x = string(b)
	}
}

// Bytes has the format of Text. When it reads, *x is a slice of the input, not a copy.
func (c *Coder) Bytes(x *[]byte) {
	n := uint64(len(*x))
	if c.Uvarint(&n); c.Reading {
		*x = c.take(n)
	} else {
		c.b = append(c.b, *x...)
	}
}

// Len writes or reads *n, the number of elements that follow. An element takes at least size bytes. Len
// rejects a number for which the input is too short.
func (c *Coder) Len(n *int, size int) {
	if !c.Reading {
		c.b = binary.AppendUvarint(c.b, uint64(*n))
		return
	}
	var follow uint64
	c.Uvarint(&follow)
	if c.Err == nil && follow > uint64(len(c.b)/size) {
		c.Err = errShort
	}
	if *n = 0; c.Err == nil {
		*n = int(follow)
	}
}

// Slice writes or reads the length of *s, and then each element by a call of `code`. An element takes at
// least size bytes (see Len).
func Slice[T any](c *Coder, s *[]T, size int, code func(*T)) {
	n := len(*s)
	c.Len(&n, size)
	for i := 0; i < n && c.Err == nil; i++ {
		if c.Reading {
			*s = append(*s, *new(T))
		}
		code(&(*s)[i])
	}
}

// Nested writes or reads some fields by a call of `code`, and before them their length in bytes.
func (c *Coder) Nested(code func(*Coder)) {
	if c.Reading {
		var b []byte
		if c.Bytes(&b); c.Err == nil {
			c.Err = Decode(b, code)
		}
		return
	}
	at := len(c.b)
	code(c)
	c.b = slices.Insert(c.b, at, binary.AppendUvarint(nil, uint64(len(c.b)-at))...)
}

// Grow reserves memory for n more bytes of output.
func (c *Coder) Grow(n int) { c.b = slices.Grow(c.b, n) }
