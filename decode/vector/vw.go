package vector

import (
	"io"
)

// vw writes Vowpal Wabbit's text format, `label 'sample | id id:value …` lines, with
// the features in the namespace without a name, where VW takes a number for the index
// that it is; a value of 1 is left out. VW needs -b bits with 2^bits above the width.
//
// The sample's name is the example's tag, which VW prints beside its predictions; a
// tag cannot hold blanks, colons and bars, which become '_'.
type vw struct {
	buffered
	decimals
}

func newVW(w io.Writer, _ Options) Writer {
	return &vw{buffered{w: w}, newDecimals()}
}

func (x *vw) Write(v *Vector) error {
	b := append(x.buf, v.Label...)
	if v.Sample != "" {
		b = append(b, ` '`...)
		b = appendTag(b, v.Sample)
	}
	b = append(b, ` |`...)
	for i, id := range v.ID {
		b = append(b, ' ')
		b = appendID(b, id)
		if v.Value[i] != 1 {
			b = append(b, ':')
			b = x.append(b, v.Value[i])
		}
	}
	x.buf = append(b, '\n')
	return x.done()
}

func appendTag(dst []byte, name string) []byte {
	for i := range len(name) {
		c := name[i]
		if c <= ' ' || c == '|' || c == ':' {
			c = '_'
		}
		dst = append(dst, c)
	}
	return dst
}
