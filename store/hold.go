package store

import (
	"bytes"
	"encoding/binary"
	"sort"
	"sync"

	"fstore/index"
)

// keeper keeps the values of Store.Hold and Store.Once in memory until the store is closed.
type keeper struct {
	bounded bool // Options.HoldBytes is set
	mu      sync.Mutex
	left    int64              // bytes of Options.HoldBytes that are still free
	held    map[any]*heldValue // a nil value: the budget was too small for it
}

// heldValue is one value of a keeper. The goroutine that computes the value locks mu, and others wait.
type heldValue struct {
	most  int64 // bytes that are reserved for the value until it is read
	mu    sync.Mutex
	value any // nil: not read yet
}

func (h *keeper) value(key any, maxBytes int64, compute func() (value any, size int64, err error)) (any, error) {
	v := h.reserve(key, maxBytes)
	if v == nil {
		return nil, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.value != nil {
		return v.value, nil
	}
	value, size, err := compute()
	if err != nil {
		return nil, err
	}
	v.value = value
	h.mu.Lock()
	h.left += v.most - size
	h.mu.Unlock()
	return value, nil
}

// reserve returns the heldValue for key, or nil if the budget was too small at the first call for key.
func (h *keeper) reserve(key any, maxBytes int64) *heldValue {
	h.mu.Lock()
	defer h.mu.Unlock()
	v, asked := h.held[key]
	if !asked && maxBytes <= max(h.left, 0) {
		v = &heldValue{most: maxBytes}
		h.left -= maxBytes
	}
	h.held[key] = v
	return v
}

// wasAsked says whether anyone has called reserve for this key.
func (h *keeper) wasAsked(key any) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.held[key]
	return ok
}

// Loaded holds all fragments of a space in memory. A fragment is two blocks (runfile.AppendBlock): its code
// and its posting list.
type Loaded struct {
	data  []byte
	marks []uint32 // where every loadedStep-th fragment begins
}

const loadedStep = 4

// Next returns the fragment at an offset, and the offset of the next fragment. The first fragment is at
// offset 0. At the end, code is nil. The caller must not change the code or the list.
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
