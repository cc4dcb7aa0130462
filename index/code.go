package index

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math/bits"
)

// Code is the canonical code of a fragment: a list of steps, each of two integers. Byte order of codes is
// depth-first order, with a prefix before longer codes.
//
// Each space defines its steps. In stk, Off is the number of frontier positions given up, and Sym a
// production. In dep, Off has the depth, and Sym an arc feature. In sstbow, the Off of the first step is 0
// for trees, and 1 or 2 for bare words.
type Code []byte

// Step is one building block of a code.
type Step struct{ Off, Sym uint32 }

// Packed is the step as one number. These numbers are in code order.
func (s Step) Packed() uint64 { return uint64(s.Off)<<32 | uint64(s.Sym) }

// Unpack is the inverse of Step.Packed.
func Unpack(p uint64) Step { return Step{uint32(p >> 32), uint32(p)} }

// AppendStep appends a step to a code.
func AppendStep(dst []byte, s Step) []byte {
	return AppendOrdered(AppendOrdered(dst, s.Off), s.Sym)
}

// Next splits the first step off c. ok is false if c does not begin with a valid step.
func (c Code) Next() (s Step, rest Code, ok bool) {
	off, n := Ordered(c)
	if n == 0 {
		return s, nil, false
	}
	sym, m := Ordered(c[n:])
	if m == 0 {
		return s, nil, false
	}
	return Step{off, sym}, c[n+m:], true
}

// Steps appends the steps of c to dst. ok is false if c is not a list of steps.
func (c Code) Steps(dst []Step) (steps []Step, ok bool) {
	for len(c) > 0 {
		s, rest, ok := c.Next()
		if !ok {
			return dst, false
		}
		dst, c = append(dst, s), rest
	}
	return dst, true
}

// All returns the steps of c, up to the first bytes that are not a step.
func (c Code) All() iter.Seq[Step] {
	return func(yield func(Step) bool) {
		for {
			s, rest, ok := c.Next()
			if !ok || !yield(s) {
				return
			}
			c = rest
		}
	}
}

// Len is the number of steps of a valid code.
func (c Code) Len() (n int) {
	for len(c) > 0 {
		c = c[orderedLen(c[0]):]
		c = c[orderedLen(c[0]):]
		n++
	}
	return n
}

// EncodeSteps appends the code of steps to dst.
func EncodeSteps(dst []byte, steps []Step) Code {
	for _, s := range steps {
		dst = AppendStep(dst, s)
	}
	return dst
}

// AppendPart appends a code to dst, unless dst[start:] already has this code.
func AppendPart(dst []Code, start int, code Code) []Code {
	for _, other := range dst[start:] {
		if bytes.Equal(other, code) {
			return dst
		}
	}
	return append(dst, code)
}

// PrefixEnd returns the least code above every code that starts with c; nil if there is no such code.
func (c Code) PrefixEnd() Code {
	e := bytes.Clone(c)
	for i := len(e) - 1; i >= 0; i-- {
		if e[i]++; e[i] != 0 {
			return e[:i+1]
		}
	}
	return nil
}

// Path reads one code after another. It does not read again the first steps that a code shares with the code
// before.
type Path struct {
	code Code
	ends []int // where each step ends in code
}

// Code is the code given to Follow last. It must not be changed.
func (p *Path) Code() Code { return p.code }

// End is the number of bytes of the first n steps.
func (p *Path) End(n int) int {
	if n == 0 {
		return 0
	}
	return p.ends[n-1]
}

// Follow reads the steps of c, up to the first bytes that are not a step. It returns the number of leading
// steps that c shares with the code before.
func (p *Path) Follow(c Code) (shared int) {
	n := commonPrefix(p.code, c)
	for shared = len(p.ends); p.End(shared) > n; {
		shared--
	}
	p.code = append(p.code[:n], c[n:]...)
	p.ends = p.ends[:shared]
	for rest := c[p.End(shared):]; len(rest) > 0; {
		_, r, ok := rest.Next()
		if !ok {
			break
		}
		p.ends, rest = append(p.ends, len(c)-len(r)), r
	}
	return shared
}

func commonPrefix(a, b []byte) int {
	n, i := min(len(a), len(b)), 0
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for ; i < n && a[i] == b[i]; i++ {
	}
	return i
}

// AppendOrdered appends v so that byte order is numeric order. The leading one bits of the first byte count
// the bytes that follow. Every number has only one form.
func AppendOrdered(dst []byte, v uint32) []byte {
	switch {
	case v < base2:
		return append(dst, byte(v))
	case v < base3:
		v -= base2
		return append(dst, 0x80|byte(v>>8), byte(v))
	case v < base4:
		v -= base3
		return append(dst, 0xC0|byte(v>>16), byte(v>>8), byte(v))
	case v < base5:
		v -= base4
		return append(dst, 0xE0|byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	}
	return append(dst, 0xF0, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
}

const (
	base2 = 1 << 7
	base3 = base2 + 1<<14
	base4 = base3 + 1<<21
	base5 = base4 + 1<<28
)

func orderedLen(b byte) int {
	switch {
	case b < 0x80:
		return 1
	case b < 0xC0:
		return 2
	case b < 0xE0:
		return 3
	case b < 0xF0:
		return 4
	}
	return 5
}

// Ordered returns the number that AppendOrdered wrote at the start of b, and its length in bytes. The length
// is 0 if b does not start with such a number.
func Ordered(b []byte) (v uint32, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	if n = orderedLen(b[0]); len(b) < n {
		return 0, 0
	}
	switch n {
	case 1:
		return uint32(b[0]), 1
	case 2:
		return base2 + uint32(b[0]&0x3F)<<8 + uint32(b[1]), 2
	case 3:
		return base3 + uint32(b[0]&0x1F)<<16 + uint32(b[1])<<8 + uint32(b[2]), 3
	case 4:
		return base4 + uint32(b[0]&0x0F)<<24 + uint32(b[1])<<16 + uint32(b[2])<<8 + uint32(b[3]), 4
	}
	v = uint32(b[1])<<24 | uint32(b[2])<<16 | uint32(b[3])<<8 | uint32(b[4])
	if b[0] != 0xF0 || v < base5 {
		return 0, 0
	}
	return v, 5
}
