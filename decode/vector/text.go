package vector

import "io"

// textLines writes lines `label id:value id:value …`, for SVM-light, LIBLINEAR, LIBSVM and scikit-learn.
// Values are the shortest decimals that read back as the same number.
//
// For Vowpal Wabbit a line is `label 'sample | id id:value …`. The features are in the namespace without a
// name, because there VW uses a number as the index of a feature. A value of 1 is left out. VW needs an
// option -b with 2^b above the width. It prints the name of the sample with its predictions.
type textLines struct {
	buffered
	decimals
	vw bool
}

func newSVMLight(w io.Writer, _ Options) Writer {
	return &textLines{buffered{w: w}, newDecimals(), false}
}

func newVW(w io.Writer, _ Options) Writer {
	return &textLines{buffered{w: w}, newDecimals(), true}
}

func (x *textLines) Write(v *Vector) error {
	b := append(x.buf, v.Label...)
	if x.vw {
		if v.Sample != "" {
			b = appendTag(append(b, " '"...), v.Sample)
		}
		b = append(b, " |"...)
	}
	values := v.Value[:len(v.ID)]
	for i, id := range v.ID {
		b = appendID(append(b, ' '), id)
		if value := values[i]; value != 1 || !x.vw {
			b = x.append(append(b, ':'), value)
		}
	}
	x.buf = append(b, '\n')
	return x.done()
}

// appendTag appends the name of a sample as a tag, with '_' for each blank, colon and bar.
func appendTag(dst []byte, name string) []byte {
	for _, c := range []byte(name) {
		if c <= ' ' || c == '|' || c == ':' {
			c = '_'
		}
		dst = append(dst, c)
	}
	return dst
}
