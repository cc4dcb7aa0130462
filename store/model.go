package store

import (
	"errors"
	"fmt"
	"slices"

	"fstore/store/disk"
)

// partBytes is the size of the parts into which a model is cut, since a database block cannot hold a very
// large value.
const partBytes = 256 << 10

// Model returns the bytes of a model, or ErrNotFound if there is no such model.
func (s *Store) Model(name string) (b []byte, err error) {
	info := s.meta.Model(name)
	if info == nil {
		return nil, fmt.Errorf("model %q: %w", name, ErrNotFound)
	}
	p := keyspace{KindModel, info.Generation, info.Number}
	prefix, next := len(p.prefix()), uint32(0)
	err = s.scan(p.span(), func(key, v []byte) error {
		if n, ok := parseNumber(key[prefix:]); !ok || n != next {
			return disk.Malformed("%s key %x where part %d should be", p.kind, key, next)
		}
		next++
		b = append(b, v...)
		return nil
	})
	if err == nil && int64(len(b)) != info.Bytes {
		err = s.db.Damaged(fmt.Sprintf("model %q: %d bytes, and there should be %d", name, len(b), info.Bytes), nil)
	}
	return b, err
}

// PutModel writes a model. At Commit it replaces the model with the same name.
func (w *Writer) PutModel(info ModelInfo, data []byte) error {
	if info.Name == "" {
		return errors.New("store: a model needs a name")
	}
	info.Generation, info.Bytes = w.meta.Generation, int64(len(data))
	info.Number = w.newNumber()
	p, t, n := keyspace{KindModel, info.Generation, info.Number}, w.change.Table(), uint32(0)
	var err error
	for part := range slices.Chunk(data, partBytes) {
		if err == nil {
			err = t.Put(p.numbered(n), part)
		}
		n++
	}
	if err := t.Close(err); err != nil {
		return fmt.Errorf("model %q: %w", info.Name, err)
	}
	if old := w.meta.Model(info.Name); old != nil {
		*old = info
	} else {
		w.meta.Models = append(w.meta.Models, info)
	}
	return nil
}

// newNumber returns a number that no other selection or model of this generation has.
func (w *Writer) newNumber() uint32 {
	w.numbers++
	return w.numbers - 1
}
