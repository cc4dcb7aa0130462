package store

import (
	"github.com/RoaringBitmap/roaring/v2"

	"fstore/store/disk"
)

// Labels returns the labels of the samples in byte order.
func (s *Store) Labels() (labels []string, err error) {
	err = s.eachLabel(func(label string, _ []byte) error {
		labels = append(labels, label)
		return nil
	})
	return labels, err
}

// LabelBitmap returns the samples that have this label, ErrNotFound where none has.
func (s *Store) LabelBitmap(label string) (*roaring.Bitmap, error) {
	v, err := s.get(append(s.labelPlace().prefix(), label...))
	if err != nil {
		return nil, err
	}
	bm, err := decodeBitmap(v)
	return bm, s.db.ReadError("label "+label, err)
}

// LabelBitmaps returns the samples of every label.
func (s *Store) LabelBitmaps() (map[string]*roaring.Bitmap, error) {
	m := map[string]*roaring.Bitmap{}
	err := s.eachLabel(func(label string, v []byte) (err error) {
		m[label], err = decodeBitmap(v)
		return err
	})
	return m, err
}

func (s *Store) labelPlace() place { return place{KindLabel, s.meta.LabelGeneration, 0} }

func (s *Store) eachLabel(f func(label string, v []byte) error) error {
	if s.meta.LabelGeneration == 0 {
		return nil
	}
	p := s.labelPlace()
	n := len(p.prefix())
	return s.scan(p.span(), func(key, v []byte) error { return f(string(key[n:]), v) })
}

// decodeBitmap reads a bitmap that shares nothing with v.
func decodeBitmap(v []byte) (*roaring.Bitmap, error) {
	bm := roaring.New()
	n, err := bm.FromBuffer(v)
	if err == nil && n != int64(len(v)) {
		err = disk.Malformed("%d bytes after a bitmap", int64(len(v))-n)
	}
	if err == nil {
		err = bm.Validate()
	}
	if err != nil {
		return nil, disk.Malformed("bitmap: %v", err)
	}
	return bm.Clone(), nil
}
