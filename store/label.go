package store

import (
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/store/disk"
	"fstore/store/posting"
)

// Labels returns all labels that samples have, in byte order.
func (s *Store) Labels() (labels []string, err error) {
	err = s.eachLabel(func(label string, _ []byte) error {
		labels = append(labels, label)
		return nil
	})
	return labels, err
}

// LabelBitmap returns the ids of the samples that have this label, or ErrNotFound if no sample has it.
func (s *Store) LabelBitmap(label string) (*roaring.Bitmap, error) {
	v, err := s.get(append(s.labelPlace().prefix(), label...))
	if err != nil {
		return nil, err
	}
	bm, err := decodeBitmap(v)
	return bm, s.db.ReadError("label "+label, err)
}

// LabelBitmaps returns, for every label, the ids of its samples.
func (s *Store) LabelBitmaps() (map[string]*roaring.Bitmap, error) {
	m := map[string]*roaring.Bitmap{}
	err := s.eachLabel(func(label string, v []byte) (err error) {
		m[label], err = decodeBitmap(v)
		return err
	})
	return m, err
}

func (s *Store) labelPlace() keyspace { return keyspace{KindLabel, s.meta.LabelGeneration, 0} }

func (s *Store) eachLabel(f func(label string, v []byte) error) error {
	if s.meta.LabelGeneration == 0 {
		return nil
	}
	p := s.labelPlace()
	n := len(p.prefix())
	return s.scan(p.span(), func(key, v []byte) error { return f(string(key[n:]), v) })
}

// decodeBitmap decodes v. The bitmap shares no memory with v.
func decodeBitmap(v []byte) (*roaring.Bitmap, error) {
	bm, err := posting.ReadBitmap(v)
	if err != nil {
		return nil, disk.Malformed("bitmap: %v", err)
	}
	return bm.Clone(), nil
}

// labelSet collects the samples of each label while samples are written.
type labelSet struct {
	m     map[string]*roaring.Bitmap
	last  string // the joined labels of the last sample, and their bitmaps
	lastB []*roaring.Bitmap
	dirty bool
}

func (l *labelSet) add(joined string, sample uint32) {
	if joined == "" {
		return
	}
	if joined != l.last {
		l.last = strings.Clone(joined)
		l.lastB = l.lastB[:0]
		index.SplitLabels(l.last, func(label string) {
			b := l.m[label]
			if b == nil {
				b = roaring.New()
				l.m[label] = b
			}
			l.lastB = append(l.lastB, b)
		})
	}
	for _, b := range l.lastB {
		b.Add(sample)
	}
	l.dirty = true
}
