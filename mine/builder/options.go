package builder

import (
	"cmp"
	"errors"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/grow"
	"fstore/store"
)

// Options are what Run does. The zero value of a field is its default.
type Options struct {
	FS   vfs.FS     // nil: the operating system's
	Mode store.Mode // what to do about an existing store

	// Spaces to index. An append keeps those of the store.
	Spaces Choice
	// MaxFragments bounds the fragments stored over all spaces: more is
	// ErrTooMany. A fragment counts once more for each 32 of its order. 0 is no bound.
	MaxFragments uint64
	// Workers grow ranges at the same time; 0 is one a processor.
	Workers int
	// Memory is what the samples in growth may hold, in bytes; 0 is 1 GiB. Closed
	// fragments, and those of spaces that are not index.Additive, may need more: what
	// is below one first step (in an index.Splitter, one second step) is held whole.
	Memory int64

	// Source opens the samples, interning into the store's symbols.
	Source func(*index.Symbols) (index.Source, error)
	// Event returns the history entry of the run, once all samples are read.
	Event func() store.Event

	// Resume goes on from where an interrupted or killed run with the same ResumeKey has
	// left its samples and ranges, where one has, and leaves that again if interrupted; it
	// is not of an append. ResumeKey stands for everything that the result depends on.
	Resume    bool
	ResumeKey string

	Progress index.Progress // nil: none

	IncrementAlways bool // in tests: an append of many samples too grows only what they have
}

func (o *Options) setDefaults() {
	o.FS = cmp.Or(o.FS, vfs.Default)
	o.Workers = index.Workers(o.Workers)
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	o.Progress = cmp.Or[index.Progress](o.Progress, index.NoProgress{})
}

// ErrNotResumable says that what a run has left is of other options, or cannot be gone on
// from.
var ErrNotResumable = errors.New("not what an interrupted run can go on from")

// ErrNoSamples says that there was nothing to build from.
var ErrNoSamples = errors.New("no samples")

// Limits of a build that are not given.
const (
	DefaultMinSupport = 2
	DefaultMaxOrder   = 5
)

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

// ForNew resolves the choice for a new store of samples of kind k. A space that
// reads another kind is an *index.UsageError.
func (c *Choice) ForNew(k index.Kind) (all []grow.SpaceLimits, err error) {
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
			return nil, index.Usagef("space %s twice: a store has a space once", id)
		}
		seen[id] = true
		l := index.Limits{MinSupport: DefaultMinSupport, MaxOrder: DefaultMaxOrder}
		grow.Set(&l.MinSupport, r.MinSupport, c.MinSupport)
		grow.Set(&l.MaxOrder, r.MaxOrder, c.MaxOrder)
		grow.Set(&l.Closed, r.Closed, c.Closed)
		if l.MaxOrder < 0 || l.MaxOrder > grow.MaxMaxOrder {
			return nil, index.Usagef("space %s: an order of at most %d; 0 is any", id, grow.MaxMaxOrder)
		}
		if _, ok := r.Space.(index.Covering); l.Closed && !ok {
			option := ":"
			if strings.Contains(id, option) {
				option = ","
			}
			return nil, index.Usagef("space %s has no closed fragments: leave --closed out, or, for those of other spaces, write --space %s%sclosed=false", id, id, option)
		}
		all = append(all, grow.SpaceLimits{Space: r.Space, Limits: l})
	}
	return all, nil
}

// forAppend returns the spaces and limits of the store, which an append keeps: a
// choice of others is an error.
func (c *Choice) forAppend(dir string, m *store.Meta) (all []grow.SpaceLimits, err error) {
	requested := map[string]spaces.Request{}
	for _, r := range c.Spaces {
		named := spaces.Named(r.Arg, m.SpaceIDs())
		if len(named) != 1 {
			return nil, index.Usagef("space %s: an append keeps the spaces of the store, which %s", r.Arg, has(m))
		}
		requested[named[0]] = r
	}
	for i := range m.Spaces {
		info := &m.Spaces[i]
		r, ok := requested[info.ID]
		if !ok && len(c.Spaces) > 0 {
			return nil, index.Usagef("an append keeps the spaces of the store, which %s", has(m))
		}
		l := info.Limits()
		want := l
		grow.Set(&want.MinSupport, r.MinSupport, c.MinSupport)
		grow.Set(&want.MaxOrder, r.MaxOrder, c.MaxOrder)
		grow.Set(&want.Closed, r.Closed, c.Closed)
		if want != l {
			return nil, index.Usagef("an append keeps the limits of the store: %s, not %s",
				grow.Describe(info.ID, l), grow.Describe(info.ID, want))
		}
		stored, err := grow.SpaceOf(dir, info)
		if err != nil {
			return nil, err
		}
		all = append(all, grow.SpaceLimits{Space: stored, Limits: l})
	}
	return all, nil
}

// has says which spaces a store has.
func has(m *store.Meta) string {
	if len(m.Spaces) == 0 {
		return "has none"
	}
	return "has " + strings.Join(m.SpaceIDs(), ", ")
}
