package vector

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/vmihailenco/msgpack/v5"
)

// messages writes a frame a vector: the length of the message, four bytes, the most
// significant first, then the message, a MessagePack map of
//
//	"sample"    string
//	"labels"    array of float 64
//	"features"  array of unsigned integers, the ids, 1-based and ascending
//	"values"    array of float 64, one a feature
//
// in this order. With the length a reader can take a message whole from a socket, or
// pass over it unread.
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

// encode fills the frame. Its errors are never met: it is memory.
func (m *messages) encode(v *Vector) error {
	if err := m.enc.EncodeMapLen(4); err != nil {
		return err
	}
	if err := m.enc.EncodeString("sample"); err != nil {
		return err
	}
	if err := m.enc.EncodeString(v.Sample); err != nil {
		return err
	}
	if err := m.floats("labels", m.labels); err != nil {
		return err
	}
	if err := m.array("features", len(v.ID)); err != nil {
		return err
	}
	for _, id := range v.ID {
		if err := m.enc.EncodeUint(uint64(id)); err != nil {
			return err
		}
	}
	return m.floats("values", v.Value)
}

// array begins an entry that is an array of n.
func (m *messages) array(key string, n int) error {
	if err := m.enc.EncodeString(key); err != nil {
		return err
	}
	return m.enc.EncodeArrayLen(n)
}

func (m *messages) floats(key string, list []float64) error {
	if err := m.array(key, len(list)); err != nil {
		return err
	}
	for _, x := range list {
		if err := m.enc.EncodeFloat64(x); err != nil {
			return err
		}
	}
	return nil
}
