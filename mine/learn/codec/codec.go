// Package codec writes and reads the bytes of models. One function says what the bytes of a model
// are: it hands its fields to a Coder one after another, which writes them or reads them. Integers
// are uvarints, floats eight little-endian bytes, and strings their length and bytes. It imports
// nothing of the project.
package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Coder writes values, or reads them. After an error, which is kept in Err, what is read are zeros.
type Coder struct {
	Err     error
	Reading bool

	b []byte // what is written, or what is not read yet
}

// Append appends the bytes of a model, given the function that says what they are.
func Append(dst []byte, code func(*Coder)) []byte {
	c := &Coder{b: dst}
	code(c)
	return c.b
}

// Decode reads the bytes of a model, and nothing behind them. Whatever they are, it does not panic.
func Decode(b []byte, code func(*Coder)) error {
	c := &Coder{Reading: true, b: b}
	code(c)
	if c.Err == nil && len(c.b) > 0 {
		c.Err = fmt.Errorf("%d bytes after the end", len(c.b))
	}
	return c.Err
}

// errShort says that the bytes of a model are not all there.
var errShort = errors.New("its bytes end too early")

// take returns the next bytes; nil where there are fewer.
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

// Version is the version of the bytes: the one that is written, also where it reads an older one.
func (c *Coder) Version(now byte, older ...byte) byte {
	v := now
	if c.Byte(&v); c.Err == nil && v != now && !slices.Contains(older, v) {
		c.Err = fmt.Errorf("version %d, and this program reads version %d", v, now)
	}
	return v
}

// Byte is a byte.
func (c *Coder) Byte(x *byte) {
	if !c.Reading {
		c.b = append(c.b, *x)
	} else if b := c.take(1); b != nil {
		*x = b[0]
	} else {
		*x = 0
	}
}

// Bool is a truth value.
func (c *Coder) Bool(x *bool) {
	var b byte
	if *x {
		b = 1
	}
	if c.Byte(&b); c.Reading {
		*x = b != 0
	}
}

// Float is a float.
func (c *Coder) Float(x *float64) {
	if !c.Reading {
		c.b = binary.LittleEndian.AppendUint64(c.b, math.Float64bits(*x))
	} else if b := c.take(8); b != nil {
		*x = math.Float64frombits(binary.LittleEndian.Uint64(b))
	} else {
		*x = 0
	}
}

// Uvarint is an integer.
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

// Uint32 is an integer. A larger one is read as the largest.
func (c *Coder) Uint32(x *uint32) {
	v := uint64(*x)
	if c.Uvarint(&v); c.Reading {
		*x = uint32(min(v, math.MaxUint32))
	}
}

// Text is a string.
func (c *Coder) Text(x *string) {
	b := []byte(*x)
	if c.Bytes(&b); c.Reading {
		*x = string(b)
	}
}

// Bytes is a string; what is read stays a part of the bytes that it is read from.
func (c *Coder) Bytes(x *[]byte) {
	n := uint64(len(*x))
	if c.Uvarint(&n); c.Reading {
		*x = c.take(n)
	} else {
		c.b = append(c.b, *x...)
	}
}

// Len is how many things follow, of at least this many bytes each.
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

// Slice is the number of elements, of at least this many bytes each, and each of them.
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

// Nested is what code says, after the length of its bytes.
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

// Grow makes room for n more bytes where it writes.
func (c *Coder) Grow(n int) { c.b = slices.Grow(c.b, n) }
