package store

import (
	"bytes"
	"fmt"
	"io"

	"github.com/vmihailenco/msgpack/v5"

	"fstore/index"
)

// A sample is a msgpack array of its name, label, document, group, candidate,
// score, its index.Gold where it is gold, and the tree's bytes (index.AppendTree),
// which come last so that a list of names reads no tree.
const sampleFields = 7 // one more in a sample that is gold

// sampleEncoder writes sample values into one buffer.
type sampleEncoder struct {
	buf  bytes.Buffer
	enc  *msgpack.Encoder
	tree []byte
}

func newSampleEncoder() *sampleEncoder {
	e := new(sampleEncoder)
	e.enc = msgpack.NewEncoder(&e.buf)
	return e
}

// encode returns the value of t, whose list has the name group, valid until the next
// call.
func (e *sampleEncoder) encode(t *index.Tree, group string) ([]byte, error) {
	e.buf.Reset()
	e.tree = index.AppendTree(e.tree[:0], t)
	fields := sampleFields
	if t.Gold != index.NotGold {
		fields++
	}
	for _, err := range [...]error{
		e.enc.EncodeArrayLen(fields),
		e.enc.EncodeString(t.Name),
		e.enc.EncodeString(t.Label),
		e.enc.EncodeString(t.Document),
		e.enc.EncodeString(group),
		e.enc.EncodeInt(int64(t.Candidate)),
		e.enc.EncodeFloat64(t.Score),
		e.encodeGold(t.Gold),
		e.enc.EncodeBytes(e.tree),
	} {
		if err != nil {
			return nil, fmt.Errorf("sample %q: %w", t.Name, err)
		}
	}
	return e.buf.Bytes(), nil
}

func (e *sampleEncoder) encodeGold(g index.Gold) error {
	if g == index.NotGold {
		return nil
	}
	return e.enc.EncodeUint(uint64(g))
}

// sampleDecoder reads sample values.
type sampleDecoder struct {
	dec  *msgpack.Decoder
	r    bytes.Reader
	text []byte
}

func newSampleDecoder() *sampleDecoder {
	d := new(sampleDecoder)
	d.dec = msgpack.NewDecoder(&d.r)
	return d
}

// decode fills t with everything but its structure, and returns the tree's bytes.
func (d *sampleDecoder) decode(v []byte, t *index.Tree) (tree []byte, err error) {
	d.r.Reset(v)
	d.dec.ResetReader(&d.r)
	fields, err := d.dec.DecodeArrayLen()
	if err == nil && fields != sampleFields && fields != sampleFields+1 {
		err = malformed("sample of %d fields", fields)
	}
	for _, s := range [...]*string{&t.Name, &t.Label, &t.Document, &t.Group} {
		if err == nil {
			err = d.string(s)
		}
	}
	if err == nil {
		var c int64
		c, err = d.dec.DecodeInt64()
		t.Candidate = int(c)
	}
	if err == nil {
		t.Score, err = d.dec.DecodeFloat64()
	}
	t.Gold = index.NotGold
	if err == nil && fields > sampleFields {
		t.Gold, err = d.gold()
	}
	n := 0
	if err == nil {
		n, err = d.dec.DecodeBytesLen()
	}
	if err != nil {
		return nil, malformed("sample: %v", err)
	}
	if n != d.r.Len() {
		return nil, malformed("sample: %d bytes of tree, and %d left", n, d.r.Len())
	}
	return v[len(v)-n:], nil
}

// gold reads what a sample that is gold is.
func (d *sampleDecoder) gold() (index.Gold, error) {
	v, err := d.dec.DecodeUint64()
	if err == nil && (v == 0 || v > uint64(index.GoldAdded)) {
		err = malformed("gold %d", v)
	}
	return index.Gold(v), err
}

// string reads a string into s; one that is there already is not allocated again:
// neighbours share labels and documents.
func (d *sampleDecoder) string(s *string) error {
	n, err := d.dec.DecodeBytesLen()
	if err != nil {
		return err
	}
	if n < 0 || n > d.r.Len() {
		return io.ErrUnexpectedEOF
	}
	if cap(d.text) < n {
		d.text = make([]byte, n, 2*n)
	}
	b := d.text[:n]
	if err := d.dec.ReadFull(b); err != nil {
		return err
	}
	if string(b) != *s {
		*s = string(b)
	}
	return nil
}

// Sample reads one sample into t.
func (s *Store) Sample(id uint32, t *index.Tree) error {
	syms, err := s.Symbols()
	if err != nil {
		return err
	}
	if id >= s.meta.Samples {
		return fmt.Errorf("sample %d: %w", id, ErrNotFound)
	}
	v, err := s.get(sampleKey(nil, id))
	if err != nil {
		return damagedWhereAbsent(s.dir, fmt.Sprintf("sample %d", id), err)
	}
	tree, err := newSampleDecoder().decode(v, t)
	if err == nil {
		err = index.DecodeTree(tree, syms, t)
	}
	if err != nil {
		return damaged(s.dir, fmt.Sprintf("sample %d", id), err)
	}
	return nil
}

// Samples calls f for the samples from ≤ id < to in order, with one tree that is
// refilled. It stops at an error of f and returns it.
func (s *Store) Samples(from, to uint32, f func(id uint32, t *index.Tree) error) error {
	syms, err := s.Symbols()
	if err != nil {
		return err
	}
	return s.eachSample(from, to, func(id uint32, t *index.Tree, tree []byte) error {
		if err := index.DecodeTree(tree, syms, t); err != nil {
			return damaged(s.dir, fmt.Sprintf("sample %d", id), err)
		}
		return f(id, t)
	})
}

// SampleHeads is Samples without the trees: t has name, label, document, group,
// candidate, score and gold only. It needs no symbols.
func (s *Store) SampleHeads(from, to uint32, f func(id uint32, t *index.Tree) error) error {
	return s.eachSample(from, to, func(id uint32, t *index.Tree, _ []byte) error { return f(id, t) })
}

// eachSample calls f in order of ids, each of which must be there.
func (s *Store) eachSample(from, to uint32, f func(id uint32, t *index.Tree, tree []byte) error) error {
	to = min(to, s.meta.Samples)
	if from >= to {
		return nil
	}
	d := newSampleDecoder()
	t := new(index.Tree)
	next := from
	var ferr error
	err := s.scan(span{sampleKey(nil, from), sampleKey(nil, to)}, func(key, v []byte) error {
		id, ok := parseSampleKey(key)
		if !ok || id != next {
			return malformed("sample key %x where sample %d should be", key, next)
		}
		next++
		tree, err := d.decode(v, t)
		if err != nil {
			return err
		}
		ferr = f(id, t, tree)
		return ferr
	})
	if ferr != nil {
		return ferr
	}
	if err == nil && next != to {
		err = damaged(s.dir, fmt.Sprintf("samples end at %d, and there should be %d", next, to), nil)
	}
	return err
}

// damagedWhereAbsent is for keys that meta says are there.
func damagedWhereAbsent(dir, what string, err error) error {
	if err == ErrNotFound {
		return damaged(dir, what+" is missing", nil)
	}
	return err
}
