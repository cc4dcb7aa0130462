package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"sort"
	"sync"

	"fstore/index"
	"fstore/store/runfile"
)

// keeper keeps values in memory until the store is closed.
type keeper struct {
	bounded bool // Options.HoldBytes is set
	mu      sync.Mutex
	left    int64              // how many of these bytes are left
	held    map[any]*heldValue // a nil value: there was no room
}

// heldValue is one value of a keeper. The goroutine that reads the value locks mu, and others wait.
type heldValue struct {
	most  int64 // bytes that are reserved for the value until it is read
	mu    sync.Mutex
	value any // nil: not read yet
}

// HoldUpTo sets Options.HoldBytes of an open store, unless it is set already. The program that opened the
// store must call it before anyone else uses the store.
func (s *Store) HoldUpTo(bytes int64) {
	if !s.Holds() {
		s.keeper.left, s.keeper.bounded = bytes, true
	}
}

// Holds says whether Hold keeps values. If so, the store is open for many questions, and results that took
// long are worth keeping.
func (s *Store) Holds() bool { return s.keeper.bounded }

// Hold returns the value that the function read returns, and keeps the value until the store is closed. For
// each key, Hold calls read only once, unless read returns an error. The parameter most is the largest number
// of bytes that the value can take; read returns the true number. If Options.HoldBytes has no room for so
// many bytes, Hold returns nil and does not call read.
func (s *Store) Hold(key any, most int64, read func() (value any, size int64, err error)) (any, error) {
	if !s.Holds() {
		return nil, nil
	}
	return s.keeper.value(key, most, read)
}

// Once does the same as Hold, for a small value: there is always room for it. Once and Hold share their keys,
// so a key must not be used for both.
func (s *Store) Once(key any, read func() (any, error)) (any, error) {
	return s.keeper.value(key, 0, func() (any, int64, error) {
		value, err := read()
		return value, 0, err
	})
}

func (h *keeper) value(key any, most int64, read func() (value any, size int64, err error)) (any, error) {
	v := h.room(key, most)
	if v == nil {
		return nil, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.value != nil {
		return v.value, nil
	}
	value, size, err := read()
	if err != nil {
		return nil, err
	}
	v.value = value
	h.mu.Lock()
	h.left += v.most - size
	h.mu.Unlock()
	return value, nil
}

// room returns the entry of a value, or nil if there was no room when the value was first asked for.
func (h *keeper) room(key any, most int64) *heldValue {
	h.mu.Lock()
	defer h.mu.Unlock()
	v, asked := h.held[key]
	if !asked && most <= max(h.left, 0) {
		v = &heldValue{most: most}
		h.left -= most
	}
	h.held[key] = v
	return v
}

// asked says whether anyone has asked for room for this key before.
func (h *keeper) asked(key any) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.held[key]
	return ok
}

// Loaded holds all fragments of a space in memory: for each fragment its code and its posting list, as two
// blocks (runfile.AppendBlock).
type Loaded struct {
	data  []byte
	marks []uint32 // where every loadedStep-th fragment begins
}

const loadedStep = 4

// Load returns all fragments of a space in memory. It returns nil if Options.HoldBytes has no room for them.
func (s *Store) Load(space uint32) (*Loaded, error) {
	if !s.Holds() {
		return nil, nil
	}
	p, err := s.fragmentPlace(space)
	if err != nil {
		return nil, err
	}
	onDisk := int64(0)
	if bounds := p.span(); !s.keeper.asked(p) {
		if onDisk, err = s.db.Usage(bounds.lo, bounds.hi); err != nil {
			return nil, err
		}
	}
	// The fragments take more bytes in memory than on disk, where keys share their beginnings. So ask for
	// half more.
	v, err := s.Hold(p, onDisk+onDisk/2+1<<16, func() (any, int64, error) { return s.load(p, int(onDisk)) })
	l, _ := v.(*Loaded)
	return l, err
}

// load reads the value for Load, and returns how many bytes it takes. It returns a nil *Loaded if the
// fragments need offsets of more than 32 bits.
func (s *Store) load(p place, onDisk int) (_ any, size int64, err error) {
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

// Next returns the fragment at an offset, and the offset of the next fragment. The first fragment is at
// offset 0. After the last fragment, code is nil. The caller must not change the code or the list.
func (l *Loaded) Next(at uint32) (code index.Code, list []byte, next uint32) {
	if int(at) >= len(l.data) {
		return nil, nil, at
	}
	code, at = l.sized(at)
	list, at = l.sized(at)
	return code, list, at
}

func (l *Loaded) sized(at uint32) ([]byte, uint32) {
	n := uint32(l.data[at])
	if at++; n >= 0x80 {
		v, size := binary.Uvarint(l.data[at-1:])
		n, at = uint32(v), at-1+uint32(size)
	}
	return l.data[at : at+n : at+n], at + n
}

// At returns the fragment with a feature id, which must exist in the space.
func (l *Loaded) At(id uint32) (code index.Code, list []byte) {
	at := l.marks[(id-1)/loadedStep]
	for range (id - 1) % loadedStep {
		_, _, at = l.Next(at)
	}
	code, list, _ = l.Next(at)
	return code, list
}

// seek returns the offset of the first fragment whose code is at least c.
func (l *Loaded) seek(c index.Code) uint32 {
	i := sort.Search(len(l.marks), func(i int) bool {
		code, _ := l.sized(l.marks[i])
		return bytes.Compare(code, c) > 0
	})
	at := uint32(0)
	if i > 0 {
		at = l.marks[i-1]
	}
	for {
		code, _, next := l.Next(at)
		if code == nil || bytes.Compare(code, c) >= 0 {
			return at
		}
		at = next
	}
}
