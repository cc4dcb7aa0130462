package gradient

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"

	"fstore/index"
)

// miner is the state of a run between iterations.
type miner struct {
	p *Problem
	o *Options
	e engine
	s *streamFiles

	told   *progress
	models []*model // by class
	mined  []*set   // by class: the features of the last iteration; empty without KeepFeatures
	keeper *keeper
	score  []float64
	best   []uint32
	side   [][]uint8 // by class
	now    float64   // the objective now
	from   float64   // the first step α to try
}

// write writes the state after an iteration. All numbers are little-endian:
//
//	a JSON text with the iterations, after the length of the text
//	the objective, and the first step to try
//	the score of each candidate
//	for each class:
//	  the number of features, and the bytes of their blocks
//	  the blocks, as in a stream
//	  the weight of each feature, in code order
func (m *miner) write(w *bufio.Writer, done []Iteration) error {
	text, err := json.Marshal(done)
	if err != nil {
		return err
	}
	// Errors of w need no check here: w keeps its first error and Flush returns it.
	number := func(x uint64) { _, _ = w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), x)) }
	number(uint64(len(text)))
	_, _ = w.Write(text)
	number(math.Float64bits(m.now))
	number(math.Float64bits(m.from))
	for _, x := range m.score {
		number(math.Float64bits(x))
	}
	for _, x := range m.models {
		number(x.features.n)
		number(uint64(x.features.size))
		if err := x.features.copy(w); err != nil {
			return err
		}
		for id := uint32(1); id < x.numbers(); id++ {
			number(math.Float64bits(x.weight(id)))
			x.passed(id)
		}
		x.release()
	}
	return w.Flush()
}

// read loads what write has written.
func (m *miner) read(in io.Reader) (done []Iteration, err error) {
	n := &numberReader{in: in}
	if text := n.bytes(n.next()); n.err == nil {
		n.err = json.Unmarshal(text, &done)
	}
	m.now, m.from = n.float(), n.float()
	for i := range m.score {
		m.score[i] = n.float()
	}
	for class := range m.models {
		next := newModel(m.o, m.s)
		if err := next.read(n, m.o); err != nil {
			return nil, errors.Join(err, next.close())
		}
		m.models[class] = next
	}
	return done, n.err
}

func (m *model) read(n *numberReader, o *Options) error {
	features, size := n.next(), int64(n.next())
	if n.err != nil {
		return n.err
	}
	if err := m.features.load(n.in, size, features, func(*feature) {}); err != nil {
		return err
	}
	err := m.index(o, func(put func(index.Code) error) error {
		return m.features.each(func(x *feature) error {
			m.add(n.float(), int32(x.a)-int32(x.b))
			return errors.Join(n.err, put(x.code))
		})
	})
	return errors.Join(err, m.finish())
}

// numberReader reads numbers. After an error, every number is 0.
type numberReader struct {
	in  io.Reader
	err error
}

func (n *numberReader) next() uint64 {
	var word [8]byte
	if n.err == nil {
		_, n.err = io.ReadFull(n.in, word[:])
	}
	if n.err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(word[:])
}

// bytes reads size bytes. It allocates as it reads, because the size in a damaged file can be far too large.
func (n *numberReader) bytes(size uint64) []byte {
	if n.err != nil {
		return nil
	}
	var b bytes.Buffer
	_, n.err = io.CopyN(&b, n.in, int64(min(size, math.MaxInt64)))
	return b.Bytes()
}

func (n *numberReader) float() float64 { return math.Float64frombits(n.next()) }
