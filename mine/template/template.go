// Package template counts templates. A template is the shape of a fragment, with each symbol replaced by its
// kind (Qian & Liu 2015).
package template

import (
	"cmp"
	"slices"
	"sync"

	"github.com/zeebo/xxh3"

	"fstore/index"
)

// Templates counts the different templates of a space's fragments. A nil *Templates counts nothing.
type Templates struct {
	space index.Templated
	syms  *index.Symbols

	mu     sync.Mutex
	free   []*Counter
	orders map[xxh3.Uint128]int // order of each template, by the hash of its text
}

// New returns Templates without any template. It returns nil if the space has no templates.
func New(space index.Space, syms *index.Symbols) *Templates {
	t, ok := space.(index.Templated)
	if !ok {
		return nil
	}
	return &Templates{space: t, syms: syms, orders: map[xxh3.Uint128]int{}}
}

// Counter returns a counter for one worker. The worker must give it back with Release, so that its memory is
// reused.
func (t *Templates) Counter() *Counter {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.free); n > 0 {
		c := t.free[n-1]
		t.free = t.free[:n-1]
		return c
	}
	return &Counter{of: t, shapes: map[shapeOff]*shapeRow{}, counted: make([]bool, 1)}
}

// Release takes back the counter of a worker that has ended.
func (t *Templates) Release(c *Counter) {
	if t == nil {
		return
	}
	t.mu.Lock()
	t.free = append(t.free, c)
	t.mu.Unlock()
}

// ByOrder returns the number of different templates by order; index 0 is unused.
func (t *Templates) ByOrder() (counts []uint64) {
	if t == nil {
		return nil
	}
	for _, order := range t.orders {
		for order >= len(counts) {
			counts = append(counts, 0)
		}
		counts[order]++
	}
	return counts
}

// Kind identifies a template by the hash of its text, and has its order.
type Kind struct {
	Hash  xxh3.Uint128
	Order int
}

// Kinds returns all templates that were counted, sorted by their hashes.
func (t *Templates) Kinds() (all []Kind) {
	if t == nil {
		return nil
	}
	for h, order := range t.orders {
		all = append(all, Kind{h, order})
	}
	slices.SortFunc(all, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(a.Hash.Hi, b.Hash.Hi), cmp.Compare(a.Hash.Lo, b.Hash.Lo))
	})
	return all
}

// Put adds templates that another process has counted.
func (t *Templates) Put(kinds []Kind) {
	for _, k := range kinds {
		t.orders[k.Hash] = k.Order
	}
}

// Counter collects the templates of the fragments of one worker. Codes whose steps have the same offsets and
// kinds have the same shape, and so the same template.
type Counter struct {
	of      *Templates
	kinds   []uint32 // 1 + the kind of each symbol; 0: not yet known
	counted []bool   // by shape: its template is counted; shape 0 has no steps
	text    []byte
	path    index.Path
	behind  []uint32 // the shape after each step of path
	shapes  map[shapeOff]*shapeRow
	at      shapeOff  // key of row in shapes
	row     *shapeRow // the row used last: consecutive fragments often use the same one
}

// shapeOff is a shape, and the Off of the step after it.
type shapeOff struct{ shape, off uint32 }

// shapeRow has the id of the next shape for each kind of step, or 0 if that shape has no id yet.
type shapeRow []uint32

// Add counts the template of a fragment. It makes the text of a template only once for each shape, because
// making texts takes time.
func (t *Counter) Add(c index.Code, order int) {
	if t == nil {
		return
	}
	shape := t.shape(c)
	if t.counted[shape] {
		return
	}
	t.counted[shape] = true
	t.text = t.of.space.AppendTemplate(t.text[:0], c, t.of.syms)
	t.of.mu.Lock()
	t.of.orders[xxh3.Hash128(t.text)] = order
	t.of.mu.Unlock()
}

// shape returns the id of a code's shape.
func (t *Counter) shape(c index.Code) (shape uint32) {
	shared := t.path.Follow(c)
	if t.behind = t.behind[:shared]; shared > 0 {
		shape = t.behind[shared-1]
	}
	for rest := c[t.path.End(shared):]; len(rest) > 0; {
		var step index.Step
		step, rest, _ = rest.Next()
		shape = t.extend(shape, step)
		t.behind = append(t.behind, shape)
	}
	return shape
}

// extend returns the id of the shape that is one step longer.
func (t *Counter) extend(shape uint32, step index.Step) uint32 {
	if at := (shapeOff{shape, step.Off}); t.row == nil || t.at != at {
		if t.row = t.shapes[at]; t.row == nil {
			t.row = &shapeRow{}
			t.shapes[at] = t.row
		}
		t.at = at
	}
	kind := t.kind(step.Sym)
	for int(kind) >= len(*t.row) {
		*t.row = append(*t.row, 0)
	}
	to := &(*t.row)[kind]
	if *to == 0 {
		*to = uint32(len(t.counted))
		t.counted = append(t.counted, false)
	}
	return *to
}

func (t *Counter) kind(sym uint32) uint32 {
	for int(sym) >= len(t.kinds) {
		t.kinds = append(t.kinds, 0)
	}
	if t.kinds[sym] == 0 {
		t.kinds[sym] = 1 + t.of.space.KindOf(sym, t.of.syms)
	}
	return t.kinds[sym]
}
