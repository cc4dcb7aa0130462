package vector

import (
	"io"
	"math"
	"strconv"
)

// svmLight writes `label id:value id:value …` lines, as SVM-light, LIBLINEAR,
// LIBSVM and scikit-learn read them. Values are shortest round-trip decimals.
type svmLight struct {
	w     io.Writer
	buf   []byte
	last  float64 // values repeat: a feature's value depends on its order and count
	text  [32]byte
	size  int
	known map[uint64]string
}

func newSVMLight(w io.Writer, _ Options) Writer {
	return &svmLight{w: w, last: math.NaN(), known: make(map[uint64]string)}
}

const (
	flushAt   = 64 << 10
	maxValues = 4096 // values whose text is kept
)

func (s *svmLight) Write(v *Vector) error {
	s.buf = append(s.buf, v.Label...)
	for i, id := range v.ID {
		s.buf = append(s.buf, ' ')
		s.buf = strconv.AppendUint(s.buf, uint64(id), 10)
		s.buf = append(s.buf, ':')
		s.value(v.Value[i])
	}
	s.buf = append(s.buf, '\n')
	if len(s.buf) >= flushAt {
		return s.Flush()
	}
	return nil
}

// value appends x. Small whole numbers are written by hand, others looked up: an
// unnormalised kernel vector has a few dozen distinct values, and formatting one
// costs 80 ns.
func (s *svmLight) value(x float64) {
	switch {
	case x == 1:
		s.buf = append(s.buf, '1')
	case x == s.last:
		s.buf = append(s.buf, s.text[:s.size]...)
	default:
		t, ok := s.known[math.Float64bits(x)]
		if !ok {
			t = string(strconv.AppendFloat(s.text[:0], x, 'g', -1, 64))
			if len(s.known) < maxValues {
				s.known[math.Float64bits(x)] = t
			}
		}
		s.buf = append(s.buf, t...)
		s.last, s.size = x, copy(s.text[:], t)
	}
}

func (s *svmLight) Flush() error {
	if len(s.buf) == 0 {
		return nil
	}
	_, err := s.w.Write(s.buf)
	s.buf = s.buf[:0]
	return err
}

func (s *svmLight) Close() error { return s.Flush() }
