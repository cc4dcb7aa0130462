package store

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/cockroachdb/pebble/v2"

	"fstore/index"
	"fstore/store/runfile"
)

// fragmentPlace returns the place of a space's fragments, or ErrNotFound if the space does not exist.
func (s *Store) fragmentPlace(space uint32) (keyspace, error) {
	if int(space) >= len(s.meta.Spaces) {
		return keyspace{}, fmt.Errorf("space %d: %w", space, ErrNotFound)
	}
	return keyspace{KindFragment, s.meta.Spaces[space].Generation, space}, nil
}

// FragmentIter walks the fragments of a space in key order. It belongs to one goroutine. It must be closed.
type FragmentIter struct {
	s      *Store
	it     *pebble.Iterator
	prefix int
	key    []byte
	value  []byte
	placed bool
	err    error

	loaded *Loaded // loaded fragments, used in place of it, p and key; nil if the space is not in memory
	at     uint32  // offset of the next fragment in loaded
	code   index.Code
	hi     index.Code
}

// Iter returns an iterator over the fragments of a space with lo ≤ code < hi; nil means no bound. The
// iterator starts before the first fragment.
func (s *Store) Iter(space uint32, lo, hi index.Code) (*FragmentIter, error) {
	p, err := s.fragmentPlace(space)
	if err != nil {
		return nil, err
	}
	switch l, err := s.Load(space); {
	case err != nil:
		return nil, err
	case l != nil:
		return &FragmentIter{s: s, loaded: l, at: l.seek(lo), hi: hi}, nil
	}
	return s.fragmentsAt(p, lo, hi)
}

// fragmentsAt does the work of Iter for the fragments in one key space of the database.
func (s *Store) fragmentsAt(p keyspace, lo, hi index.Code) (*FragmentIter, error) {
	bounds := p.span()
	prefix := p.prefix()
	n := len(prefix)
	if hi != nil {
		bounds.hi = append(prefix[:n:n], hi...)
	}
	bounds.lo = append(prefix[:n:n], lo...)
	it, err := s.iter(bounds)
	if err != nil {
		return nil, err
	}
	return &FragmentIter{s: s, it: it, prefix: n, key: prefix}, nil
}

// Next goes to the next fragment. It returns false at the end and after an error.
func (f *FragmentIter) Next() bool {
	if f.loaded != nil {
		return f.nextLoaded()
	}
	if !f.placed {
		f.placed = true
		return f.stand(f.it.First())
	}
	return f.stand(f.it.Next())
}

// SeekGE goes to the first fragment whose code is at least c.
func (f *FragmentIter) SeekGE(c index.Code) bool {
	if f.loaded != nil {
		f.at = f.loaded.seek(c)
		return f.nextLoaded()
	}
	f.key = append(f.key[:f.prefix], c...)
	f.placed = true
	return f.stand(f.it.SeekGE(f.key))
}

func (f *FragmentIter) stand(ok bool) bool {
	if !ok || f.err != nil {
		f.value = nil
		return false
	}
	f.value, f.err = f.it.ValueAndErr()
	return f.err == nil
}

func (f *FragmentIter) nextLoaded() bool {
	f.code, f.value, f.at = f.loaded.Next(f.at)
	if f.code != nil && f.hi != nil && bytes.Compare(f.code, f.hi) >= 0 {
		f.code, f.value = nil, nil
	}
	return f.code != nil
}

// Key returns the code of the current fragment. The code is valid until the iterator moves.
func (f *FragmentIter) Key() index.Code {
	if f.loaded != nil {
		return f.code
	}
	return index.Code(f.it.Key()[f.prefix:])
}

// Value returns the posting list of the current fragment. The list is valid until the iterator moves.
func (f *FragmentIter) Value() []byte { return f.value }

// Err returns the error that ended the iteration, or nil if the iteration reached the end.
func (f *FragmentIter) Err() error {
	if f.loaded != nil {
		return nil
	}
	return f.s.db.ReadError("fragments", errors.Join(f.err, f.it.Error()))
}

// Close releases the iterator and returns its error.
func (f *FragmentIter) Close() error {
	if f.loaded != nil {
		return nil
	}
	return f.s.db.ReadError("fragments", errors.Join(f.err, f.it.Close()))
}

// Get returns the posting list of a fragment, or ErrNotFound if the fragment is not stored. The caller must
// not change the list. Lists are cached, see Options.CacheBytes.
//
// The tables have no filters for absent fragments, since few callers would gain. A filter would add 1.25
// bytes to the 17 bytes of a fragment.
func (s *Store) Get(space uint32, c index.Code) ([]byte, error) {
	p, err := s.fragmentPlace(space)
	if err != nil {
		return nil, err
	}
	key := append(p.prefix(), c...)
	if v, ok := s.hot.get(key); ok {
		return v, nil
	}
	v, err := s.get(key)
	if err == nil {
		s.hot.set(key, v)
	}
	return v, err
}

// Load returns all fragments of a space in memory, or nil if they do not fit into Options.HoldBytes.
func (s *Store) Load(space uint32) (*Loaded, error) {
	if !s.Holds() {
		return nil, nil
	}
	p, err := s.fragmentPlace(space)
	if err != nil {
		return nil, err
	}
	onDisk := int64(0)
	if bounds := p.span(); !s.keeper.wasAsked(p) {
		if onDisk, err = s.db.Usage(bounds.lo, bounds.hi); err != nil {
			return nil, err
		}
	}
	// Keys share their beginnings on disk, but not in memory. So the bound is 1.5 times the size on disk.
	v, err := s.Hold(p, onDisk+onDisk/2+1<<16, func() (any, int64, error) { return s.load(p, int(onDisk)) })
	l, _ := v.(*Loaded)
	return l, err
}

// load reads the fragments for Load, and returns their size in bytes. It returns a nil *Loaded if an offset
// needs more than 32 bits.
func (s *Store) load(p keyspace, onDisk int) (_ any, size int64, err error) {
	it, err := s.fragmentsAt(p, nil, nil)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	l := &Loaded{data: make([]byte, 0, onDisk+onDisk/4)}
	for n := 0; it.Next(); n++ {
		if n%loadedStep == 0 {
			l.marks = append(l.marks, uint32(len(l.data)))
		}
		if l.data = runfile.AppendBlock(runfile.AppendBlock(l.data, it.Key()), it.Value()); uint64(len(l.data)) > math.MaxUint32 {
			return (*Loaded)(nil), 0, nil
		}
	}
	return l, int64(cap(l.data) + 4*cap(l.marks)), it.Err()
}
