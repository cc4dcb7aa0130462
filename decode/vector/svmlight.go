package vector

import (
	"io"
)

// svmLight writes `label id:value id:value …` lines, as SVM-light, LIBLINEAR,
// LIBSVM and scikit-learn read them. Values are shortest round-trip decimals.
type svmLight struct {
	buffered
	decimals
}

func newSVMLight(w io.Writer, _ Options) Writer {
	return &svmLight{buffered{w: w}, newDecimals()}
}

func (s *svmLight) Write(v *Vector) error {
	b := append(s.buf, v.Label...)
	for i, id := range v.ID {
		b = append(b, ' ')
		b = appendID(b, id)
		b = append(b, ':')
		b = s.append(b, v.Value[i])
	}
	s.buf = append(b, '\n')
	return s.done()
}
