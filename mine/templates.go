package mine

import (
	"sync"

	"fstore/index"
)

// templates counts the different templates of a space's fragments (QL15) while workers
// make them. A nil one, of a space that has no templates, counts nothing.
type templates struct {
	space index.Templated
	syms  *index.Symbols

	mu        sync.Mutex
	free, all []*templateCounter
}

// newTemplates returns nil where the space has no templates.
func newTemplates(space index.Space, syms *index.Symbols) *templates {
	t, ok := space.(index.Templated)
	if !ok {
		return nil
	}
	return &templates{space: t, syms: syms}
}

// counter returns a counter for one worker, which gives it back by release. There are
// no more of them than workers at a time, as each knows the kind of every symbol.
func (t *templates) counter() *templateCounter {
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
	c := &templateCounter{of: t, orders: map[string]int{}, shapes: map[string]struct{}{}}
	t.all = append(t.all, c)
	return c
}

func (t *templates) release(c *templateCounter) {
	if t == nil {
		return
	}
	t.mu.Lock()
	t.free = append(t.free, c)
	t.mu.Unlock()
}

// byOrder returns how many templates there are of each order; index 0 is unused.
func (t *templates) byOrder() (counts []uint64) {
	if t == nil {
		return nil
	}
	orders := map[string]int{}
	for _, c := range t.all {
		for text, order := range c.orders {
			orders[text] = order
		}
	}
	for _, order := range orders {
		for order >= len(counts) {
			counts = append(counts, 0)
		}
		counts[order]++
	}
	return counts
}

// templateCounter collects the templates of the fragments that one worker makes.
type templateCounter struct {
	of     *templates
	orders map[string]int      // of each template, by its text
	shapes map[string]struct{} // offsets and kinds of the codes whose template is in orders
	kinds  []uint32            // 1 + the kind of each symbol; 0 is not yet known
	shape  []byte
}

// add counts the template of a fragment. Templates are few: the text, which is dear, is
// made once for each shape.
func (t *templateCounter) add(c index.Code, order int) {
	if t == nil {
		return
	}
	t.shape = t.shape[:0]
	for rest := c; len(rest) > 0; {
		var step index.Step
		step, rest, _ = rest.Next()
		t.shape = index.AppendStep(t.shape, index.Step{Off: step.Off, Sym: t.kind(step.Sym)})
	}
	if _, ok := t.shapes[string(t.shape)]; ok {
		return
	}
	t.shapes[string(t.shape)] = struct{}{}
	t.orders[string(t.of.space.AppendTemplate(nil, c, t.of.syms))] = order
}

func (t *templateCounter) kind(sym uint32) uint32 {
	for int(sym) >= len(t.kinds) {
		t.kinds = append(t.kinds, 0)
	}
	if t.kinds[sym] == 0 {
		t.kinds[sym] = 1 + t.of.space.KindOf(sym, t.of.syms)
	}
	return t.kinds[sym]
}
