// Package codec writes and reads the bytes of models. One function describes the format of a model: it passes
// the model's fields to a Coder one after another, and the Coder either writes or reads them. Integers are
// uvarints, floats are eight little-endian bytes, and a string is its length and its bytes. The package
// imports nothing of the project.
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

// Append appends the bytes of a model to dst. code is the function that describes the format.
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

// errShort says that the bytes of a model end before the model does.
var errShort = errors.New("its bytes end too early")

// take returns the next n bytes, or nil if there are fewer.
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

// Version writes the version number now, or reads a version number, which must be now or an element of older.
// It returns the number written or read.
func (c *Coder) Version(now byte, older ...byte) byte {
	v := now
	if c.Byte(&v); c.Err == nil && v != now && !slices.Contains(older, v) {
		c.Err = fmt.Errorf("version %d, and this program reads version %d", v, now)
	}
	return v
}

// Byte writes or reads a byte.
func (c *Coder) Byte(x *byte) {
	if !c.Reading {
		c.b = append(c.b, *x)
	} else if b := c.take(1); b != nil {
		*x = b[0]
	} else {
		*x = 0
	}
}

// Bool writes or reads a truth value.
func (c *Coder) Bool(x *bool) {
	var b byte
	if *x {
		b = 1
	}
	if c.Byte(&b); c.Reading {
		*x = b != 0
	}
}

// Float writes or reads a float.
func (c *Coder) Float(x *float64) {
	if !c.Reading {
		c.b = binary.LittleEndian.AppendUint64(c.b, math.Float64bits(*x))
	} else if b := c.take(8); b != nil {
		*x = math.Float64frombits(binary.LittleEndian.Uint64(b))
	} else {
		*x = 0
	}
}

// Uvarint writes or reads an integer.
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

// Uint32 writes or reads an integer. A value too large for a uint32 is read as the largest uint32.
func (c *Coder) Uint32(x *uint32) {
	v := uint64(*x)
	if c.Uvarint(&v); c.Reading {
		*x = uint32(min(v, math.MaxUint32))
	}
}

// Text writes or reads a string.
func (c *Coder) Text(x *string) {
	b := []byte(*x)
	if c.Bytes(&b); c.Reading {
		*x = string(b)
	}
}

// Bytes writes or reads a string. When it reads, *x is a slice of the input, not a copy.
func (c *Coder) Bytes(x *[]byte) {
	n := uint64(len(*x))
	if c.Uvarint(&n); c.Reading {
		*x = c.take(n)
	} else {
		c.b = append(c.b, *x...)
	}
}

// Len writes or reads the number of things that follow. Each of them takes at least as many bytes as the
// parameter each says. It is an error if the rest of the input is too short for that number.
func (c *Coder) Len(n *int, each int) {
	if !c.Reading {
		c.b = binary.AppendUvarint(c.b, uint64(*n))
		return
	}
	var follow uint64
	c.Uvarint(&follow)
	if c.Err == nil && follow > uint64(len(c.b)/each) {
		c.Err = errShort
	}
	if *n = 0; c.Err == nil {
		*n = int(follow)
	}
}

// Slice writes or reads the number of elements, and then each element, by the function code. The parameter
// each is the least number of bytes of an element.
func Slice[T any](c *Coder, s *[]T, each int, code func(*T)) {
	n := len(*s)
	c.Len(&n, each)
	for i := 0; i < n && c.Err == nil; i++ {
		if c.Reading {
			*s = append(*s, *new(T))
		}
		code(&(*s)[i])
	}
}

// Nested writes or reads the length of some fields in bytes, and then the fields themselves, by the function
// code.
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

// Grow makes room for n more bytes of output.
func (c *Coder) Grow(n int) { c.b = slices.Grow(c.b, n) }
