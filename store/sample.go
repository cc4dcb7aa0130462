package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/vmihailenco/msgpack/v5"

	"fstore/index"
	"fstore/store/disk"
)

// A sample is a msgpack array: name, label, document, group, candidate, score, index.Gold (if gold),
// corrections (if any) and tree. The tree comes last, so that callers can skip it.
const (
	sampleFields          = 7
	sampleGoldFields      = sampleFields + 1 // fields of a gold sample
	sampleCorrectedFields = sampleFields + 2 // fields of a gold sample with corrections
)

type sampleBytes struct{ tree, corrections []byte }

// read decodes the tree into t.
func (b *sampleBytes) read(syms *index.Symbols, t *index.Tree) error {
	if err := index.DecodeTree(b.tree, syms, t); err != nil {
		return err
	}
	return index.DecodeCorrections(b.corrections, t)
}

// sampleEncoder encodes samples into one buffer, which it reuses.
type sampleEncoder struct {
	buf bytes.Buffer
	enc *msgpack.Encoder
	sampleBytes
}

func newSampleEncoder() *sampleEncoder {
	e := new(sampleEncoder)
	e.enc = msgpack.NewEncoder(&e.buf)
	return e
}

// encode returns the encoded sample t, with the name of its K-best list and its encoded tree. The result is
// valid until the next call.
func (e *sampleEncoder) encode(t *index.Tree, group string, tree []byte) ([]byte, error) {
	e.buf.Reset()
	fields := sampleFields
	switch {
	case t.Gold != index.NotGold && len(t.Corrections) > 0:
		fields = sampleCorrectedFields
	case t.Gold != index.NotGold:
		fields = sampleGoldFields
	}
	for _, err := range [...]error{
		e.enc.EncodeArrayLen(fields),
		e.enc.EncodeString(t.Name),
		e.enc.EncodeString(t.Label),
		e.enc.EncodeString(t.Document),
		e.enc.EncodeString(group),
		e.enc.EncodeInt(int64(t.Candidate)),
		e.enc.EncodeFloat64(t.Score),
		e.encodeGold(t, fields),
		e.enc.EncodeBytes(tree),
	} {
		if err != nil {
			return nil, fmt.Errorf("sample %q: %w", t.Name, err)
		}
	}
	return e.buf.Bytes(), nil
}

// encodeGold writes the fields that only gold samples have.
func (e *sampleEncoder) encodeGold(t *index.Tree, fields int) error {
	if fields < sampleGoldFields {
		return nil
	}
	err := e.enc.EncodeUint(uint64(t.Gold))
	if err == nil && fields == sampleCorrectedFields {
		e.corrections = index.AppendCorrections(e.corrections[:0], t.Corrections)
		err = e.enc.EncodeBytes(e.corrections)
	}
	return err
}

type sampleDecoder struct {
	dec *msgpack.Decoder
	r   bytes.Reader
}

func newSampleDecoder() *sampleDecoder {
	d := new(sampleDecoder)
	d.dec = msgpack.NewDecoder(&d.r)
	return d
}

// decode decodes v into t, except for the tree and the corrections, which it returns undecoded.
func (d *sampleDecoder) decode(v []byte, t *index.Tree) (b sampleBytes, err error) {
	d.r.Reset(v)
	d.dec.ResetReader(&d.r)
	fields, err := d.dec.DecodeArrayLen()
	if err == nil && (fields < sampleFields || fields > sampleCorrectedFields) {
		err = disk.Malformed("sample of %d fields", fields)
	}
	for _, s := range [...]*string{&t.Name, &t.Label, &t.Document, &t.Group} {
		if err == nil {
			err = d.readString(v, s)
		}
	}
	if err == nil {
		t.Candidate, err = d.dec.DecodeInt()
	}
	if err == nil {
		t.Score, err = d.dec.DecodeFloat64()
	}
	t.Gold = index.NotGold
	if err == nil && fields >= sampleGoldFields {
		var gold uint64
		if gold, err = d.dec.DecodeUint64(); err == nil && (gold == 0 || gold > uint64(index.GoldAdded)) {
			err = disk.Malformed("gold %d", gold)
		}
		t.Gold = index.Gold(gold)
	}
	if err == nil && fields == sampleCorrectedFields {
		b.corrections, err = d.readBytes(v)
	}
	if err == nil {
		b.tree, err = d.readBytes(v)
	}
	if err != nil {
		return b, disk.Malformed("sample: %v", err)
	}
	if left := d.r.Len(); left > 0 {
		return b, disk.Malformed("sample: %d bytes behind the tree", left)
	}
	return b, nil
}

// decodeAll decodes a sample with its tree into t.
func (d *sampleDecoder) decodeAll(v []byte, syms *index.Symbols, t *index.Tree) error {
	b, err := d.decode(v, t)
	if err == nil {
		err = b.read(syms, t)
	}
	return err
}

// readBytes reads a byte string. The result shares the memory of v.
func (d *sampleDecoder) readBytes(v []byte) ([]byte, error) {
	n, err := d.dec.DecodeBytesLen()
	if err != nil {
		return nil, err
	}
	if n < 0 || n > d.r.Len() {
		return nil, io.ErrUnexpectedEOF
	}
	from := len(v) - d.r.Len()
	_, err = d.r.Seek(int64(n), io.SeekCurrent)
	return v[from : from+n], err
}

