package grow

import (
	"bytes"

	"fstore/index"
)

// InOrder puts the kept extensions of batches into code order. K is the data of one batch's kept extensions.
type InOrder[K interface{ Reset() }] struct {
	Fresh   func() K
	Emit    func(c index.Code, of K, i int) error // called for kept extension i of a batch
	waiting []*Waiting[K]
	parent  []byte // pattern of the last waiting batch; the other patterns are its prefixes
	code    []byte
}

// Waiting holds the kept extensions of one pattern until growth has passed them.
type Waiting[K any] struct {
	parent    int // length of the pattern in bytes
	suffix    []byte
	suffixEnd []uint32
	next      int
	Kept      K
}

// Keep adds an extension. The caller adds the extension's data to w.Kept.
func (w *Waiting[K]) Keep(suffix []byte) {
	w.suffix = append(w.suffix, suffix...)
	w.suffixEnd = append(w.suffixEnd, uint32(len(w.suffix)))
}

// Begin emits the extensions that come before those of `parent`. The caller puts the kept extensions of
// `parent` into the result.
func (o *InOrder[K]) Begin(parent []byte) (*Waiting[K], error) {
	if err := o.emitUpTo(parent); err != nil {
		return nil, err
	}
	n := len(o.waiting)
	if n < cap(o.waiting) {
		o.waiting = o.waiting[:n+1]
	} else {
		o.waiting = append(o.waiting, nil)
	}
	if o.waiting[n] == nil {
		o.waiting[n] = &Waiting[K]{Kept: o.Fresh()}
	}
	w := o.waiting[n]
	o.parent = append(o.parent[:0], parent...)
	w.parent, w.suffix, w.suffixEnd, w.next = len(parent), w.suffix[:0], w.suffixEnd[:0], 0
	w.Kept.Reset()
	return w, nil
}

// parentOfNewest returns the kept extension that the newest batch extends, as an index in the data of its
// batch.
func (o *InOrder[K]) parentOfNewest() (of K, i int, ok bool) {
	n := len(o.waiting) - 2
	if n < 0 {
		return of, 0, false
	}
	return o.waiting[n].Kept, o.waiting[n].next - 1, true
}

// emitUpTo emits all waiting extensions that come before the extensions of parent, and drops finished
// batches.
func (o *InOrder[K]) emitUpTo(parent []byte) error {
	for len(o.waiting) > 0 {
		w := o.waiting[len(o.waiting)-1]
		if len(parent) > w.parent && bytes.HasPrefix(parent, o.parent[:w.parent]) {
			return o.emitBatch(w, parent[w.parent:])
		}
		if err := o.emitBatch(w, nil); err != nil {
			return err
		}
		o.waiting = o.waiting[:len(o.waiting)-1]
	}
	return nil
}

// emitBatch emits the waiting extensions of w up to suffix, or all if suffix is nil.
func (o *InOrder[K]) emitBatch(w *Waiting[K], suffix []byte) error {
	for ; w.next < len(w.suffixEnd); w.next++ {
		from := uint32(0)
		if w.next > 0 {
			from = w.suffixEnd[w.next-1]
		}
		s := w.suffix[from:w.suffixEnd[w.next]]
		if suffix != nil && bytes.Compare(s, suffix) > 0 {
			return nil
		}
		o.code = append(append(o.code[:0], o.parent[:w.parent]...), s...)
		if err := o.Emit(o.code, w.Kept, w.next); err != nil {
			return err
		}
	}
	return nil
}

// Finish emits all extensions that still wait. Call it at the end of the range's growth.
func (o *InOrder[K]) Finish() error { return o.emitUpTo(nil) }
