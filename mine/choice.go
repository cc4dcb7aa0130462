package mine

import (
	"fmt"
	"strings"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/store"
)

// Limits of a build that are not given.
const (
	DefaultMinSupport = 2
	DefaultMaxOrder   = 5
)

// maxMaxOrder is the largest maximum order: growth counts levels in 32 bits.
const maxMaxOrder = 1<<31 - 2

// Choice says which spaces a build indexes, and how far. The zero value is the
// default space of whatever kind the samples are, within the default limits.
type Choice struct {
	// Spaces are indexed; none: spaces.Default of the kind. Samples of a kind
	// that has no default space are stored without fragments.
	Spaces []spaces.Request
	// The limits of the spaces whose request does not say; nil is the default.
	MinSupport *uint32 // DefaultMinSupport
	MaxOrder   *int    // DefaultMaxOrder; 0 is any
	Closed     *bool   // false
}

// ChoiceError says why spaces cannot be indexed as they were chosen: wrong usage.
type ChoiceError struct{ Msg string }

func (e *ChoiceError) Error() string { return e.Msg }

func choiceErrorf(format string, args ...any) error {
	return &ChoiceError{fmt.Sprintf(format, args...)}
}

// forNew resolves the choice for a new store of samples of kind k. A space that
// reads another kind is a *spaces.KindError.
func (c *Choice) forNew(k index.Kind) (all []SpaceLimits, err error) {
	requests := c.Spaces
	if len(requests) == 0 {
		name := spaces.Default(k)
		if name == "" {
			return nil, nil
		}
		r, err := spaces.Parse(name)
		if err != nil {
			return nil, err
		}
		requests = []spaces.Request{r}
	}
	seen := map[string]bool{}
	for _, r := range requests {
		id := r.Space.ID()
		if err := r.CheckKind(k); err != nil {
			return nil, err
		}
		if seen[id] {
			return nil, choiceErrorf("space %s twice: a store has a space once", id)
		}
		seen[id] = true
		l := index.Limits{MinSupport: DefaultMinSupport, MaxOrder: DefaultMaxOrder}
		set(&l.MinSupport, r.MinSupport, c.MinSupport)
		set(&l.MaxOrder, r.MaxOrder, c.MaxOrder)
		set(&l.Closed, r.Closed, c.Closed)
		if l.MaxOrder < 0 || l.MaxOrder > maxMaxOrder {
			return nil, choiceErrorf("space %s: an order of at most %d; 0 is any", id, maxMaxOrder)
		}
		if _, ok := r.Space.(index.Covering); l.Closed && !ok {
			option := ":"
			if strings.Contains(id, option) {
				option = ","
			}
			return nil, choiceErrorf("space %s has no closed fragments: leave --closed out, or, for those of other spaces, write --space %s%sclosed=false", id, id, option)
		}
		all = append(all, SpaceLimits{r.Space, l})
	}
	return all, nil
}

// forAppend returns the spaces and limits of the store, which an append keeps: a
// choice of others is an error.
func (c *Choice) forAppend(dir string, m *store.Meta) (all []SpaceLimits, err error) {
	requested := map[string]spaces.Request{}
	for _, r := range c.Spaces {
		named := spaces.Named(r.Arg, m.SpaceIDs())
		if len(named) != 1 {
			return nil, choiceErrorf("space %s: an append keeps the spaces of the store, which %s", r.Arg, has(m))
		}
		requested[named[0]] = r
	}
	for i := range m.Spaces {
		info := &m.Spaces[i]
		r, ok := requested[info.ID]
		if !ok && len(c.Spaces) > 0 {
			return nil, choiceErrorf("an append keeps the spaces of the store, which %s", has(m))
		}
		l := limitsOf(info)
		want := l
		set(&want.MinSupport, r.MinSupport, c.MinSupport)
		set(&want.MaxOrder, r.MaxOrder, c.MaxOrder)
		set(&want.Closed, r.Closed, c.Closed)
		if want != l {
			return nil, choiceErrorf("an append keeps the limits of the store: %s, not %s",
				describeLimits(info.ID, l), describeLimits(info.ID, want))
		}
		stored, err := spaceOf(dir, info)
		if err != nil {
			return nil, err
		}
		all = append(all, SpaceLimits{stored, l})
	}
	return all, nil
}

// spaceOf returns a space of the store in dir; one that this program does not know
// is ErrVersion.
func spaceOf(dir string, info *store.SpaceInfo) (index.Space, error) {
	r, err := spaces.Parse(info.ID)
	if err != nil {
		return nil, &store.Error{Dir: dir, Kind: store.ErrVersion, Err: err}
	}
	return r.Space, nil
}

// set sets to to the first choice that says anything.
func set[T any](to *T, choices ...*T) {
	for _, c := range choices {
		if c != nil {
			*to = *c
			return
		}
	}
}

// has says which spaces a store has.
func has(m *store.Meta) string {
	if len(m.Spaces) == 0 {
		return "has none"
	}
	return "has " + strings.Join(m.SpaceIDs(), ", ")
}

// describeLimits says how far a space is indexed: `space stk, order ≤ 5, support ≥ 2`.
func describeLimits(id string, l index.Limits) string {
	line := "space " + id
	if l.MaxOrder > 0 {
		line += fmt.Sprintf(", order ≤ %d", l.MaxOrder)
	}
	line += fmt.Sprintf(", support ≥ %d", l.MinSupport)
	if l.Closed {
		line += ", closed"
	}
	return line
}