// readString reads a string into s. It does not allocate if s has this text already.
func (d *sampleDecoder) readString(v []byte, s *string) error {
	b, err := d.readBytes(v)
	if err == nil && string(b) != *s {
		*s = string(b)
	}
	return err
}

// Sample reads the sample with this id into t.
func (s *Store) Sample(id uint32, t *index.Tree) error {
	syms, err := s.Symbols()
	if err != nil {
		return err
	}
	if id >= s.meta.Samples {
		return fmt.Errorf("sample %d: %w", id, ErrNotFound)
	}
	v, err := s.get(sampleKey(nil, id))
	if err == ErrNotFound {
		return s.db.Damaged(fmt.Sprintf("sample %d is missing", id), nil)
	}
	if err != nil {
		return err
	}
	return s.badSample(id, newSampleDecoder().decodeAll(v, syms, t))
}

// badSample returns the error of a sample that cannot be decoded, or nil if err is nil.
func (s *Store) badSample(id uint32, err error) error {
	if err == nil {
		return nil
	}
	return s.db.Damaged(fmt.Sprintf("sample %d", id), err)
}

// Samples calls f for the samples [from, to), in order, until f returns an error. All calls get the same
// tree, which is filled again for each sample.
func (s *Store) Samples(from, to uint32, f func(id uint32, t *index.Tree) error) error {
	syms, err := s.Symbols()
	if err != nil {
		return err
	}
	return s.eachSample(from, to, func(id uint32, t *index.Tree, b sampleBytes) error {
		if err := b.read(syms, t); err != nil {
			return s.badSample(id, err)
		}
		return f(id, t)
	})
}

// SampleHeads is like Samples, but does not read the trees. It sets only name, label, document, group,
// candidate, score and gold of t. It needs no symbols.
func (s *Store) SampleHeads(from, to uint32, f func(id uint32, t *index.Tree) error) error {
	return s.eachSample(from, to, func(id uint32, t *index.Tree, _ sampleBytes) error { return f(id, t) })
}

// SampleWords is like SampleHeads, but f also gets the number of words of each tree (index.Tree.Words).
func (s *Store) SampleWords(from, to uint32, f func(id uint32, t *index.Tree, words int) error) error {
	syms, err := s.Symbols()
	if err != nil {
		return err
	}
	return s.eachSample(from, to, func(id uint32, t *index.Tree, b sampleBytes) error {
		words, err := index.CountWords(b.tree, syms)
		if err != nil {
			return s.badSample(id, err)
		}
		return f(id, t, words)
	})
}

// SampleExpansions calls f for the samples [from, to), in order, with the result of e.Read.
func (s *Store) SampleExpansions(from, to uint32, e *index.Expander, f func(id uint32, tree []index.Expansion) error) error {
	return s.eachSample(from, to, func(id uint32, _ *index.Tree, b sampleBytes) error {
		tree, err := e.Read(b.tree)
		if err != nil {
			return s.badSample(id, err)
		}
		return f(id, tree)
	})
}

// SampleSet is like Samples, for the samples with these ids, which must ascend.
func (s *Store) SampleSet(ids []uint32, f func(id uint32, t *index.Tree) error) error {
	syms, err := s.Symbols()
	if err != nil || len(ids) == 0 {
		return err
	}
	it, err := s.iter(kindSpan(KindSample))
	if err != nil {
		return err
	}
	d, t, key := newSampleDecoder(), new(index.Tree), []byte(nil)
	for _, id := range ids {
		key = sampleKey(key[:0], id)
		if !it.SeekGE(key) || !bytes.Equal(it.Key(), key) { // close to the last key, a seek is as cheap as Next
			err = s.db.Damaged(fmt.Sprintf("sample %d is missing", id), it.Error())
			break
		}
		var v []byte
		if v, err = it.ValueAndErr(); err == nil {
			err = d.decodeAll(v, syms, t)
		}
		if err = s.badSample(id, err); err == nil {
			err = f(id, t)
		}
		if err != nil {
			break
		}
	}
	return errors.Join(err, it.Close())
}

// eachSample calls f for the samples in order of their ids. A missing sample is an error.
func (s *Store) eachSample(from, to uint32, f func(id uint32, t *index.Tree, b sampleBytes) error) error {
	d, t := newSampleDecoder(), new(index.Tree)
	return s.scanNumbered("sample", []byte{byte(KindSample)}, from, min(to, s.meta.Samples), func(id uint32, v []byte) error {
		b, err := d.decode(v, t)
		if err != nil {
			return s.badSample(id, err)
		}
		return f(id, t, b)
	})
}

// NewSource returns a source that reads the samples of a store, in order, with the store's symbols.
func NewSource(s *Store) index.Source { return &storedSamples{s: s} }

type storedSamples struct {
	s    *Store
	next uint32
}

func (r *storedSamples) Next(t *index.Tree) error {
	if r.next == r.s.Meta().Samples {
		return io.EOF
	}
	r.next++
	return r.s.Sample(r.next-1, t)
}
