package vector

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/vmihailenco/msgpack/v5"
)

// messages writes a frame for each vector: the length of a message, in four bytes with the most significant
// first, and the message. The message is a MessagePack map with these keys, in this order:
//
//	"sample"    string
//	"labels"    array of float 64
//	"features"  array of unsigned integers, the ids, 1-based and ascending
//	"values"    array of float 64, one for each feature
//
// Since the length comes first, a reader can read a whole message from a socket, or skip it.
type messages struct {
	buffered
	frame  bytes.Buffer
	enc    *msgpack.Encoder
	labels []float64
}

func newMsgpack(w io.Writer, _ Options) Writer {
	m := &messages{buffered: buffered{w: w}}
	m.enc = msgpack.NewEncoder(&m.frame)
	return m
}

func (m *messages) Write(v *Vector) (err error) {
	if m.labels, err = appendLabels(m.labels[:0], v.Label); err != nil {
		return err
	}
	m.frame.Reset()
	if err := m.encode(v); err != nil {
		return err
	}
	if uint64(m.frame.Len()) > math.MaxUint32 {
		return fmt.Errorf("%s: a vector of %d bytes, and a frame holds 4 GiB", v.Sample, m.frame.Len())
	}
	m.buf = binary.BigEndian.AppendUint32(m.buf, uint32(m.frame.Len()))
	m.buf = append(m.buf, m.frame.Bytes()...)
	return m.done()
}

// encode fills the frame. It cannot fail, because it writes into memory.
func (m *messages) encode(v *Vector) error {
	err := errors.Join(m.enc.EncodeMapLen(4), m.enc.EncodeString("sample"), m.enc.EncodeString(v.Sample),
		m.floats("labels", m.labels), m.enc.EncodeString("features"), m.enc.EncodeArrayLen(len(v.ID)))
	for i := 0; i < len(v.ID) && err == nil; i++ {
		err = m.enc.EncodeUint(uint64(v.ID[i]))
	}
	return errors.Join(err, m.floats("values", v.Value))
}

func (m *messages) floats(key string, list []float64) error {
	err := errors.Join(m.enc.EncodeString(key), m.enc.EncodeArrayLen(len(list)))
	for i := 0; i < len(list) && err == nil; i++ {
		err = m.enc.EncodeFloat64(list[i])
	}
	return err
}
