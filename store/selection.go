package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"fstore/index"
	"fstore/store/disk"
	"fstore/store/runfile"
)

// ErrNameTaken says that a selection or model with this name exists already.
var ErrNameTaken = errors.New("the name is taken")

// Entry is one fragment of a selection. Entries are in code order. The feature id of an entry is its
// position, counted from 1.
type Entry struct {
	Code   index.Code
	Score  float64   // score by the objective
	Weight float64   // weight in the model that selected it; 0 if there is no model
	Stats  []float64 // one value for each of SelectionInfo.Columns
}

// Append appends the encoded entry to dst: the code as a block (runfile.AppendBlock), then score, weight and
// statistics as little-endian float64.
func (e *Entry) Append(dst []byte) []byte {
	dst = runfile.AppendBlock(dst, e.Code)
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(e.Score))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(e.Weight))
	for _, x := range e.Stats {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
	}
	return dst
}

// decode sets e to the encoded entry v with this number of statistics. It reuses the memory of e.
func (e *Entry) decode(v []byte, stats int) error {
	code, v, ok := runfile.CutBlock(v)
	if !ok || len(v) != 8*(2+stats) {
		return disk.Malformed("entry of a selection")
	}
	e.Code = append(e.Code[:0], code...)
	next := func() float64 {
		x := math.Float64frombits(binary.LittleEndian.Uint64(v))
		v = v[8:]
		return x
	}
	e.Score, e.Weight = next(), next()
	e.Stats = e.Stats[:0]
	for range stats {
		e.Stats = append(e.Stats, next())
	}
	return nil
}

// Entries calls f for the entries with feature ids in [from, to), in order, until f returns an error. All
// calls get the same entry, which is filled again.
func (s *Store) Entries(name string, from, to uint32, f func(id uint32, e *Entry) error) error {
	info := s.meta.Selection(name)
	if info == nil {
		return fmt.Errorf("selection %q: %w", name, ErrNotFound)
	}
	p := keyspace{KindSelection, info.Generation, info.Number}
	var e Entry
	return s.scanNumbered(fmt.Sprintf("selection %q: entry", name), p.prefix(), max(from, 1), min(to, info.Features+1), func(id uint32, v []byte) error {
		if err := e.decode(v, len(info.Columns)); err != nil {
			return s.db.ReadError(p.kind.String(), err)
		}
		return f(id, &e)
	})
}

// SelectionWriter writes the entries of one selection. It must be closed before Commit.
type SelectionWriter struct {
	w    *Writer
	t    *disk.Table
	info SelectionInfo
	p    keyspace
	last index.Code
	buf  []byte
	err  error
}

// Select begins a selection. At Commit it replaces the selection with the same name. Select sets Number,
// Generation and Features itself.
func (w *Writer) Select(info SelectionInfo) (*SelectionWriter, error) {
	if info.Name == "" || int(info.Space) >= len(w.meta.Spaces) {
		return nil, fmt.Errorf("store: selection %q of space %d", info.Name, info.Space)
	}
	info.Generation, info.Features = w.meta.Generation, 0
	info.Number = w.newNumber()
	w.selecting++
	return &SelectionWriter{
		w: w, t: w.change.Table(), info: info,
		p: keyspace{KindSelection, info.Generation, info.Number},
	}, nil
}

// Put adds an entry. Codes must strictly ascend.
func (s *SelectionWriter) Put(e *Entry) error {
	switch {
	case s.err != nil:
		return s.err
	case s.info.Features > 0 && bytes.Compare(s.last, e.Code) >= 0:
		s.err = fmt.Errorf("store: selection %q: code %x after %x", s.info.Name, []byte(e.Code), []byte(s.last))
	case len(e.Stats) != len(s.info.Columns):
		s.err = fmt.Errorf("store: selection %q: %d statistics in %d columns", s.info.Name, len(e.Stats), len(s.info.Columns))
	case s.info.Features == math.MaxUint32-1:
		s.err = errors.New("store: too many entries")
	default:
		s.info.Features++
		s.last = append(s.last[:0], e.Code...)
		s.buf = e.Append(s.buf[:0])
		s.err = s.t.Put(s.p.numbered(s.info.Features), s.buf)
	}
	return s.err
}

// Info returns the description that Close will put into meta. The caller may still set fields.
func (s *SelectionWriter) Info() *SelectionInfo { return &s.info }

// Close puts the selection into Writer.Meta. After Close, Writer.Store can read the selection.
func (s *SelectionWriter) Close() error {
	if s.err = s.t.Close(s.err); s.err != nil {
		return s.err
	}
	s.err = errors.New("store: SelectionWriter is closed")
	if err := s.w.change.Ingest(nil, nil); err != nil {
		return err
	}
	m := s.w.meta
	if old := m.Selection(s.info.Name); old != nil {
		*old = s.info
	} else {
		m.Selections = append(m.Selections, s.info)
	}
	s.w.selecting--
	return nil
}
